// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A function at some address, or one that was inlined there. The texts live as long as the symbols. */
typedef struct
{
  const char *function; /* as the linker knows it */
  const char *file;     /* (nullable) */
  guint32 line;         /* 0: not known */
} FpHeapSymbol;

/* A piece of a file that is loaded, at its address in the file's own space. */
typedef struct
{
  guint64 address;
  guint64 size;
} FpHeapLoad;

/* Names of functions and lines of code, from the programs and libraries themselves and the debug information that is installed
 * beside them. Nothing is downloaded. A file is opened when something in it is looked for, and only where it is loaded in the
 * same pieces as it was in the recorded process: another version would give wrong names. */
typedef struct _FpHeapSymbols FpHeapSymbols;

FpHeapSymbols *fp_heap_symbols_new (void);
void fp_heap_symbols_free (FpHeapSymbols *self);
guint fp_heap_symbols_add (FpHeapSymbols *self, const char *path, const FpHeapLoad *loads, guint n_loads);
guint fp_heap_symbols_find (FpHeapSymbols *self, guint object, guint64 address, FpHeapSymbol *symbols, guint max);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapSymbols, fp_heap_symbols_free)

G_END_DECLS
