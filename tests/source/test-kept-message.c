// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-helper-protocol.h"
#include "fp-kept-message.h"

#define GRAPHICS 6 /* its place in the message, and those of the others */
#define TMPFS    4
#define HELD     5
#define HOLDERS  7
#define TOLD     8
#define SEGMENTS 9

static void
add_held (FpKept *kept,
          guint64 inode,
          const char *name)
{
  FpHeldFile file = { .device = 1, .inode = inode, .used = inode * 4096, .pid = 10, .n_holders = 2, .is_mapped = TRUE };

  file.name = g_strdup (name);
  g_array_append_val (kept->held, file);
}

static void
add_graphics (FpKept *kept,
              guint64 id,
              const char *driver,
              guint n_holders)
{
  FpGraphics graphics = { .id = id, .device = "0000:11:00.0", .pid = 10, .n_holders = n_holders, .in_ram = 4096, .on_card = 8192, .allocated = 16384, .shared = 1, .purgeable = 2, .has_in_ram = TRUE };

  g_strlcpy (graphics.driver, driver, sizeof graphics.driver);
  for (guint i = 0; i < n_holders; i++)
    {
      const FpGraphicsHolder holder = { 10 + (gint)i, kept->graphics->len };

      g_array_append_val (kept->graphics_holders, holder);
    }
  g_array_append_val (kept->graphics, graphics);
}

static FpKept *
make_kept (void)
{
  FpKept *kept = fp_kept_new ();
  FpTmpfs tmpfs = { .device = 7, .path = g_strdup ("/dev/shm"), .used = 4096, .size = 1 << 20, .has_used = TRUE };
  FpTmpfs ramfs = { .device = 8, .path = g_strdup ("/a\nb"), .pid = 12, .kind = FP_TMPFS_RAMFS };
  const FpSegment segment = { 3, 4096, 10, 1000, 2, 4096, 8192, TRUE };
  const FpProcessId told[] = { { 10, 100 }, { 11, 101 }, { 13, 0 } };

  kept->measured_us = 5;
  kept->n_unread = 6;
  kept->n_pending = 7;
  kept->is_cut = TRUE;
  g_array_append_val (kept->tmpfs, tmpfs);
  g_array_append_val (kept->tmpfs, ramfs);
  add_held (kept, 20, "é");
  add_held (kept, 21, "");
  add_graphics (kept, 185, "amdgpu", 1);
  kept->segments = g_array_new (FALSE, FALSE, sizeof (FpSegment));
  g_array_append_val (kept->segments, segment);
  g_array_append_vals (kept->told, told, G_N_ELEMENTS (told));
  return kept;
}

/* The array's own bytes; entries have no pointers. */
static void
assert_equal_bytes (const GArray *a,
                    const GArray *b)
{
  const guint size = g_array_get_element_size ((GArray *)a);

  g_assert_cmpmem (a->data, (gsize)a->len * size, b->data, (gsize)b->len * size);
}

static void
assert_equal_files (const FpKept *a,
                    const FpKept *b)
{
  g_assert_cmpuint (a->tmpfs->len, ==, b->tmpfs->len);
  for (guint i = 0; i < a->tmpfs->len; i++)
    {
      const FpTmpfs *x = &g_array_index (a->tmpfs, FpTmpfs, i), *y = &g_array_index (b->tmpfs, FpTmpfs, i);

      g_assert_cmpstr (x->path, ==, y->path);
      g_assert_true (x->device == y->device && x->used == y->used && x->size == y->size && x->pid == y->pid &&
                     x->kind == y->kind && x->has_used == y->has_used);
    }
  g_assert_cmpuint (a->held->len, ==, b->held->len);
  for (guint i = 0; i < a->held->len; i++)
    {
      const FpHeldFile *x = &g_array_index (a->held, FpHeldFile, i), *y = &g_array_index (b->held, FpHeldFile, i);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_true (x->device == y->device && x->inode == y->inode && x->used == y->used && x->pid == y->pid &&
                     x->n_holders == y->n_holders && x->is_mapped == y->is_mapped && x->is_in_tmpfs == y->is_in_tmpfs &&
                     x->is_huge == y->is_huge);
    }
}

static void
test_there_and_back (void)
{
  g_autoptr (FpKept) kept = make_kept (), parsed = NULL;
  g_autoptr (GVariant) message = g_variant_ref_sink (fp_kept_message_pack (kept));
  g_autoptr (GError) error = NULL;

  parsed = fp_kept_message_parse (message, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (parsed->measured_us, ==, 5);
  g_assert_cmpuint (parsed->n_unread, ==, 6);
  g_assert_cmpuint (parsed->n_pending, ==, 7);
  g_assert_true (parsed->is_cut);
  assert_equal_files (kept, parsed);
  assert_equal_bytes (kept->graphics, parsed->graphics);
  assert_equal_bytes (kept->graphics_holders, parsed->graphics_holders);
  g_assert_cmpuint (parsed->told->len, ==, 3);
  g_assert_cmpint (g_array_index (parsed->told, FpProcessId, 1).pid, ==, 11);
  g_assert_cmpuint (g_array_index (parsed->told, FpProcessId, 1).start_ticks, ==, 101);
  g_assert_cmpuint (parsed->segments->len, ==, 1);
  g_assert_true (g_array_index (parsed->segments, FpSegment, 0).goes_with_last);
  g_assert_cmpuint (g_array_index (parsed->segments, FpSegment, 0).swap, ==, 8192);
}

static void
test_empty (void)
{
  g_autoptr (FpKept) kept = fp_kept_new (), parsed = NULL;
  g_autoptr (GVariant) message = g_variant_ref_sink (fp_kept_message_pack (kept));

  parsed = fp_kept_message_parse (message, NULL);
  g_assert_nonnull (parsed);
  g_assert_null (parsed->segments);
  g_assert_false (parsed->is_cut);
}

/* The same message with other entries in one list. text: as g_variant_parse () reads it */
static GVariant *
make_message (guint place,
              const char *text)
{
  g_autoptr (FpKept) kept = make_kept ();
  g_autoptr (GVariant) whole = g_variant_ref_sink (fp_kept_message_pack (kept));
  g_autoptr (GError) error = NULL;
  GVariant *children[10];

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (whole, i);

      children[i] = i == place ? g_variant_parse (g_variant_get_type (child), text, NULL, NULL, &error) : g_steal_pointer (&child);
      g_assert_no_error (error);
    }
  whole = (g_variant_unref (whole), g_variant_ref_sink (g_variant_new_tuple (children, G_N_ELEMENTS (children))));
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    g_variant_unref (children[i]);
  return g_steal_pointer (&whole);
}

static void
assert_damaged (guint place,
                const char *text)
{
  g_autoptr (GVariant) message = make_message (place, text);
  g_autoptr (GError) error = NULL;

  g_test_message ("%u: %.200s", place, text);
  g_assert_null (fp_kept_message_parse (message, &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED);
}

static void
assert_sound (guint place,
              const char *text)
{
  g_autoptr (GVariant) message = make_message (place, text);
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept = fp_kept_message_parse (message, &error);

  g_assert_no_error (error);
}

static const struct
{
  guint place;
  const char *text;
} damages[] = {
  { TMPFS, "[(7, 'tmp', 0, 0, 0, 0, 1)]" },                                                       /* no path */
  { TMPFS, "[(7, '', 0, 0, 0, 0, 1)]" },                                                          /* none at all */
  { TMPFS, "[(7, '/a', 0, 0, -1, 0, 1)]" },                                                       /* seen by no process */
  { TMPFS, "[(7, '/a', 0, 0, 0, 3, 1)]" },                                                        /* of no kind */
  { TMPFS, "[(7, '/a', 0x1000000000000, 0, 0, 0, 1)]" },                                          /* more than a machine has */
  { TMPFS, "[(7, '/a', 0, 0, 0, 0, 1), (7, '/b', 0, 0, 0, 0, 1)]" },                              /* twice */
  { HELD, "[(1, 2, 'a', 0, 0, 1, 0)]" },                                                          /* held by no process */
  { HELD, "[(1, 2, 'a', 0, 10, 0, 0)]" },                                                         /* the same */
  { HELD, "[(1, 2, 'a', 0, 10, 0xffffffff, 0)]" },                                                /* by too many */
  { HELD, "[(1, 2, 'a', 0xffffffffffffffff, 10, 1, 0)]" },                                        /* too large */
  { HELD, "[(1, 2, 'a', 0, 10, 1, 0), (1, 2, 'b', 0, 11, 1, 0)]" },                               /* twice */
  { GRAPHICS, "[]" },                                                                             /* its holder has none */
  { GRAPHICS, "[(2, 1, 'a', '', 10, 0, 0, 0, 0, 0, 1)]" },                                        /* of no kind */
  { GRAPHICS, "[(0, 1, 'a', '', 0, 0, 0, 0, 0, 0, 1)]" },                                         /* of no process */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 0x1000000000000, 0, 0, 0, 0, 1)]" },                          /* too large */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 0, 0x1000000000000, 0, 0, 0, 1)]" },                          /* the same */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 0, 0, 0x1000000000000, 0, 0, 1)]" },                          /* the same */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 5, 0, 5, 6, 0, 1)]" },                                        /* a part larger than the whole */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 5, 0, 5, 0, 6, 1)]" },                                        /* the same */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 0, 0, 0, 0, 0, 1), (0, 1, 'a', '', 11, 0, 0, 0, 0, 0, 1)]" }, /* twice */
  { GRAPHICS, "[(0, 1, 'a', '', 10, 0, 0, 0, 0, 0, 1), (0, 2, 'a', '', 11, 0, 0, 0, 0, 0, 1)]" }, /* nobody holds it */
  { HOLDERS, "[]" },                                                                              /* nobody holds it */
  { HOLDERS, "[(10, 1)]" },                                                                       /* there is one alone */
  { HOLDERS, "[(10, 0xffffffff)]" },
  { HOLDERS, "[(0, 0)]" },
  { HOLDERS, "[(10, 0), (10, 0)]" }, /* twice */
  { HOLDERS, "[(11, 0), (10, 0)]" }, /* not in order, and so not found */
  { TOLD, "[(0, 1)]" },
  { TOLD, "[(10, 1), (10, 2)]" },
  { TOLD, "[(11, 1), (10, 2)]" },
  { SEGMENTS, "[(3, 1, -1, 0, 0, 0, 0, 0)]" },
  { SEGMENTS, "[(3, 1, 0, 0, 0, 0x1000000000000, 0, 0)]" },
  { SEGMENTS, "[(3, 1, 0, 0, 0, 0, 0x1000000000000, 0)]" },
  { SEGMENTS, "[(3, 1, 0, 0, 0, 0, 0, 0), (3, 1, 0, 0, 0, 0, 0, 0)]" }, /* twice */
  { 3, "1" },                                                           /* segments that are not known */
};

static void
test_damaged (void)
{
  g_autofree char *name = g_strnfill (5000, 'a');
  g_autofree char *path = g_strdup_printf ("[(7, '/%s', 0, 0, 0, 0, 1)]", name);
  g_autofree char *file = g_strdup_printf ("[(1, 2, '%.256s', 0, 10, 1, 0)]", name);
  g_autofree char *driver = g_strdup_printf ("[(0, 1, '%.64s', '', 10, 0, 0, 0, 0, 0, 1)]", name);
  g_autofree char *device = g_strdup_printf ("[(0, 1, 'a', '%.64s', 10, 0, 0, 0, 0, 0, 1)]", name);

  assert_sound (TMPFS, "[]");
  assert_sound (GRAPHICS, "[(0, 1, 'a', '', 10, 5, 0, 5, 5, 5, 1)]");
  assert_sound (HOLDERS, "[(10, 0), (11, 0)]");
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    assert_damaged (damages[i].place, damages[i].text);
  assert_damaged (TMPFS, path);
  assert_damaged (HELD, file);
  assert_damaged (GRAPHICS, driver);
  assert_damaged (GRAPHICS, device);
}

/* Lists that are too long are cut, and one that was not is refused. */
static void
test_too_many (void)
{
  g_autoptr (FpKept) kept = fp_kept_new (), parsed = NULL;
  g_autoptr (GVariant) message = NULL;
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i <= FP_KEPT_MESSAGE_MAX; i++)
    add_graphics (kept, i, "a", 1);
  message = g_variant_ref_sink (fp_kept_message_pack (kept));
  parsed = fp_kept_message_parse (message, NULL);
  g_assert_nonnull (parsed);
  g_assert_true (parsed->is_cut);
  g_assert_cmpuint (parsed->graphics->len, ==, FP_KEPT_MESSAGE_MAX);
  for (guint i = 0; i <= FP_TMPFS_MAX; i++)
    g_string_append_printf (text, "%s(%u, '/a', 0, 0, 0, 0, 1)", i ? ", " : "", i);
  g_string_append_c (text, ']');
  assert_damaged (TMPFS, text->str);
}

/* A message with any bytes changed is refused or sound: what is parsed can be summed, asked and packed again. */
static void
test_any_bytes (void)
{
  g_autoptr (FpKept) kept = make_kept ();
  g_autoptr (GVariant) message = g_variant_ref_sink (fp_kept_message_pack (kept));
  const gsize size = g_variant_get_size (message);
  g_autofree guint8 *bytes = g_malloc (size);

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GVariant) changed = NULL, normal = NULL, again = NULL;
      g_autoptr (FpKept) parsed = NULL, second = NULL;
      FpGraphicsShare share;
      FpKeptSum sum;

      g_variant_store (message, bytes);
      for (gint n = g_test_rand_int_range (1, 4); n > 0; n--)
        bytes[g_test_rand_int_range (0, (gint)size)] = (guint8)g_test_rand_int ();
      changed = g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE (FP_KEPT_MESSAGE_TYPE), bytes, size, FALSE, NULL, NULL));
      normal = g_variant_get_normal_form (changed);
      if (!(parsed = fp_kept_message_parse (normal, NULL)))
        continue;
      fp_kept_sum (parsed, &sum);
      for (guint j = 0; j < parsed->told->len; j++)
        g_assert_true (fp_kept_get_graphics (parsed, &g_array_index (parsed->told, FpProcessId, j), &share));
      again = g_variant_ref_sink (fp_kept_message_pack (parsed));
      second = fp_kept_message_parse (again, NULL);
      g_assert_nonnull (second);
      assert_equal_files (parsed, second);
      assert_equal_bytes (parsed->graphics, second->graphics);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-message/there-and-back", test_there_and_back);
  g_test_add_func ("/kept-message/empty", test_empty);
  g_test_add_func ("/kept-message/damaged", test_damaged);
  g_test_add_func ("/kept-message/too-many", test_too_many);
  g_test_add_func ("/kept-message/any-bytes", test_any_bytes);
  return g_test_run ();
}
