// SPDX-License-Identifier: GPL-3.0-or-later
/* The heap in the details of a process: looked into when its user asks, and said in the words of the terminal. */
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ui-program.h"

#define BUTTON   "Look Into the Heap"
#define SENTENCE "Of 48*of heap*in use.*"

/* The window, and a program half of whose heap is free */
typedef struct
{
  Ui ui;
  GPid child;
} Card;

static void
end_with_test (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* It has written its line once its heap is as it stays. */
static GPid
start_holder (const char *variable)
{
  char *argv[] = { (char *)g_getenv (variable), (char *)"half", NULL }, sign;
  g_autoptr (GError) error = NULL;
  GPid pid;
  int out;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, end_with_test, NULL, &pid, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  do
    g_assert_cmpint (read (out, &sign, 1), ==, 1);
  while (sign != '\n');
  close (out);
  return pid;
}

static void
choose (Card *self,
        GPid pid)
{
  g_autofree char *subtitle = g_strdup_printf ("Process %d of *", pid);

  ui_await (program_find_pid (&self->ui, pid));
  ui_click (program_find_pid (&self->ui, pid));
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, subtitle);
}

/* other: (optional) */
static void
card_start (Card *self,
            GPid other,
            const char *variable,
            int width)
{
  g_autofree char *filter = NULL;

  self->child = start_holder ("FOOTPRINT_MALLOC_HOLDER");
  filter = g_strdup_printf ("pid=%d or pid=%d", self->child, other);
  ui_start (&self->ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", "--filter", filter, NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=memory", variable, NULL });
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) > 0);
  ui_resize (&self->ui, width, 980);
}

static void
card_stop (Card *self)
{
  ui_stop (&self->ui);
  ui_clear (&self->ui);
  child_stop (self->child);
}

static char *
run_cli (GPid pid)
{
  g_autofree char *number = g_strdup_printf ("%d", pid), *table = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--pid", number, "--malloc", NULL };
  g_autoptr (GError) error = NULL;

  g_spawn_sync (NULL, (char **)argv, NULL, 0, NULL, NULL, &table, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&table);
}

/* FALSE: skipped */
static gboolean
is_known (Card *self)
{
  g_autofree char *table = run_cli (self->child);

  if (*table)
    return TRUE;
  g_test_skip ("This machine's glibc is not one whose heap is known");
  return FALSE;
}

static char *
get_sentence (Card *self)
{
  g_autoptr (GString) text = g_string_new (ui_name (ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, SENTENCE)));

  g_string_replace (text, "\u00a0", " ", 0);
  return g_strdup (text->str);
}

static void
look (Card *self)
{
  ui_act (ui_wait_for (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, BUTTON));
}

/* FALSE: its heap changed meanwhile, as where the machine swaps. */
static gboolean
compare_words (Card *self)
{
  g_autofree char *before = run_cli (self->child), *sentence = NULL, *after = NULL;

  look (self);
  sentence = get_sentence (self);
  after = run_cli (self->child);
  if (!g_str_equal (before, after))
    return FALSE;
  *strchrnul (after, '\n') = '\0';
  g_assert_cmpstr (sentence, ==, after);
  return TRUE;
}

/* Another process has a heap of its own, and one without glibc is told why nothing is said. */
static void
test_words (void)
{
  gboolean has_static = *g_getenv ("FOOTPRINT_STATIC_MALLOC_HOLDER") != '\0';
  GPid other = start_holder (has_static ? "FOOTPRINT_STATIC_MALLOC_HOLDER" : "FOOTPRINT_OWN_MALLOC_HOLDER");
  Card card = { 0 };

  card_start (&card, other, NULL, 1280);
  if (is_known (&card))
    {
      choose (&card, card.child);
      while (!compare_words (&card))
        {
          choose (&card, other);
          ui_wait_until_gone (card.ui.window, ATSPI_ROLE_LABEL, SENTENCE);
          choose (&card, card.child);
        }
      ui_wait_for (card.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Look Again");
      ui_wait_for (card.ui.window, ATSPI_ROLE_LABEL, "*Free?between?blocks*");
      choose (&card, other);
      ui_wait_until_gone (card.ui.window, ATSPI_ROLE_LABEL, SENTENCE);
      look (&card);
      ui_wait_for (card.ui.window, ATSPI_ROLE_LABEL, "Only the heap of glibc can be looked into*");
      g_assert_false (program_is_shown (card.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Look Into the Heap"));
      program_save_picture (&card.ui, "malloc-refused.png");
    }
  card_stop (&card);
  child_stop (other);
}

static void
save_picture (const char *variable,
              int width,
              const char *file)
{
  Card card = { 0 };

  card_start (&card, 1, variable, width);
  if (is_known (&card))
    {
      choose (&card, card.child);
      look (&card);
      ui_wait_for (card.ui.window, ATSPI_ROLE_LABEL, SENTENCE);
      ui_scroll (ui_find (card.ui.window, ATSPI_ROLE_SLIDER, "History"), 10);
      ui_await (program_is_shown (card.ui.window, ATSPI_ROLE_LABEL, "Sizes of Blocks"));
      ui_click (ui_find (card.ui.window, ATSPI_ROLE_LABEL, "Sizes of Blocks"));
      ui_wait_for (card.ui.window, ATSPI_ROLE_LABEL, "Up to 16*KiB");
      ui_scroll (ui_find (card.ui.window, ATSPI_ROLE_LABEL, SENTENCE), 20);
      program_save_picture (&card.ui, file);
    }
  card_stop (&card);
}

static void
test_light (void)
{
  save_picture (NULL, 1280, "malloc.png");
}

/* Columns give way at a middle width, and only then the window can become narrower. */
static void
test_narrow (void)
{
  Card card = { 0 };

  card_start (&card, 1, NULL, 1280);
  if (is_known (&card))
    {
      choose (&card, card.child);
      look (&card);
      ui_wait_for (card.ui.window, ATSPI_ROLE_LABEL, SENTENCE);
      ui_resize (&card.ui, 580, 980);
      ui_await (ui_get_content (&card.ui).width <= 580);
      ui_resize (&card.ui, 360, 980);
      ui_await (ui_get_content (&card.ui).width <= 360);
      ui_click (ui_table_find_row (program_get_table (&card.ui), "Name", "footprint-test-malloc-holder"));
      ui_key ("alt+Return");
      ui_await (program_is_shown (card.ui.window, ATSPI_ROLE_SLIDER, "History"));
      ui_scroll (ui_find (card.ui.window, ATSPI_ROLE_SLIDER, "History"), 20);
      program_save_picture (&card.ui, "malloc-narrow.png");
    }
  card_stop (&card);
}

static void
test_dark (void)
{
  save_picture ("ADW_DEBUG_COLOR_SCHEME=prefer-dark", 1280, "malloc-dark.png");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/malloc-card/words", test_words);
  g_test_add_func ("/malloc-card/light", test_light);
  g_test_add_func ("/malloc-card/dark", test_dark);
  g_test_add_func ("/malloc-card/narrow", test_narrow);
  return g_test_run ();
}
