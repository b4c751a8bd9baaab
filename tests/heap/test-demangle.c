// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-demangle.h"
#include "fp-heap-wrappers.h"

static const struct
{
  const char *mangled, *plain;
} names[] = {
  /* C++ */
  { "_ZN3foo3barEv", "foo::bar()" },
  { "_Znwm", "operator new(unsigned long)" },
  { "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)" },
  /* Rust as it was before 2025 */
  { "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt" },
  { "_ZN63_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..clone..Clone$GT$5clone17habcdef0123456789E",
    "<alloc::vec::Vec<T> as core::clone::Clone>::clone" },
  { "reader::read_rows::h0123456789abcdef", "reader::read_rows" },
  { "_$LT$alloc..vec..Vec$LT$T$GT$$GT$::push::h0123456789abcdef", "<alloc::vec::Vec<T>>::push" },
  /* Rust’s v0, of RFC 2603 and of rustc’s own tests */
  { "_RNvC6_123foo3bar", "123foo::bar" },
  { "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
  { "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "utf8_idents::საჭმელად_გემრიელი_სადილი" },
  { "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}" },
  { "_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8iterator8Iterator9rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_",
    "<core::slice::Iter<u8> as core::iter::iterator::Iterator>::rposition::<core::slice::memchr::memrchr::{closure#1}>::{closure#0}" },
  { "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
    "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>" },
  { "_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>" },
  { "_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E", "<const_generic::Char<'v'>>" },
  { "_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb1_E", "<const_generic::Bool<true>>" },
  { "_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKin98_E", "<const_generic::Signed<-152>>" },
  { "_RNvNvNvCs4fqI2P2rA04_1a1b1c1d.llvm.1234", "a::b::c::d" },
  { "_RIC0RL0_hE", NULL },
  { "_RIC0FG_RL0_hEuE", "::<for<'a> fn(&'a u8)>" },
  { "_RINvC1a1bTuhEAhj4_RSePxE", "a::b::<((), u8), [u8; 4], &[str], *const i64>" },
  /* These are mangled by none of them. */
  { "main", NULL },
  { "_Z", NULL },
  { "_R", NULL },
  { "_RNvC6_123foo3ba", NULL },
  { "_RNvC99999999999999999999a", NULL },
  { "_RB_", NULL },
  { "_RNvB_1a", NULL },
  { "a::h0123456789abcdeg", NULL },
  { "_ZN3foo3bar", NULL },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *plain = fp_demangle (names[i].mangled, strlen (names[i].mangled));

      g_test_message ("%s", names[i].mangled);
      g_assert_cmpstr (plain, ==, names[i].plain);
    }
}

/* Every piece of a name, and every letter in each place: no crash, and nothing that is no text */
static void
test_damaged_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i].mangled);

      for (gsize cut = 0; cut <= length; cut++)
        {
          g_autofree char *piece = g_strndup (names[i].mangled, cut), *plain = fp_demangle (piece, cut);

          g_assert_true (!plain || g_utf8_validate (plain, -1, NULL));
        }
      for (gsize at = 0; at < length; at++)
        for (char c = '!'; c < 127; c++)
          {
            g_autofree char *turned = g_strdup (names[i].mangled), *plain = NULL;

            turned[at] = c;
            plain = fp_demangle_rust (turned);
            g_assert_true (!plain || g_utf8_validate (plain, -1, NULL));
          }
    }
}

/* References that refer to each other many times would fill any memory. */
static void
test_expanding_name (void)
{
  g_autoptr (GString) name = g_string_new ("_RINvC1a1bTuuE");

  for (guint i = 0; i < 40; i++)
    {
      gsize at = name->len;

      g_string_append_printf (name, "TB%c_B%c_B%c_E", 'a', 'a', 'a');
      g_assert_cmpuint (name->len, >, at);
    }
  g_string_append_c (name, 'E');
  g_free (fp_demangle_rust (name->str));
  g_string_assign (name, "_RINvC1a1b");
  for (guint i = 0; i < 5000; i++)
    g_string_append_c (name, 'R');
  g_assert_null (fp_demangle_rust (name->str));
}

static void
test_wrappers (void)
{
  static const char *const wrappers[] = {
    "malloc",
    "g_malloc0",
    "strdup",
    "xzalloc",
    "__GI___strdup",
    "PyMem_Calloc",
    "operator new(unsigned long)",
    "operator new[](unsigned long)",
    "std::vector<int, std::allocator<int> >::push_back(int const&)",
    "void std::vector<int, std::allocator<int> >::_M_realloc_insert<int>(int*, int&&)",
    "std::pair<int, int>* __gnu_cxx::new_allocator<int>::allocate(unsigned long)",
    "alloc::raw_vec::RawVec<T,A>::grow_amortized",
    "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
    "__rust_alloc",
  };
  static const char *const others[] = {
    "main",
    "read_rows",
    "Reader::read(std::vector<int, std::allocator<int> >&)",
    "void Reader::read<std::string>(std::string)",
    "allocator",
    "malloc_info",
    "<reader::Rows as core::iter::Iterator>::next",
    "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++)
    if (!fp_heap_is_wrapper (wrappers[i]))
      g_error ("%s is no wrapper", wrappers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (fp_heap_is_wrapper (others[i]))
      g_error ("%s is a wrapper", others[i]);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/demangle/names", test_names);
  g_test_add_func ("/demangle/damaged", test_damaged_names);
  g_test_add_func ("/demangle/expanding", test_expanding_name);
  g_test_add_func ("/heap/wrappers", test_wrappers);
  return g_test_run ();
}
