// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atspi/atspi.h>

G_BEGIN_DECLS

/* A window's test from outside: AT-SPI says what the program shows, XTest is its user's hand.
 * Whoever cannot find what it needs waits for it, then fails the test with the program's tree and a picture.
 * Nodes, and texts that are “const”, live as long as the test: nobody unrefs them. All else is the caller's. */
typedef AtspiAccessible UiNode;
typedef gboolean (*UiPredicate) (gpointer data);

/* Bytes that the program reads of files: each time that its main loop is woken; in some seconds at most if it reads nothing of
 * /proc; and at least if it refreshes. */
#define UI_WAKEUP  8
#define UI_LITTLE  256
#define UI_REFRESH (16 * 1024)

/* The program under test */
typedef struct
{
  GPid pid;
  int status;
  char *log;
  UiNode *application;
  UiNode *window;
} Ui;

/* On the screen, in its pixels */
typedef struct
{
  int x, y, width, height;
} UiBox;

void ui_start (Ui *self, const char *const *argv, const char *const *environment);
void ui_stop (Ui *self);
int ui_finish (Ui *self, int signal);
void ui_clear (Ui *self);
gboolean ui_is_running (Ui *self);
guint64 ui_count_read (Ui *self);
char *ui_get_log (Ui *self);
char *ui_get_complaints (Ui *self);

/* Wait until an expression is true; it is evaluated again and again. */
#define ui_await(expression)                      \
  G_STMT_START                                    \
  {                                               \
    gint64 ui_end = ui_patience ();               \
    while (!(expression))                         \
      ui_breathe (ui_end, G_STRLOC, #expression); \
  }                                               \
  G_STMT_END
void ui_wait_until (const char *what, UiPredicate predicate, gpointer data);
gboolean ui_wait_for_ms (guint ms, UiPredicate predicate, gpointer data);
void ui_pause (guint ms);
gint64 ui_patience (void);
void ui_breathe (gint64 end, const char *place, const char *what);
void ui_fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

/* Nodes. A name is a glob, NULL any. A search does not go into the rows of a table, unless it starts there. */
UiNode *ui_find (UiNode *root, AtspiRole role, const char *name);
UiNode *ui_find_nth (UiNode *root, AtspiRole role, const char *name, guint n);
GPtrArray *ui_find_all (UiNode *root, AtspiRole role, const char *name);
UiNode *ui_find_focus (UiNode *root);
UiNode *ui_wait_for (UiNode *root, AtspiRole role, const char *name);
void ui_wait_until_gone (UiNode *root, AtspiRole role, const char *name);
UiNode *ui_get_child (UiNode *node, int index);
UiNode *ui_get_parent (UiNode *node);
char *ui_dump (UiNode *root);
char *ui_get_texts (UiNode *root);

AtspiRole ui_role (UiNode *node);
const char *ui_name (UiNode *node);
const char *ui_description (UiNode *node);
const char *ui_text (UiNode *node);
gboolean ui_is_marked (UiNode *node);
double ui_value (UiNode *node);
gboolean ui_has_state (UiNode *node, AtspiStateType state);
UiNode *ui_get_relation (UiNode *node, AtspiRelationType relation);
UiBox ui_get_box (UiNode *node);
/* The window without its frame, which GTK 4.18 counts where there is no compositor and GTK 4.8 does not */
UiBox ui_get_content (Ui *self);
gboolean ui_is_on_screen (UiNode *node);

void ui_act (UiNode *node);
void ui_set_text (UiNode *node, const char *text);
void ui_set_value (UiNode *node, double value);

/* A column view (role tree table): its rows are those on the screen, counted from the top, its columns go by title. */
UiNode *ui_table_wait_for (UiNode *window, const char *name);
GStrv ui_table_titles (UiNode *table);
UiNode *ui_table_title (UiNode *table, const char *title);
GPtrArray *ui_table_rows (UiNode *table);
char *ui_table_to_text (UiNode *table);
GPtrArray *ui_table_get_rows (UiNode *table, guint limit);
guint ui_table_n_rows (UiNode *table);
UiNode *ui_table_row (UiNode *table, guint n);
UiNode *ui_table_find_row (UiNode *table, const char *title, const char *text);
UiNode *ui_table_cell (UiNode *table, UiNode *row, const char *title);
const char *ui_table_text (UiNode *table, UiNode *row, const char *title);
guint ui_table_n_selected (UiNode *table);
void ui_table_select (UiNode *table, guint n, gboolean as_well);

/* The hand: in the middle of a node, or anywhere. Keys are X names: "ctrl+f", "Down", "shift+Page_Down". */
void ui_point_at (UiNode *node);
void ui_click (UiNode *node);
void ui_click_with (UiNode *node, guint button, const char *modifiers);
gboolean ui_click_now (UiNode *node);
void ui_double_click (UiNode *node);
void ui_scroll (UiNode *node, int n_steps);
void ui_scroll_on (int n_steps);
void ui_move_to (int x, int y);
void ui_drag (int from_x, int from_y, int to_x, int to_y);
void ui_drag_to (int from_x, int from_y, int to_x, int to_y);
void ui_drag_on (int x, int y);
void ui_drop (void);
void ui_key (const char *keys);
void ui_type (const char *text);

/* The window manager, of which there is none */
void ui_resize (Ui *self, int width, int height);
void ui_minimize (Ui *self, gboolean minimized);
void ui_tile (Ui *self, gboolean is_tiled);
void ui_close (UiNode *window);
void ui_dismiss (UiNode *window, const char *keys);

/* A node or, with NULL, the whole screen, as soon as it holds still */
void ui_screenshot (UiNode *node, const char *file);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ui, ui_clear)

G_END_DECLS
