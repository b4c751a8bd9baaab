// SPDX-License-Identifier: GPL-3.0-or-later
/* The program's window over files that processes map, none of which exist. The only argument says how they are: "whole",
 * "denied" (some processes can't be read), "current" (no file is outdated), or "none" (they can't be read). Each reading
 * finds 10 MiB more of the heap. While the file SAMPLE_GO is missing, a reading goes on;
 * with SAMPLE_PART it has given the first files of four processes. With SAMPLE_PICTURE it saves a picture of the files there
 * and ends. */
#include <adwaita.h>
#include <glib-unix.h>

#include "fixture-snapshot.h"
#include "fp-file-copies.h"
#include "fp-mapping-scanner.h"
#include "fp-source.h"
#include "fp-window.h"

#define MIB G_GUINT64_CONSTANT (1048576)

G_DECLARE_FINAL_TYPE (SampleSource, sample_source, SAMPLE, SOURCE, GObject)

struct _SampleSource
{
  GObject parent;

  const char *mode;
  guint n_reads; /* of files */
};

static void sample_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SampleSource,
                               sample_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, sample_source_iface_init))

static const struct
{
  gint pid;
  guint32 uid;
  const char *program, *user, *unit;
} processes[] = {
  { 1, 0, "systemd", "root", "init.scope" },
  { 412, 0, "sshd", "root", "ssh.service" },
  { 901, 106, "postgres", "postgres", "postgresql.service" },
  { 2310, 1000, "firefox-esr", "anna", "app-firefox.scope" },
  { 2311, 1000, "Web Content", "anna", "app-firefox.scope" },
  { 4711, 1000, "gnome-builder", "anna", "app-builder.scope" },
};

/* holders: bits of processes; figures in MiB */
/* clang-format off */
static const struct
{
  const char *name;
  FpMappingKind kind;
  FpFileState state;
  gboolean is_updated;
  guint holders, pss, uss, rss, swap, dirty, size;
} samples[] = {
  { "", FP_MAPPING_HEAP, FP_FILE_UNKNOWN, FALSE, 0x3f, 610, 600, 620, 90, 600, 700 },
  { "/usr/lib/x86_64-linux-gnu/libc.so.6", FP_MAPPING_CODE, FP_FILE_PRESENT, FALSE, 0x3f, 9, 2, 11, 0, 2, 12 },
  { "/usr/lib/x86_64-linux-gnu/libcrypto.so.3", FP_MAPPING_CODE, FP_FILE_DELETED, TRUE, 0x2a, 22, 14, 24, 1, 4, 30 },
  { "/usr/lib/firefox-esr/libxul.so", FP_MAPPING_CODE, FP_FILE_PRESENT, FALSE, 0x18, 140, 60, 220, 12, 40, 180 },
  { "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", FP_MAPPING_FILE, FP_FILE_PRESENT, FALSE, 0x38, 3, 0, 9, 0, 0, 9 },
  { "/memfd:wayland-shm", FP_MAPPING_SHARED_MEMORY, FP_FILE_UNKNOWN, FALSE, 0x28, 64, 0, 128, 0, 0, 128 },
  { "/var/lib/postgresql/plugins/old.so", FP_MAPPING_CODE, FP_FILE_DELETED, FALSE, 0x04, 5, 5, 5, 0, 1, 6 },
};
/* clang-format on */

static const char build_id[] = "0123"; /* of all that are outdated */

static void
set_figure (FpMappedFile *file,
            FpField field,
            guint64 mib)
{
  guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

  file->figures[__builtin_popcountll (fields & ((G_GUINT64_CONSTANT (1) << field) - 1))] = mib * MIB;
  file->present |= G_GUINT64_CONSTANT (1) << field;
}

/* The first holder has what the others can't have in equal parts of a MiB. */
static guint32
get_part (guint mib,
          guint n_holders,
          guint place)
{
  return (guint32)((mib / n_holders + (place == 0 ? mib % n_holders : 0)) * (MIB / 1024));
}

static void
divide (FpMappedHolder *holder,
        guint i,
        guint n,
        guint place,
        guint more)
{
  holder->kib[0] = get_part (samples[i].pss + more, n, place);
  holder->kib[1] = get_part (samples[i].rss + more, n, place);
  holder->kib[2] = get_part (samples[i].uss - samples[i].dirty, n, place);
  holder->kib[3] = get_part (samples[i].dirty + more, n, place);
  holder->kib[4] = get_part (samples[i].swap, n, place);
}

/* readable: a bit for each process that can be read, which alone are holders */
static void
add_file (FpMappedFiles *files,
          guint i,
          guint readable,
          GArray *holders,
          guint more)
{
  const guint holding = samples[i].holders & readable;
  FpMappedFile file = {
    .name = samples[i].name,
    .shown = samples[i].name,
    .kind = samples[i].kind,
    .state = samples[i].state,
    .is_updated = samples[i].is_updated,
    .key = { i + 1, 1 },
    .first_holder = holders->len,
    .n_mappings = 1,
  };

  if (*file.name == '/' && file.kind != FP_MAPPING_SHARED_MEMORY)
    file.id = (FpFileId){ .device_major = 8, .inode = i + 1 };
  for (guint j = 0; j < G_N_ELEMENTS (processes); j++)
    if (holding >> j & 1)
      {
        FpMappedHolder holder = { .process = j, .is_deleted = file.state == FP_FILE_DELETED, .is_updated = file.is_updated };

        divide (&holder, i, (guint)__builtin_popcount (holding), file.n_holders++, more);
        g_array_append_val (holders, holder);
      }
  set_figure (&file, FP_FIELD_PSS, samples[i].pss + more);
  set_figure (&file, FP_FIELD_PRIVATE_DIRTY, samples[i].dirty + more);
  set_figure (&file, FP_FIELD_PRIVATE_CLEAN, samples[i].uss - samples[i].dirty);
  set_figure (&file, FP_FIELD_RSS, samples[i].rss + more);
  set_figure (&file, FP_FIELD_SWAP_PSS, samples[i].swap);
  set_figure (&file, FP_FIELD_SIZE, samples[i].size + more);
  file.build_id = file.state == FP_FILE_DELETED ? build_id : NULL;
  file.unchanged = (samples[i].pss - samples[i].dirty) * MIB;
  g_array_append_val (files->files, file);
}

static FpMappedFiles *
make_files (SampleSource *self,
            guint n_tried)
{
  FpMappedFiles *files = fp_mapped_files_new (G_N_ELEMENTS (processes), NULL);
  GArray *holders = g_array_new (FALSE, FALSE, sizeof (FpMappedHolder));
  guint readable;

  for (guint i = 0; i < files->n_processes; i++)
    {
      files->processes[i] = (FpMappedProcess){ { processes[i].pid, 100 }, processes[i].uid, 0 };
      files->owners[i] = i;
    }
  files->n_unread = g_str_equal (self->mode, "denied") ? 2 : 0;
  files->n_read = files->n_processes - files->n_unread;
  readable = (1u << files->n_read) - 1;
  files->n_tried = n_tried;
  for (guint i = 0; i < (n_tried < files->n_processes ? 3 : G_N_ELEMENTS (samples)); i++)
    if (samples[i].holders & readable && (samples[i].state != FP_FILE_DELETED || !g_str_equal (self->mode, "current")))
      add_file (files, i, readable, holders, i == 0 ? 10 * self->n_reads : 0);
  files->n_holders = holders->len;
  files->holders = (FpMappedHolder *)(void *)g_array_free (holders, FALSE);
  fp_mapped_files_index (files);
  fp_mapped_files_count_users (files);
  fp_file_copies_find (files);
  self->n_reads++;
  return files;
}

static FpSnapshot *
make_snapshot (void)
{
  FixtureSnapshot fixture;
  FpSnapshot *snapshot;

  fixture_snapshot_init (&fixture, G_N_ELEMENTS (processes));
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MEM_TOTAL, 16384 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MEM_AVAILABLE, 9000 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_SWAP_TOTAL, 4096 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_SWAP_FREE, 3900 * MIB);
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      FpProcess *process = fixture_snapshot_add (&fixture, processes[i].pid, processes[i].program);

      process->uid = processes[i].uid;
      process->start_ticks = 100;
      fixture_snapshot_set_text (&fixture, process, FP_TEXT_USER, processes[i].user);
      fixture_snapshot_set_text (&fixture, process, FP_TEXT_UNIT, processes[i].unit);
      fixture_set_figures (process, (i + 1) * 100 * MIB, (i + 1) * 120 * MIB, i * MIB);
    }
  fixture.snapshot->strings = fp_string_block_ref (fixture.strings.block);
  snapshot = fp_snapshot_ref (fixture.snapshot);
  fixture_snapshot_clear (&fixture);
  return snapshot;
}

typedef struct
{
  GTask *task;
  FpSourceRequest *request;
  gboolean has_part;
} Reading;

static gboolean
go_on_cb (gpointer data)
{
  Reading *self = data;
  SampleSource *source = g_task_get_source_object (self->task);
  const char *go = g_getenv ("SAMPLE_GO");
  gboolean is_cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (self->task));

  if (!is_cancelled && go && !g_file_test (go, G_FILE_TEST_EXISTS))
    {
      self->request->progress (412, 1003, self->request->progress_data);
      if (g_getenv ("SAMPLE_PART") && !self->has_part)
        self->request->part (make_files (source, 4), self->request->progress_data);
      self->has_part = TRUE;
      return G_SOURCE_CONTINUE;
    }
  if (g_str_equal (source->mode, "none"))
    g_task_return_new_error (self->task, G_IO_ERROR, G_IO_ERROR_FAILED, "There are no files here");
  else
    fp_source_answer (self->task, make_files (source, G_N_ELEMENTS (processes)), NULL);
  g_object_unref (self->task);
  fp_source_request_free (self->request);
  g_free (self);
  return G_SOURCE_REMOVE;
}

static FpMappings *
make_mappings (void)
{
  static const char text[] =
      "7f0000000000-7f0000100000 r-xp 00000000 08:00 2                          /usr/lib/x86_64-linux-gnu/libc.so.6\n"
      "Size: 1024 kB\nRss: 1024 kB\nPss: 512 kB\n"
      "7f0000200000-7f0000300000 rw-p 00000000 00:00 0                          [heap]\n"
      "Size: 1024 kB\nRss: 1024 kB\nPss: 1024 kB\n";
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();

  fp_mapping_scanner_feed (scanner, text, sizeof text - 1);
  return fp_mapping_scanner_finish (scanner);
}

static void
sample_source_answer (FpSource *source,
                      const FpSourceRequest *request,
                      GTask *task)
{
  if (request->kind == FP_REQUEST_COLLECT)
    fp_source_answer (task, make_snapshot (), NULL);
  else if (request->kind == FP_REQUEST_MAPPINGS)
    fp_source_answer (task, make_mappings (), NULL);
  else if (request->kind == FP_REQUEST_MAPPED_FILES)
    {
      Reading *reading = g_new0 (Reading, 1);

      *reading = (Reading){ g_object_ref (task), fp_source_request_copy (request), FALSE };
      g_timeout_add (10, go_on_cb, reading);
    }
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "There is no such thing here");
}

static void
sample_source_get_status (FpSource *source,
                          FpSourceStatus *status)
{
  status->can_unlock = g_str_equal (SAMPLE_SOURCE (source)->mode, "denied");
}

static void
sample_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT) | FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES) | FP_REQUEST_BIT (FP_REQUEST_MAPPINGS);
  iface->answer = sample_source_answer;
  iface->get_status = sample_source_get_status;
}

static void
sample_source_class_init (SampleSourceClass *class)
{
}

static void
sample_source_init (SampleSource *self)
{
}

static void
activate_cb (GtkApplication *application,
             const char *mode)
{
  g_autoptr (GSettings) settings = g_settings_new ("io.github.footprint_app.Footprint");
  g_autoptr (SampleSource) source = g_object_new (sample_source_get_type (), NULL);
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();
  static gboolean has_failed;
  FpWindow *window;

  source->mode = mode;
  gtk_css_provider_load_from_resource (style, "/io/github/footprint_app/Footprint/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  if (g_getenv ("SAMPLE_DARK"))
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  gtk_application_set_accels_for_action (application, "win.search", (const char *[]){ "<Control>f", NULL });
  gtk_application_set_accels_for_action (application, "win.refresh", (const char *[]){ "F5", NULL });
  gtk_application_set_accels_for_action (application, "win.view::files", (const char *[]){ "<Alt>5", NULL });
  window = fp_window_new (application, settings, FP_SOURCE (source));
  fp_window_show_view (window, g_getenv ("SAMPLE_PICTURE") ? "files" : "processes");
  if (g_getenv ("SAMPLE_PICTURE"))
    fp_window_take_picture (window, g_getenv ("SAMPLE_PICTURE"), &has_failed);
  gtk_window_present (GTK_WINDOW (window));
}

/* So that what leads to the help looks as it does in the program. */
static void
help_cb (GSimpleAction *action,
         GVariant *page,
         gpointer application)
{
}

static gboolean
terminate_cb (gpointer application)
{
  gtk_window_close (gtk_application_get_active_window (application));
  return G_SOURCE_CONTINUE;
}

int
main (int argc,
      char **argv)
{
  const GActionEntry help = { "help", help_cb, "s", NULL, NULL, { 0 } };
  g_autoptr (AdwApplication) application =
      adw_application_new ("io.github.footprint_app.SampleFiles", G_APPLICATION_NON_UNIQUE);

  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), argc > 1 ? argv[1] : (gpointer) "whole");
  g_action_map_add_action_entries (G_ACTION_MAP (application), &help, 1, application);
  g_unix_signal_add (SIGTERM, terminate_cb, application);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
