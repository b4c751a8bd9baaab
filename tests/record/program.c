// SPDX-License-Identifier: GPL-3.0-or-later
/* A program that is linked in different ways, and the libraries that it is linked to; it does nothing. */
#ifdef GO
__attribute__ ((section (".go.buildinfo"), used)) static const char mark[] = "\377 Go buildinf:";
#endif

int allocate (void);
int construct (void);

#if defined ALLOCATOR
int
allocate (void)
{
  return 0;
}
#elif defined CXX
int
construct (void)
{
  return 0;
}
#else
int
main (void)
{
  int status = 0;

#ifdef NEEDS_ALLOCATOR
  status += allocate ();
#endif
#ifdef NEEDS_CXX
  status += construct ();
#endif
  return status;
}
#endif
