// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-group-message.h"

#define BITS (FP_CONTROL_BIT (MEMORY) | FP_CONTROL_BIT (MAX) | FP_CONTROL_BIT (SOME_US))

typedef struct
{
  guint64 present;
  guint32 parent, depth, kind;
  const char *path;
  guint n_figures;
  const char *name; /* NULL: an ordinary one */
  guint64 id;       /* 0: its place and 1 */
} Record;

static const Record root = { 0, FP_CONTROL_NONE, 0, FP_CONTROL_KIND_MACHINE, "/", 0 };
static const Record child = { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a.slice", 3 };

/* Floating */
static GVariant *
make_message (const Record *records,
              guint n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (FP_GROUP_MESSAGE_TYPE));
  g_variant_builder_add (&builder, "u", 3);
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("a(tttttuuuussat)"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree guint64 *figures = g_new0 (guint64, records[i].n_figures + 1);

      for (guint j = 0; j < records[i].n_figures; j++)
        figures[j] = 100 + j;
      g_variant_builder_add (&builder, "(tttttuuuuss@at)", records[i].id ? records[i].id : i + 1, records[i].present, (guint64)5, (guint64)6,
                             (guint64)7, records[i].parent, records[i].depth, records[i].kind, 1000, records[i].path, records[i].name ? records[i].name : "name",
                             g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, figures, records[i].n_figures, sizeof *figures));
    }
  g_variant_builder_close (&builder);
  return g_variant_builder_end (&builder);
}

static void
assert_equal (const FpControlGroup *a,
              const FpControlGroup *b)
{
  g_assert_cmpuint (a->id, ==, b->id);
  g_assert_cmphex (a->present, ==, b->present);
  g_assert_cmpmem (a->figures, sizeof a->figures, b->figures, sizeof b->figures);
  g_assert_cmpuint (a->measured_us, ==, b->measured_us);
  g_assert_cmpuint (a->waited_us, ==, b->waited_us);
  g_assert_cmpuint (a->waited_over_us, ==, b->waited_over_us);
  g_assert_cmpuint (a->parent, ==, b->parent);
  g_assert_cmpuint (a->depth, ==, b->depth);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpuint (a->uid, ==, b->uid);
  g_assert_cmpstr (a->path, ==, b->path);
  g_assert_cmpstr (a->name, ==, b->name);
}

static void
test_there_and_back (void)
{
  const Record records[] = { root, child, { 0, 1, 2, FP_CONTROL_KIND_OTHER, "/a.slice/é", 0 } };
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (records, G_N_ELEMENTS (records)));
  g_autoptr (GError) error = NULL;
  g_autoptr (FpControlGroups) first = fp_group_message_parse (message, NULL, 0, &error);
  g_autoptr (GVariant) packed = NULL;
  g_autoptr (FpControlGroups) second = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (first->n, ==, 3);
  g_assert_true (first->has_memory && first->has_pressure && !first->is_cut);
  g_assert_cmphex (first->groups[1].present, ==, BITS);
  g_assert_cmpuint (first->groups[1].figures[FP_CONTROL_MEMORY], ==, 100);
  g_assert_cmpuint (first->groups[1].figures[FP_CONTROL_MAX], ==, 101);
  g_assert_cmpuint (first->groups[1].figures[FP_CONTROL_SOME_US], ==, 102);
  first->is_cut = TRUE;
  packed = g_variant_ref_sink (fp_group_message_pack (first));
  second = fp_group_message_parse (packed, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (second->n, ==, first->n);
  g_assert_true (second->is_cut);
  for (guint i = 0; i < first->n; i++)
    assert_equal (&first->groups[i], &second->groups[i]);
}

static void
test_empty (void)
{
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (NULL, 0));
  g_autoptr (FpControlGroups) groups = fp_group_message_parse (message, NULL, 0, NULL);

  g_assert_nonnull (groups);
  g_assert_cmpuint (groups->n, ==, 0);
}

static void
assert_damaged (const Record *records,
                guint n)
{
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (records, n));
  g_autoptr (GError) error = NULL;

  g_assert_null (fp_group_message_parse (message, NULL, 0, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
}

static void
test_damaged (void)
{
  g_autofree char *name = g_strnfill (1024, 'a');
  g_autofree char *too_long = g_strconcat ("/", name, NULL);
  g_autofree char *long_name = g_strnfill (FP_CONTROL_MAX_NAME, 'a');
  const Record seconds[] = {
    { BITS, 1, 1, FP_CONTROL_KIND_SLICE, "/a", 3 },               /* its own parent */
    { BITS, FP_CONTROL_NONE, 0, FP_CONTROL_KIND_SLICE, "/a", 3 }, /* a second root */
    { BITS, 0, 2, FP_CONTROL_KIND_SLICE, "/a", 3 },               /* too deep */
    { BITS, 0, 1, FP_CONTROL_KIND_OTHER + 1, "/a", 3 },           /* of no kind */
    { BITS, 0, 1, G_MAXUINT32, "/a", 3 },                         /* of no kind */
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "", 3 },                 /* no path */
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, too_long, 3 },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 2 },             /* too few figures */
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 4 },             /* too many */
    { (guint64)1 << 63, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 1 }, /* a figure of another version */
    { G_MAXUINT64, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 64 },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 3, long_name },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 3, "\x1b[2J" },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 3, "a\nb" },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a", 3, "\x7f" },
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/a/b", 3 }, /* its parent is left out */
    { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/", 3 },    /* its parent's path */
  };

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    assert_damaged ((const Record[]){ root, seconds[i] }, 2);
  assert_damaged (&child, 1);
}

/* A group's path is its parent's and one name more. */
static void
test_elsewhere (void)
{
  static const char *const paths[] = { "/b/c", "/a.slice", "/a.slice/", "/a.slicec", "/a.slice/c/d", "/c" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    assert_damaged ((const Record[]){ root, child, { BITS, 1, 2, FP_CONTROL_KIND_SLICE, paths[i], 3 } }, 3);
}

/* As a container sees its own groups. */
static void
test_root_below (void)
{
  const Record records[] = { { 0, FP_CONTROL_NONE, 0, FP_CONTROL_KIND_MACHINE, "/docker/abc", 0 },
                             { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/docker/abc/a.slice", 3 } };
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (records, G_N_ELEMENTS (records)));
  g_autoptr (FpControlGroups) groups = fp_group_message_parse (message, NULL, 0, NULL);

  g_assert_nonnull (groups);
  g_assert_cmpuint (groups->n, ==, 2);
}

static gboolean
can_parse (const Record *records,
           guint n)
{
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (records, n));
  g_autoptr (FpControlGroups) groups = fp_group_message_parse (message, NULL, 0, NULL);

  return groups != NULL;
}

static void
test_too_deep (void)
{
  Record records[FP_CONTROL_MAX_DEPTH + 2] = { root };
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; i < G_N_ELEMENTS (records); i++)
    {
      records[i] = child;
      records[i].parent = i - 1;
      records[i].depth = i;
      records[i].path = g_strconcat (i > 1 ? records[i - 1].path : "", "/a", NULL);
      g_ptr_array_add (paths, (char *)records[i].path);
    }
  g_assert_true (can_parse (records, G_N_ELEMENTS (records) - 1));
  assert_damaged (records, G_N_ELEMENTS (records));
}

static void
test_too_many (void)
{
  const guint n = FP_CONTROL_MAX_GROUPS + 1;
  g_autofree Record *records = g_new (Record, n);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  records[0] = root;
  for (guint i = 1; i < n; i++)
    {
      g_ptr_array_add (paths, g_strdup_printf ("/%u", i));
      records[i] = child;
      records[i].path = paths->pdata[i - 1];
    }
  g_assert_true (can_parse (records, n - 1));
  assert_damaged (records, n);
}

/* Rows are known by their ids, and groups are found by their paths. */
static void
test_repeated (void)
{
  const Record other = { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/b.slice", 3, NULL, 2 };

  g_assert_true (can_parse ((const Record[]){ root, other }, 2));
  assert_damaged ((const Record[]){ root, child, child }, 3);
  assert_damaged ((const Record[]){ root, child, other }, 3);
}

/* A list that was not sealed is searched, and finds the same. */
static void
test_find (void)
{
  const Record records[] = { root, child, { BITS, 0, 1, FP_CONTROL_KIND_SLICE, "/b", 3 } };
  g_autoptr (GVariant) message = g_variant_ref_sink (make_message (records, G_N_ELEMENTS (records)));
  g_autoptr (FpControlGroups) groups = fp_group_message_parse (message, NULL, 0, NULL);

  g_assert_nonnull (groups);
  g_assert_nonnull (groups->by_path);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (fp_control_groups_find (groups, "/") == &groups->groups[0]);
      g_assert_true (fp_control_groups_find (groups, "/a.slice") == &groups->groups[1]);
      g_assert_true (fp_control_groups_find (groups, "/b") == &groups->groups[2]);
      g_assert_null (fp_control_groups_find (groups, "/c"));
      g_clear_pointer (&groups->by_path, g_hash_table_unref);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/group-message/there-and-back", test_there_and_back);
  g_test_add_func ("/group-message/empty", test_empty);
  g_test_add_func ("/group-message/damaged", test_damaged);
  g_test_add_func ("/group-message/elsewhere", test_elsewhere);
  g_test_add_func ("/group-message/root-below", test_root_below);
  g_test_add_func ("/group-message/too-deep", test_too_deep);
  g_test_add_func ("/group-message/too-many", test_too_many);
  g_test_add_func ("/group-message/repeated", test_repeated);
  g_test_add_func ("/group-message/find", test_find);
  return g_test_run ();
}
