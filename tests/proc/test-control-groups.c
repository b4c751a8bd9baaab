// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-clock.h"
#include "fp-control-figures.h"
#include "fp-control-group-reader.h"
#include "fp-control-name.h"
#include "fp-control-tree.h"
#include "fp-control-wait.h"
#include "fp-mounts.h"

#define MIB      ((guint64)1 << 20)
#define SECOND   G_USEC_PER_SEC
#define USER     "/user.slice/user-1000.slice"
#define PRESSURE "some avg10=0.00 avg60=0.00 avg300=0.00 total=%u\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"

/* A folder that stands for the file system of the groups. */
typedef struct
{
  Fixture fixture;
  FpControlGroupReader *reader;
  FpControlGroups *groups;
} Tree;

static void
put (Tree *self,
     const char *group,
     const char *file,
     const char *text)
{
  g_autofree char *name = g_build_filename (group, file, NULL);

  fixture_write (&self->fixture, name, text, -1);
}

static void
put_pressure (Tree *self,
              const char *group,
              guint total)
{
  g_autofree char *text = g_strdup_printf (PRESSURE, total);

  put (self, group, "memory.pressure", text);
}

static void
make (Tree *self,
      const char *group)
{
  g_autofree char *path = g_build_filename (self->fixture.proc, group, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0755), ==, 0);
}

static void
remove_group (Tree *self,
              const char *group)
{
  fixture_remove (&self->fixture, group);
}

static void
make_group (Tree *self,
            const char *group,
            const char *memory)
{
  make (self, group);
  put (self, group, "memory.current", memory);
  put (self, group, "memory.max", "max\n");
  put (self, group, "memory.high", "max\n");
  put (self, group, "memory.stat", "anon 4096\nfile 8192\nworkingset_refault_anon 3\n");
  put (self, group, "memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n");
  put_pressure (self, group, 0);
}

static void
tree_init (Tree *self)
{
  g_autoptr (GError) error = NULL;

  fixture_make_empty (&self->fixture);
  self->reader = fp_control_group_reader_new_at (self->fixture.proc, "/", &error);
  g_assert_no_error (error);
  self->groups = NULL;
}

static void
tree_clear (Tree *self)
{
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  fp_control_group_reader_free (self->reader);
  fixture_clear (&self->fixture);
}

static const FpControlGroups *
read_tree (Tree *self)
{
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  self->groups = fp_control_group_reader_read (self->reader);
  for (guint i = 0; i < self->groups->n; i++)
    {
      g_assert_true (g_utf8_validate (self->groups->groups[i].path, -1, NULL));
      g_assert_true (g_utf8_validate (self->groups->groups[i].name, -1, NULL));
      g_assert_true (i == 0 ? self->groups->groups[i].parent == FP_CONTROL_NONE : self->groups->groups[i].parent < i);
    }
  return self->groups;
}

static const FpControlGroup *
find (Tree *self,
      const char *path)
{
  const FpControlGroup *group = fp_control_groups_find (self->groups, path);

  if (!group)
    g_error ("there is no %s", path);
  return group;
}

static void
test_figures (void)
{
  static const char stat[] = "anon 100\nanon_thp 7\nfile 18446744073709551615\nshmem 99999999999999999999999\nkernel \nsock -1\n"
                             "pagetables 12x\nslab_reclaimable 5\n\nworkingset_refault_anon 6 7\nworkingset_refault_file 8";
  FpControlGroup group = { 0 };
  g_autofree char *exact = g_memdup2 (stat, strlen (stat));

  fp_control_figures_parse (&group, "memory.stat", exact, strlen (stat));
  g_assert_cmphex (group.present, ==,
                   FP_CONTROL_BIT (ANON) | FP_CONTROL_BIT (SLAB_RECLAIMABLE) | FP_CONTROL_BIT (REFAULTS_FILE));
  g_assert_cmpuint (group.figures[FP_CONTROL_ANON], ==, 100);
  g_assert_cmpuint (group.figures[FP_CONTROL_SLAB_RECLAIMABLE], ==, 5);
  g_assert_cmpuint (group.figures[FP_CONTROL_REFAULTS_FILE], ==, 8);

  fp_control_figures_parse (&group, "memory.max", "max\n", 4);
  fp_control_figures_parse (&group, "memory.current", "max\n", 4);
  g_assert_true (fp_control_group_has (&group, FP_CONTROL_MAX));
  g_assert_cmpuint (group.figures[FP_CONTROL_MAX], ==, FP_CONTROL_NO_LIMIT);
  g_assert_false (fp_control_group_has (&group, FP_CONTROL_MEMORY));
  fp_control_figures_parse (&group, "memory.max", "4294967296000\n", 14);
  g_assert_cmpuint (group.figures[FP_CONTROL_MAX], ==, 4294967296000);
  fp_control_figures_parse (&group, "memory.max", "", 0);
  g_assert_false (fp_control_group_has (&group, FP_CONTROL_MAX));
  g_assert_true (fp_control_group_has (&group, FP_CONTROL_ANON));
}

static void
test_pressure (void)
{
  static const char *const odd[] = { "some", "some ", "some total", "some total=", "some avg10=0 total=1x", "sometotal=3",
                                     "some total=4294967296123 ", "\n\n", "total=3", "full avg10=0.00 total=7\n" };
  FpControlGroup group = { 0 };
  g_autofree char *text = g_strdup_printf (PRESSURE, 5u);

  fp_control_figures_parse (&group, "memory.pressure", text, strlen (text));
  g_assert_cmphex (group.present, ==, FP_CONTROL_BIT (SOME_US));
  g_assert_cmpuint (group.figures[FP_CONTROL_SOME_US], ==, 5);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      fp_control_figures_parse (&group, "memory.pressure", odd[i], strlen (odd[i]));
      g_assert_cmphex (group.present, ==, i == 6 ? FP_CONTROL_BIT (SOME_US) : 0);
    }
}

static void
test_events (void)
{
  static const char events[] = "low 1\nhigh 2\nmax 3\noom 4\noom_kill 5\noom_group_kill 6\n";
  FpControlGroup group = { 0 };

  fp_control_figures_parse (&group, "memory.events", events, strlen (events));
  g_assert_cmpuint (group.figures[FP_CONTROL_EVENTS_HIGH], ==, 2);
  g_assert_cmpuint (group.figures[FP_CONTROL_EVENTS_MAX], ==, 3);
  g_assert_cmpuint (group.figures[FP_CONTROL_OOM_KILLS], ==, 5);
}

static void
test_names (void)
{
  static const struct
  {
    const char *path;
    FpControlKind kind;
    const char *name;
    guint32 uid;
  } cases[] = {
    { "/", FP_CONTROL_KIND_MACHINE, "/", G_MAXUINT32 },
    { "/system.slice", FP_CONTROL_KIND_SLICE, "system", G_MAXUINT32 },
    { USER, FP_CONTROL_KIND_USER, "user-1000", 1000 },
    { "/user.slice/user-x.slice", FP_CONTROL_KIND_SLICE, "user-x", G_MAXUINT32 },
    { "/user.slice/user-4294967295.slice", FP_CONTROL_KIND_SLICE, "user-4294967295", G_MAXUINT32 },
    { "/user.slice/user-1000.slice.slice", FP_CONTROL_KIND_SLICE, "user-1000.slice", G_MAXUINT32 },
    { USER "/user@1000.service/app.slice/x.scope/user-0.slice", FP_CONTROL_KIND_SLICE, "user-0", G_MAXUINT32 },
    { USER "/user-0.slice", FP_CONTROL_KIND_SLICE, "user-0", G_MAXUINT32 },
    { "/user-0.slice", FP_CONTROL_KIND_SLICE, "user-0", G_MAXUINT32 },
    { "/docker/abc/user-1000.slice", FP_CONTROL_KIND_SLICE, "user-1000", G_MAXUINT32 },
    { "/docker/abc" USER, FP_CONTROL_KIND_SLICE, "user-1000", G_MAXUINT32 },
    { "/xuser.slice/user-1000.slice", FP_CONTROL_KIND_SLICE, "user-1000", G_MAXUINT32 },
    { USER "/user@1000.service", FP_CONTROL_KIND_SERVICE, "user@1000", G_MAXUINT32 },
    { USER "/session-3.scope", FP_CONTROL_KIND_SCOPE, "session-3", G_MAXUINT32 },
    { "/system.slice/ssh.service", FP_CONTROL_KIND_SERVICE, "ssh", G_MAXUINT32 },
    { "/system.slice/a\\x2db\\xc3\\xa9.service", FP_CONTROL_KIND_SERVICE, "a-bé", G_MAXUINT32 },
    { "/system.slice/a\\xff\\x00\\xz.service", FP_CONTROL_KIND_SERVICE, "a\\xff\\x00\\xz", G_MAXUINT32 },
    { "/system.slice/a\\x1b[2J\\x0a\\x7F\\x20.service", FP_CONTROL_KIND_SERVICE, "a\\x1b[2J\\x0a\\x7F ", G_MAXUINT32 },
    { "/system.slice/a\x1b[2J\x7f.service", FP_CONTROL_KIND_SERVICE, "a\\x1b[2J\\x7f", G_MAXUINT32 },
    { "/a.slice/app-gnome-a\x1b\\x2d-1200.scope", FP_CONTROL_KIND_APP, "a\\x1b-", G_MAXUINT32 },
    { "/lxc/a\tb", FP_CONTROL_KIND_CONTAINER, "a\\x09b", G_MAXUINT32 },
    { "/system.slice/cups.socket", FP_CONTROL_KIND_OTHER, "cups.socket", G_MAXUINT32 },
    { "/.service", FP_CONTROL_KIND_OTHER, ".service", G_MAXUINT32 },
    { USER "/user@1000.service/app.slice/app-gnome-firefox-1200.scope", FP_CONTROL_KIND_APP, "firefox", G_MAXUINT32 },
    { USER "/user@1000.service/app.slice/app-gnome-firefox-1200.scope/tab", FP_CONTROL_KIND_OTHER, "tab", G_MAXUINT32 },
    { "/machine.slice/libpod-0123456789abcdef.scope", FP_CONTROL_KIND_CONTAINER, "0123456789ab", G_MAXUINT32 },
    { "/machine.slice/libpod-0123456789abcdef.scope/init.scope", FP_CONTROL_KIND_SCOPE, "init", G_MAXUINT32 },
    { "/lxc/web", FP_CONTROL_KIND_CONTAINER, "web", G_MAXUINT32 },
    { "/lxc/web/system.slice/nginx.service", FP_CONTROL_KIND_SERVICE, "nginx", G_MAXUINT32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpControlName name;

      fp_control_name_parse (&name, cases[i].path, "/");
      g_assert_cmpstr (name.text, ==, cases[i].name);
      g_assert_cmpint (name.kind, ==, cases[i].kind);
      g_assert_cmpuint (name.uid, ==, cases[i].uid);
    }
}

/* A container that sees its own groups only has its users below its own root. */
static void
test_names_below (void)
{
  static const struct
  {
    const char *path;
    FpControlKind kind;
    guint32 uid;
  } cases[] = {
    { "/docker/abc" USER, FP_CONTROL_KIND_USER, 1000 },
    { "/docker/abc" USER USER, FP_CONTROL_KIND_SLICE, G_MAXUINT32 },
    { "/docker/abc/user-1000.slice", FP_CONTROL_KIND_SLICE, G_MAXUINT32 },
    { "/docker/abcd" USER, FP_CONTROL_KIND_SLICE, G_MAXUINT32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpControlName name;

      fp_control_name_parse (&name, cases[i].path, "/docker/abc");
      g_assert_cmpint (name.kind, ==, cases[i].kind);
      g_assert_cmpuint (name.uid, ==, cases[i].uid);
    }
}

static void
check_wait (const FpControlWait *wait,
            guint64 waited_us,
            guint64 over_us)
{
  guint64 waited, over;

  fp_control_wait_get (wait, &waited, &over);
  g_assert_cmpuint (waited, ==, waited_us);
  g_assert_cmpuint (over, ==, over_us);
}

static void
test_wait (void)
{
  FpControlWait wait = { 0 };

  check_wait (&wait, 0, 0);
  for (guint64 second = 1; second <= 1000; second++)
    {
      guint64 waited, over;

      fp_control_wait_take (&wait, second * SECOND, 5000 + second);
      fp_control_wait_get (&wait, &waited, &over);
      g_assert_cmpuint (waited * SECOND, ==, over);
      g_assert_cmpuint (over, >=, MIN (second - 1, 58) * SECOND);
      g_assert_cmpuint (over, <=, 60 * SECOND);
    }
  /* After a pause nothing is known of the last minute. */
  fp_control_wait_take (&wait, 2000 * SECOND, 9000);
  check_wait (&wait, 0, 0);
  fp_control_wait_take (&wait, 2001 * SECOND, 9003);
  check_wait (&wait, 3, SECOND);
  fp_control_wait_take (&wait, 2002 * SECOND, 10);
  check_wait (&wait, 0, 0);
}

static void
test_mounts (void)
{
  static const char mountinfo[] =
      "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
      "41 31 0:38 /docker/a\\040b /sys/fs/cgroup/uni\\040fied rw,relatime shared:3 - cgroup2 cgroup2 rw\n";
  g_autoptr (GArray) mounts = fp_mounts_parse (mountinfo);
  g_autofree char *prefix = NULL;
  g_autofree char *path = fp_control_tree_find_mount (mounts, &prefix);

  g_assert_cmpstr (path, ==, "/sys/fs/cgroup/uni fied");
  g_assert_cmpstr (prefix, ==, "/docker/a b");
  g_array_set_size (mounts, 2);
  g_assert_null (fp_control_tree_find_mount (mounts, &prefix));
}

static void
test_tree (void)
{
  const FpControlGroups *groups;
  const FpControlGroup *group;
  Tree tree;

  tree_init (&tree);
  put_pressure (&tree, ".", 5);
  make_group (&tree, "user.slice", "9000\n");
  make_group (&tree, USER, "5000\n");
  make_group (&tree, "system.slice", "4000\n");
  groups = read_tree (&tree);
  g_assert_cmpuint (groups->n, ==, 4);
  g_assert_true (groups->has_memory && groups->has_pressure && !groups->is_cut);
  group = find (&tree, USER);
  g_assert_cmpuint (group->figures[FP_CONTROL_MEMORY], ==, 5000);
  g_assert_cmpuint (group->figures[FP_CONTROL_ANON], ==, 4096);
  g_assert_cmpuint (group->figures[FP_CONTROL_MAX], ==, FP_CONTROL_NO_LIMIT);
  g_assert_false (fp_control_group_has (group, FP_CONTROL_PEAK));
  g_assert_cmpuint (group->depth, ==, 2);
  g_assert_cmpuint (group->uid, ==, 1000);
  g_assert_cmpuint (group->measured_us, >, 0);
  g_assert_true (&groups->groups[group->parent] == find (&tree, "/user.slice"));
  g_assert_false (fp_control_group_has (find (&tree, "/"), FP_CONTROL_MEMORY));
  g_assert_cmpuint (find (&tree, "/")->figures[FP_CONTROL_SOME_US], ==, 5);
  tree_clear (&tree);
}

/* The root alone says nothing of the groups in it. */
static void
test_controllers (void)
{
  Tree tree;

  tree_init (&tree);
  put (&tree, ".", "memory.stat", "anon 1\n");
  g_assert_true (read_tree (&tree)->has_memory);
  make (&tree, "a");
  put_pressure (&tree, "a", 3);
  g_assert_false (read_tree (&tree)->has_memory);
  g_assert_true (tree.groups->has_pressure);
  remove_group (&tree, "a/memory.pressure");
  read_tree (&tree);
  g_assert_false (read_tree (&tree)->has_pressure);
  g_assert_cmphex (find (&tree, "/a")->present, ==, 0);
  tree_clear (&tree);
}

static void
test_odd_names (void)
{
  static const char *const names[] = { "a\nb.service", "\xff\xfe.scope", "…", "-", "a b", "\\x2f" };
  g_autofree char *link = NULL;
  g_autofree char *file = NULL;
  Tree tree;

  tree_init (&tree);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    make_group (&tree, names[i], "1\n");
  link = g_build_filename (tree.fixture.proc, "link", NULL);
  g_assert_cmpint (symlink ("..", link), ==, 0);
  put (&tree, ".", "file.slice", "");
  file = g_build_filename (tree.fixture.proc, "a b", "memory.stat", NULL);
  g_unlink (file);
  g_assert_cmpint (symlink ("/proc/self/mem", file), ==, 0);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 1 + G_N_ELEMENTS (names));
  g_assert_nonnull (find (&tree, "/\\xff\\xfe.scope"));
  g_assert_cmpstr (find (&tree, "/\\x2f")->name, ==, "/");
  g_assert_false (fp_control_group_has (find (&tree, "/a b"), FP_CONTROL_ANON));
  tree_clear (&tree);
}

/* A folder that became a symbolic link since it was listed is another one. */
static void
test_replaced (void)
{
  g_autofree char *path = NULL;
  FpControlTree tree;
  Tree made;
  guint64 id;

  tree_init (&made);
  make (&made, "a/b");
  g_assert_true (fp_control_tree_open_at (&tree, made.fixture.proc, "/", NULL));
  fp_control_tree_walk (&tree);
  g_assert_cmpuint (tree.folders->len, ==, 3);
  id = g_array_index (tree.folders, FpControlFolder, 2).id;
  close (fp_control_tree_open_folder (&tree, "a/b", id));
  g_assert_cmpint (fp_control_tree_open_folder (&tree, "a/b", id + 1), ==, -1);
  path = g_build_filename (made.fixture.proc, "a", "b", NULL);
  g_rmdir (path);
  g_assert_cmpint (symlink ("..", path), ==, 0);
  g_assert_cmpint (fp_control_tree_open_folder (&tree, "a/b", id), ==, -1);
  fp_control_tree_close (&tree);
  tree_clear (&made);
}

static void
test_many (void)
{
  guint n = 0;
  Tree tree;

  tree_init (&tree);
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf ("zz%u.slice/%u", i % 5, i);

      make (&tree, name);
    }
  make (&tree, "system.slice");
  g_assert_true (read_tree (&tree)->is_cut);
  g_assert_cmpuint (tree.groups->n, <=, 4096);
  for (guint i = 0; i < tree.groups->n; i++)
    n += tree.groups->groups[i].depth == 1;
  g_assert_cmpuint (n, ==, 6);
  tree_clear (&tree);
}

static guint
count_below (const FpControlGroups *groups,
             const char *path)
{
  g_autofree char *prefix = g_strconcat (path, "/", NULL);
  guint n = 0;

  for (guint i = 0; i < groups->n; i++)
    n += g_str_has_prefix (groups->groups[i].path, prefix);
  return n;
}

/* Nobody's groups push those of others out of the list. */
static void
test_quota (void)
{
  static const char *const owned[] = { USER, "/zz", "/machine.slice/a.scope", "/system.slice/b.service", "/user.slice/x" };
  static const char *const calm[] = { "user.slice/user-2.slice/a/b/c/d/e", "system.slice/c.service/a/b/c" };
  const FpControlGroups *groups;
  Tree tree;

  tree_init (&tree);
  for (guint i = 0; i < 800; i++)
    for (guint j = 0; j < G_N_ELEMENTS (owned); j++)
      {
        g_autofree char *name = g_strdup_printf ("%s/%u.scope/%u", owned[j], i % 7, i);

        make (&tree, name);
      }
  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("system.slice/%u.slice", i);

      make (&tree, name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (calm); i++)
    make (&tree, calm[i]);
  groups = read_tree (&tree);
  g_assert_true (groups->is_cut);
  for (guint i = 0; i < G_N_ELEMENTS (owned); i++)
    g_assert_cmpuint (count_below (groups, owned[i]), ==, 512);
  g_assert_nonnull (find (&tree, "/user.slice/user-2.slice/a/b/c/d/e"));
  g_assert_nonnull (find (&tree, "/system.slice/c.service/a/b/c"));
  g_assert_nonnull (find (&tree, "/system.slice/599.slice"));
  tree_clear (&tree);
}

/* A machine with many containers is whole, and none of them pushes out others. */
static void
test_containers (void)
{
  static const char *const forms[] = { "docker/%u", "system.slice/docker-%u.scope", "kubepods/burstable/pod%u/%u",
                                       "kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod%u.slice/cri-%u.scope" };
  static const char *const greedy[] = { "docker/7", "kubepods/burstable/pod7" };
  const FpControlGroups *groups;
  Tree tree;

  tree_init (&tree);
  for (guint form = 0; form < G_N_ELEMENTS (forms); form++)
    for (guint i = 0; i < (form < 2 ? 600 : 200); i++)
      {
        g_auto (GStrv) parts = g_strsplit (forms[form], "%u", -1);
        g_autofree char *number = g_strdup_printf ("%u", i), *name = g_strjoinv (number, parts);

        make (&tree, name);
      }
  g_assert_false (read_tree (&tree)->is_cut);
  for (guint i = 0; i < 1600; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/zz%u", greedy[i % 2], i);

      make (&tree, name);
    }
  groups = read_tree (&tree);
  g_assert_true (groups->is_cut);
  g_assert_cmpuint (count_below (groups, "/docker"), ==, 600 + 512);
  g_assert_cmpuint (count_below (groups, "/kubepods/burstable/pod7"), ==, 512);
  g_assert_nonnull (find (&tree, "/kubepods/burstable/pod199/199"));
  g_assert_nonnull (find (&tree, "/system.slice/docker-599.scope"));
  tree_clear (&tree);
}

static void
test_deep (void)
{
  g_autoptr (GString) path = g_string_new (NULL);
  Tree tree;

  tree_init (&tree);
  for (guint i = 0; i < 60; i++)
    g_string_append (path, i < 40 ? "deep/" : "deeper/");
  make (&tree, path->str);
  g_assert_true (read_tree (&tree)->is_cut);
  g_assert_cmpuint (tree.groups->n, ==, 33);
  tree_clear (&tree);

  tree_init (&tree);
  g_string_truncate (path, 0);
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (path, "%0200u/", i);
  make (&tree, path->str);
  g_assert_true (read_tree (&tree)->is_cut);
  g_assert_cmpuint (tree.groups->n, ==, 1 + 1024 / 201);
  tree_clear (&tree);
}

static void
test_gone (void)
{
  Tree tree;

  tree_init (&tree);
  make_group (&tree, "a", "1\n");
  make_group (&tree, "a/b", "1\n");
  make_group (&tree, "c", "1\n");
  /* The kernel's count of groups does not change, so that the tree is not listed again at once. */
  put (&tree, ".", "cgroup.stat", "nr_descendants 3\n");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 4);
  remove_group (&tree, "a");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 2);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 2);
  make_group (&tree, "d", "1\n");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 2);
  put (&tree, ".", "cgroup.stat", "nr_descendants 4\n");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 3);
  tree_clear (&tree);
}

/* Groups that come and go without a trace have the tree listed anew once a second only. */
static void
test_forced (void)
{
  guint64 begun_us;
  guint n;
  Tree tree;

  tree_init (&tree);
  make_group (&tree, "a", "1\n");
  make_group (&tree, "b", "1\n");
  put (&tree, ".", "cgroup.stat", "nr_descendants 2\n");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 3);
  begun_us = fp_clock_us (CLOCK_BOOTTIME);
  remove_group (&tree, "a");
  read_tree (&tree);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 2);
  remove_group (&tree, "b");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 1);
  make_group (&tree, "c", "1\n");
  n = read_tree (&tree)->n;
  if (fp_clock_us (CLOCK_BOOTTIME) - begun_us < SECOND)
    g_assert_cmpuint (n, ==, 1);
  g_usleep (SECOND + SECOND / 10);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 2);
  find (&tree, "/c");
  tree_clear (&tree);
}

/* The real root has no type; the group at the root of a namespace does. */
static void
test_namespace (void)
{
  Tree tree;

  tree_init (&tree);
  make_group (&tree, "a", "1\n");
  g_assert_cmpint (read_tree (&tree)->groups[0].kind, ==, FP_CONTROL_KIND_MACHINE);
  tree_clear (&tree);
  tree_init (&tree);
  put (&tree, ".", "cgroup.type", "domain\n");
  make_group (&tree, "a", "1\n");
  g_assert_cmpint (read_tree (&tree)->groups[0].kind, ==, FP_CONTROL_KIND_OTHER);
  tree_clear (&tree);
}

/* A group that its owner has closed to others, or that there is no descriptor for, is there without figures. */
static void
test_closed (void)
{
  struct rlimit limit, few;
  Tree tree;

  tree_init (&tree);
  make_group (&tree, "a", "1\n");
  make_group (&tree, "b", "1\n");
  put (&tree, ".", "cgroup.stat", "nr_descendants 2\n");
  g_assert_cmpuint (read_tree (&tree)->n, ==, 3);
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  few = limit;
  few.rlim_cur = 0;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
  read_tree (&tree);
  g_assert_true (tree.groups->is_cut);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 3);
  g_assert_false (tree.groups->is_cut);
  g_assert_cmpuint (find (&tree, "/b")->figures[FP_CONTROL_ANON], ==, 4096);
  tree_clear (&tree);
}

static void
test_waited (void)
{
  guint64 id;
  Tree tree;

  tree_init (&tree);
  put_pressure (&tree, ".", 100);
  make_group (&tree, "a", "1\n");
  make_group (&tree, "b", "1\n");
  make_group (&tree, "b/c", "1\n");
  put_pressure (&tree, "a", 50);
  g_assert_cmpuint (read_tree (&tree)->n, ==, 4);
  g_assert_cmpuint (find (&tree, "/a")->waited_us, ==, 0);
  g_assert_cmpuint (find (&tree, "/a")->waited_over_us, ==, 0);
  put_pressure (&tree, ".", 130);
  put_pressure (&tree, "b", 20);
  put_pressure (&tree, "b/c", 20);
  put_pressure (&tree, "a", 60);
  read_tree (&tree);
  g_assert_cmpuint (find (&tree, "/")->waited_us, ==, 30);
  g_assert_cmpuint (find (&tree, "/a")->waited_us, ==, 10);
  g_assert_cmpuint (find (&tree, "/b/c")->waited_us, ==, 20);
  g_assert_cmpuint (find (&tree, "/b/c")->waited_over_us, >, 0);
  id = find (&tree, "/a")->id;
  remove_group (&tree, "a");
  make (&tree, "filler");
  make_group (&tree, "a", "1\n");
  put_pressure (&tree, "a", 70);
  read_tree (&tree);
  if (find (&tree, "/a")->id != id)
    g_assert_cmpuint (find (&tree, "/a")->waited_us, ==, 0);
  tree_clear (&tree);
}

static void
test_limit (void)
{
  FpControlLimit limit;
  Tree tree;

  tree_init (&tree);
  make_group (&tree, "a", "900\n");
  put (&tree, "a", "memory.max", "1000\n");
  make_group (&tree, "a/b", "100\n");
  put (&tree, "a/b", "memory.high", "200\n");
  make_group (&tree, "a/b/c", "100\n");
  make_group (&tree, "d", "5\n");
  read_tree (&tree);
  g_assert_true (fp_control_groups_get_limit (tree.groups, (guint)(find (&tree, "/a/b/c") - tree.groups->groups), &limit));
  g_assert_true (&tree.groups->groups[limit.place] == find (&tree, "/a"));
  g_assert_cmpint (limit.field, ==, FP_CONTROL_MAX);
  g_assert_cmpuint (limit.limit, ==, 1000);
  g_assert_cmpuint (limit.used, ==, 900);
  g_assert_false (fp_control_groups_get_limit (tree.groups, (guint)(find (&tree, "/d") - tree.groups->groups), &limit));
  put (&tree, "d", "memory.max", "0\n");
  read_tree (&tree);
  g_assert_true (fp_control_groups_get_limit (tree.groups, (guint)(find (&tree, "/d") - tree.groups->groups), &limit));
  g_assert_cmpuint (limit.limit, ==, 0);
  tree_clear (&tree);
}

/* With more groups than the time allows to read, those come first that changed or in which something happened; the others
 * come in turn. */
static void
test_rotation (void)
{
  struct rlimit limit;
  guint64 n_reads;
  Tree tree;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &(struct rlimit){ 256, limit.rlim_max }), ==, 0);
  tree_init (&tree);
  put (&tree, ".", "cgroup.stat", "nr_descendants 300\n");
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.scope", i);

      make_group (&tree, name, "1\n");
    }
  read_tree (&tree);
  read_tree (&tree);
  g_assert_cmpuint (fp_control_group_reader_get_n_reads (tree.reader), >=, 301);
  for (guint i = 0; i < 20; i++)
    read_tree (&tree);
  n_reads = fp_control_group_reader_get_n_reads (tree.reader);
  put (&tree, "123.scope", "memory.events", "low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n");
  put (&tree, "200.scope", "memory.current", "2\n");
  put (&tree, "200.scope", "memory.stat", "anon 5\n");
  put (&tree, "201.scope", "memory.stat", "anon 5\n");
  read_tree (&tree);
  g_assert_cmpuint (find (&tree, "/200.scope")->figures[FP_CONTROL_MEMORY], ==, 2);
  g_assert_cmpuint (find (&tree, "/123.scope")->figures[FP_CONTROL_OOM_KILLS], ==, 1);
  g_assert_cmpuint (fp_control_group_reader_get_n_reads (tree.reader) - n_reads, <=, 40);
  for (guint i = 0; i < 300 && find (&tree, "/201.scope")->figures[FP_CONTROL_ANON] != 5; i++)
    read_tree (&tree);
  g_assert_cmpuint (find (&tree, "/200.scope")->figures[FP_CONTROL_ANON], ==, 5);
  g_assert_cmpuint (find (&tree, "/201.scope")->figures[FP_CONTROL_ANON], ==, 5);
  tree_clear (&tree);
}

static void
test_copied (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_auto (Fixture) fixture = { 0 };

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  g_assert_null (fp_control_group_reader_new (&proc, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

/* Wherever this machine has its groups, this process is in one of them. */
static void
test_machine (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpControlGroupReader) reader = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  reader = fp_control_group_reader_new (&proc, &error);
  if (!reader)
    {
      g_test_skip (error->message);
      return;
    }
  groups = fp_control_group_reader_read (reader);
  g_assert_cmpuint (groups->n, >, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-groups/figures", test_figures);
  g_test_add_func ("/control-groups/pressure", test_pressure);
  g_test_add_func ("/control-groups/events", test_events);
  g_test_add_func ("/control-groups/names", test_names);
  g_test_add_func ("/control-groups/names-below", test_names_below);
  g_test_add_func ("/control-groups/wait", test_wait);
  g_test_add_func ("/control-groups/mounts", test_mounts);
  g_test_add_func ("/control-groups/tree", test_tree);
  g_test_add_func ("/control-groups/controllers", test_controllers);
  g_test_add_func ("/control-groups/odd-names", test_odd_names);
  g_test_add_func ("/control-groups/replaced", test_replaced);
  g_test_add_func ("/control-groups/many", test_many);
  g_test_add_func ("/control-groups/quota", test_quota);
  g_test_add_func ("/control-groups/containers", test_containers);
  g_test_add_func ("/control-groups/deep", test_deep);
  g_test_add_func ("/control-groups/gone", test_gone);
  g_test_add_func ("/control-groups/forced", test_forced);
  g_test_add_func ("/control-groups/namespace", test_namespace);
  g_test_add_func ("/control-groups/closed", test_closed);
  g_test_add_func ("/control-groups/waited", test_waited);
  g_test_add_func ("/control-groups/limit", test_limit);
  g_test_add_func ("/control-groups/rotation", test_rotation);
  g_test_add_func ("/control-groups/copied", test_copied);
  g_test_add_func ("/control-groups/machine", test_machine);
  return g_test_run ();
}
