// SPDX-License-Identifier: GPL-3.0-or-later
#include <X11/Xatom.h>
#include <X11/XKBlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <cairo.h>
#include <string.h>

#include "ui-driver-private.h"
#include "ui-tree.h"

/* A click that follows the pointer at once can meet nothing; one that follows another makes a double click. */
#define FRAME_MS        20
#define SETTLE_MS       100
#define AGAIN_US        (2 * G_USEC_PER_SEC)
#define DOUBLE_CLICK_MS 500
#define N_DRAG_STEPS    10
#define N_PICTURES      50
#define MAX_MODIFIERS   4

/* Windows come and go while they are asked. */
static int
ignore_error_cb (Display *display,
                 XErrorEvent *event)
{
  return 0;
}

/* Whoever asks is about to do something. */
Display *
ui_display (void)
{
  static Display *display;
  int numbers[4];

  ui_tree_forget ();
  if (display)
    return display;
  display = XOpenDisplay (NULL);
  if (!display || !XTestQueryExtension (display, &numbers[0], &numbers[1], &numbers[2], &numbers[3]))
    g_error ("No X display with XTEST: start this through tests/ui/with-session.");
  XSetErrorHandler (ignore_error_cb);
  return display;
}

static gulong *
get_property (Window window,
              const char *name,
              gulong *n)
{
  Display *display = ui_display ();
  guchar *data = NULL;
  Atom type;
  int format;
  gulong rest;

  *n = 0;
  if (XGetWindowProperty (display, window, XInternAtom (display, name, False), 0, 1024, False, AnyPropertyType,
                          &type, &format, n, &rest, &data) != Success)
    return NULL;
  return (gulong *)(gpointer)data;
}

/* A Flatpak is on the bus by a proxy, which Flatpak starts beside it; its window does not say whose it is. */
gboolean
ui_is_proxy (guint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/comm", pid);
  g_autofree char *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) && g_str_equal (g_strchomp (name), "xdg-dbus-proxy");
}

static gboolean
is_sandboxed (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/root/.flatpak-info", pid);

  return g_file_test (path, G_FILE_TEST_EXISTS) || ui_is_proxy ((guint)pid);
}

static gboolean
belongs_to (Window window,
            GPid pid)
{
  gulong n, *data = get_property (window, "_NET_WM_PID", &n);
  gboolean result = data ? n == 1 && *data == (gulong)pid : is_sandboxed (pid);

  g_clear_pointer (&data, XFree);
  return result;
}

static gboolean
has_title (Window window,
           const char *title)
{
  gulong n, *data = get_property (window, "_NET_WM_NAME", &n);
  gboolean result = data && g_str_equal ((const char *)data, title);

  g_clear_pointer (&data, XFree);
  return result;
}

/* The likelihood that a window of X is the one of a node; 0: it is not. A popover has no title, but its exact size. */
static guint
compare_window (Window window,
                UiBox size,
                const char *title, /* NULL: of a popover */
                GPid pid)
{
  XWindowAttributes attributes;
  gboolean is_size;

  if (!XGetWindowAttributes (ui_display (), window, &attributes) || attributes.map_state != IsViewable ||
      (attributes.override_redirect != 0) != !title)
    return 0;
  is_size = attributes.width == size.width && attributes.height == size.height;
  if (!title)
    return is_size;
  if (!belongs_to (window, pid))
    return 0;
  return has_title (window, title) ? 3 : is_size ? 2
                                                 : 1;
}

/* The uppermost of those that are equally likely */
static Window
find_x_window (UiNode *surface,
               gboolean is_popup)
{
  Display *display = ui_display ();
  UiBox size = ui_get_extents (surface);
  const char *title = is_popup ? NULL : ui_name (surface);
  GPid pid = is_popup ? 0 : (GPid)atspi_accessible_get_process_id (surface, NULL);
  Window root, parent, *children = NULL, result = None;
  guint n = 0, best = 1;

  XQueryTree (display, DefaultRootWindow (display), &root, &parent, &children, &n);
  for (guint i = 0; i < n; i++)
    {
      guint likeness = compare_window (children[i], size, title, pid);

      if (likeness >= best)
        {
          best = likeness;
          result = children[i];
        }
    }
  g_clear_pointer (&children, XFree);
  return result;
}

gboolean
ui_is_mapped (UiNode *window)
{
  return find_x_window (window, FALSE) != None;
}

static Window
get_x_window (UiNode *surface,
              gboolean is_popup)
{
  Window result = find_x_window (surface, is_popup);

  if (result == None)
    ui_fail ("“%s” is on no screen", ui_name (surface));
  return result;
}

/* GTK 4.18 begins its window at the frame, but places what is in it from the frame's other side on. */
static UiBox
leave_frame (UiBox box)
{
  box.width += 2 * MIN (box.x, 0);
  box.height += 2 * MIN (box.y, 0);
  return box;
}

/* AT-SPI places a popover where it is not, and leaves out the frame that GTK draws round a window
 * where nothing composes: only what it says of one place relative to another is true. */
UiBox
ui_get_box (UiNode *node)
{
  Display *display = ui_display ();
  gboolean is_popup;
  UiNode *surface = ui_get_surface (node, &is_popup);
  UiBox box = ui_get_extents (node), content = ui_get_extents (surface);
  Window x_window = get_x_window (surface, is_popup), child;
  XWindowAttributes attributes = { 0 };
  int x, y;

  if (!is_popup)
    content = leave_frame (content);
  if (node == surface)
    box = content;
  XGetWindowAttributes (display, x_window, &attributes);
  XTranslateCoordinates (display, x_window, DefaultRootWindow (display), 0, 0, &x, &y, &child);
  box.x += x - content.x + (attributes.width - content.width) / 2;
  box.y += y - content.y + (attributes.height - content.height) / 2;
  return box;
}

void
ui_move_to (int x,
            int y)
{
  Display *display = ui_display ();

  /* A pointer that is there already would make no event, and GTK makes one of two that come at once. */
  XTestFakeMotionEvent (display, -1, x > 0 ? x - 1 : x + 1, y, CurrentTime);
  XSync (display, False);
  ui_pause (FRAME_MS);
  XTestFakeMotionEvent (display, -1, x, y, CurrentTime);
  XSync (display, False);
  ui_pause (SETTLE_MS);
}

static UiBox
await_box (UiNode *node,
           gint64 end)
{
  g_autofree char *what = g_strdup_printf ("“%s” to be on the screen", ui_name (node));

  while (!ui_is_on_screen (node))
    ui_breathe (end, G_STRFUNC, what);
  return ui_get_box (node);
}

/* A bar that appears above it moves it: the pointer follows until it stands still. */
void
ui_point_at (UiNode *node)
{
  gint64 end = ui_patience ();
  UiBox aim, box = await_box (node, end);

  do
    {
      if (g_get_monotonic_time () >= end)
        ui_fail ("“%s” does not stand still", ui_name (node));
      aim = box;
      ui_move_to (aim.x + aim.width / 2, aim.y + aim.height / 2);
      box = await_box (node, end);
    }
  while (memcmp (&aim, &box, sizeof box) != 0);
}

static void
press_button (guint button)
{
  Display *display = ui_display ();

  XTestFakeButtonEvent (display, button, True, CurrentTime);
  XTestFakeButtonEvent (display, button, False, CurrentTime);
  XSync (display, False);
}

static KeySym
get_modifier (const char *name)
{
  static const struct
  {
    const char *name;
    KeySym symbol;
  } modifiers[] = { { "ctrl", XK_Control_L }, { "shift", XK_Shift_L }, { "alt", XK_Alt_L }, { "super", XK_Super_L } };

  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++)
    if (g_str_equal (name, modifiers[i].name))
      return modifiers[i].symbol;
  ui_fail ("No modifier “%s”", name);
}

static void
send_key (KeySym symbol,
          gboolean is_press)
{
  Display *display = ui_display ();
  KeyCode code = XKeysymToKeycode (display, symbol);

  if (!code)
    ui_fail ("The keyboard has no key %s", XKeysymToString (symbol));
  XTestFakeKeyEvent (display, code, is_press, CurrentTime);
  XSync (display, False);
}

static void
hold (const char *const *modifiers,
      gboolean is_press)
{
  for (; modifiers && *modifiers; modifiers++)
    send_key (get_modifier (*modifiers), is_press);
}

static void
tap (KeySym symbol)
{
  Display *display = ui_display ();
  gboolean is_shifted = XkbKeycodeToKeysym (display, XKeysymToKeycode (display, symbol), 0, 0) != symbol;

  if (is_shifted)
    send_key (XK_Shift_L, TRUE);
  send_key (symbol, TRUE);
  send_key (symbol, FALSE);
  if (is_shifted)
    send_key (XK_Shift_L, FALSE);
}

static gboolean
is_in_popup (UiNode *node)
{
  gboolean is_popup;

  ui_get_surface (node, &is_popup);
  return is_popup;
}

/* GTK 4.8 loses about 1 press in 12 behind a popover that has closed under the pointer, but none when the pointer has
 * left the window meanwhile. */
static void
leave_window (void)
{
  Display *display = ui_display ();

  ui_move_to (DisplayWidth (display, DefaultScreen (display)) - 1, DisplayHeight (display, DefaultScreen (display)) - 1);
}

void
ui_click_with (UiNode *node,
               guint button,
               const char *modifiers)
{
  g_auto (GStrv) names = modifiers ? g_strsplit (modifiers, "+", MAX_MODIFIERS) : NULL;
  static gboolean was_in_popup;
  static gint64 last;
  gint64 rest_ms = DOUBLE_CLICK_MS - (g_get_monotonic_time () - last) / 1000;

  if (rest_ms > 0)
    ui_pause ((guint)rest_ms);
  if (was_in_popup)
    leave_window ();
  ui_point_at (node);
  was_in_popup = is_in_popup (node);
  hold ((const char *const *)names, TRUE);
  press_button (button);
  hold ((const char *const *)names, FALSE);
  last = g_get_monotonic_time ();
}

void
ui_click (UiNode *node)
{
  ui_click_with (node, Button1, NULL);
}

/* Returns FALSE where the node is not on the screen, as one that other programs' lines move may be at any time. */
gboolean
ui_click_now (UiNode *node)
{
  UiBox box;

  if (!ui_is_on_screen (node))
    return FALSE;
  box = ui_get_box (node);
  ui_move_to (box.x + box.width / 2, box.y + box.height / 2);
  press_button (Button1);
  return TRUE;
}

void
ui_double_click (UiNode *node)
{
  ui_point_at (node);
  press_button (Button1);
  press_button (Button1);
}

/* The wheel turns where the pointer is. */
void
ui_scroll_on (int n_steps)
{
  for (int i = 0; i < ABS (n_steps); i++)
    press_button (n_steps < 0 ? Button4 : Button5);
}

/* Steps of the wheel; upwards they are negative. */
void
ui_scroll (UiNode *node,
           int n_steps)
{
  ui_point_at (node);
  ui_scroll_on (n_steps);
}

/* Where the button is down already */
void
ui_drag_on (int x,
            int y)
{
  XTestFakeMotionEvent (ui_display (), -1, x, y, CurrentTime);
  XSync (ui_display (), False);
  ui_pause (SETTLE_MS);
}

/* The button stays down until ui_drop (). */
void
ui_drag_to (int from_x,
            int from_y,
            int to_x,
            int to_y)
{
  Display *display = ui_display ();

  ui_move_to (from_x, from_y);
  XTestFakeButtonEvent (display, Button1, True, CurrentTime);
  for (int i = 1; i <= N_DRAG_STEPS; i++)
    {
      XTestFakeMotionEvent (display, -1, from_x + (to_x - from_x) * i / N_DRAG_STEPS,
                            from_y + (to_y - from_y) * i / N_DRAG_STEPS, CurrentTime);
      XSync (display, False);
      ui_pause (SETTLE_MS / N_DRAG_STEPS);
    }
  ui_pause (SETTLE_MS);
}

void
ui_drop (void)
{
  Display *display = ui_display ();

  XTestFakeButtonEvent (display, Button1, False, CurrentTime);
  XSync (display, False);
}

void
ui_drag (int from_x,
         int from_y,
         int to_x,
         int to_y)
{
  ui_drag_to (from_x, from_y, to_x, to_y);
  ui_drop ();
}

void
ui_key (const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys, "+", 0);
  guint n = g_strv_length (names);
  g_autofree char *last = n ? g_steal_pointer (&names[n - 1]) : NULL;
  KeySym symbol = last ? XStringToKeysym (last) : NoSymbol;

  if (symbol == NoSymbol)
    ui_fail ("No key “%s”", keys);
  hold ((const char *const *)names, TRUE);
  tap (symbol);
  hold ((const char *const *)names, FALSE);
}

/* ASCII; ui_set_text () knows all letters. */
void
ui_type (const char *text)
{
  for (; *text; text++)
    {
      if ((guchar)*text >= 128)
        ui_fail ("The keyboard has no “%s”", text);
      tap (*text == '\n' ? XK_Return : *text == '\t' ? XK_Tab
                                                     : (KeySym)*text);
    }
}

UiBox
ui_get_content (Ui *self)
{
  return leave_frame (ui_get_extents (self->window));
}

static void
request_size (Ui *self,
              UiBox box,
              int width,
              int height)
{
  Display *display = ui_display ();
  Window x_window = get_x_window (self->window, FALSE);
  XWindowAttributes attributes = { 0 };

  XGetWindowAttributes (display, x_window, &attributes);
  XResizeWindow (display, x_window, (guint)(width + attributes.width - box.width), (guint)(height + attributes.height - box.height));
  XSync (display, False);
}

/* To a content of this size; the frame around it comes on top. A window that still gets its first size, or the size of a new
 * view, overrules what is asked of it meanwhile, as nobody manages windows here: it is asked again. */
void
ui_resize (Ui *self,
           int width,
           int height)
{
  gint64 end = ui_patience (), next = 0;
  guint n_right = 0;

  while (n_right < 2)
    {
      UiBox box = ui_get_content (self);

      if (box.width == width && box.height == height)
        {
          n_right++;
          ui_pause (SETTLE_MS);
          continue;
        }
      n_right = 0;
      if (g_get_monotonic_time () >= next)
        {
          request_size (self, box, width, height);
          next = g_get_monotonic_time () + G_USEC_PER_SEC;
        }
      ui_breathe (end, G_STRFUNC, "the new size");
    }
}

/* A window manager does this to a window that it takes from the screen and brings back. */
void
ui_minimize (Ui *self,
             gboolean minimized)
{
  Display *display = ui_display ();
  static Window window;
  Atom hidden = XInternAtom (display, "_NET_WM_STATE_HIDDEN", False);

  if (minimized)
    window = get_x_window (self->window, FALSE);
  XChangeProperty (display, window, XInternAtom (display, "_NET_WM_STATE", False), XA_ATOM, 32, PropModeReplace,
                   (guchar *)&hidden, minimized ? 1 : 0);
  if (minimized)
    XUnmapWindow (display, window);
  else
    XMapWindow (display, window);
  XSync (display, False);
}

/* A window manager marks a window in this way that has half of the screen (GTK's word for it is “tiled”). */
void
ui_tile (Ui *self,
         gboolean is_tiled)
{
  Display *display = ui_display ();
  Atom high = XInternAtom (display, "_NET_WM_STATE_MAXIMIZED_VERT", False);

  XChangeProperty (display, get_x_window (self->window, FALSE), XInternAtom (display, "_NET_WM_STATE", False), XA_ATOM, 32,
                   PropModeReplace, (guchar *)&high, is_tiled ? 1 : 0);
  XSync (display, False);
}

void
ui_close (UiNode *window)
{
  Display *display = ui_display ();
  XEvent event = { .xclient = { .type = ClientMessage, .window = get_x_window (window, FALSE), .format = 32 } };

  event.xclient.message_type = XInternAtom (display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = (long)XInternAtom (display, "WM_DELETE_WINDOW", False);
  XSendEvent (display, event.xclient.window, False, NoEventMask, &event);
  XSync (display, False);
}

/* A window manager gives the focus of a dialog back to the window that it stood above; X alone gives it to the screen, and
 * GTK 4.18 then leaves the window inactive. */
static void
give_focus_back (Window to)
{
  Display *display = ui_display ();
  Window focus = None;
  int revert_to;

  XGetInputFocus (display, &focus, &revert_to);
  if (focus != DefaultRootWindow (display) && focus != PointerRoot && focus != None)
    return;
  XSetInputFocus (display, to, RevertToParent, CurrentTime);
  XSync (display, False);
}

/* Closes a dialog, or whatever these keys do that with, and waits. GTK 4.8 has an empty object path for a window that
 * is on its way out, and complains (g_variant_is_object_path) when AT-SPI asks for its windows then: so X is asked. */
void
ui_dismiss (UiNode *window,
            const char *keys)
{
  g_autofree char *what = g_strdup_printf ("“%s” to be closed", ui_name (window));
  Window x_window = get_x_window (window, FALSE), parent = None;
  XWindowAttributes attributes;
  gint64 end = ui_patience (), again;

  XGetTransientForHint (ui_display (), x_window, &parent);
  ui_key (keys);
  again = g_get_monotonic_time () + AGAIN_US;
  while (XGetWindowAttributes (ui_display (), x_window, &attributes) && attributes.map_state == IsViewable)
    {
      ui_breathe (end, G_STRFUNC, what);
      /* A list of completions, which may be open, takes the first. */
      if (g_get_monotonic_time () > again)
        {
          ui_key (keys);
          again += AGAIN_US;
        }
    }
  if (parent != None)
    give_focus_back (parent);
  ui_pause (SETTLE_MS);
}

static XImage *
grab (UiBox box)
{
  Display *display = ui_display ();
  int screen = DefaultScreen (display);
  int x = CLAMP (box.x, 0, DisplayWidth (display, screen) - 1), y = CLAMP (box.y, 0, DisplayHeight (display, screen) - 1);
  int width = MIN (box.x + box.width, DisplayWidth (display, screen)) - x;
  int height = MIN (box.y + box.height, DisplayHeight (display, screen)) - y;
  XImage *image;

  if (width <= 0 || height <= 0)
    ui_fail ("Nothing of it is on the screen");
  image = XGetImage (display, DefaultRootWindow (display), x, y, (guint)width, (guint)height, AllPlanes, ZPixmap);
  if (!image || image->bits_per_pixel != 32)
    g_error ("The screen is not of 24 bits a pixel");
  return image;
}

static void
save (XImage *image,
      const char *file)
{
  cairo_surface_t *surface = cairo_image_surface_create_for_data ((guchar *)image->data, CAIRO_FORMAT_RGB24,
                                                                  image->width, image->height, image->bytes_per_line);
  cairo_status_t status = cairo_surface_write_to_png (surface, file);

  if (status != CAIRO_STATUS_SUCCESS)
    g_error ("%s: %s", file, cairo_status_to_string (status));
  cairo_surface_destroy (surface);
}

void
ui_save_screen (const char *file)
{
  XImage *image = grab ((UiBox){ 0, 0, G_MAXINT16, G_MAXINT16 });

  save (image, file);
  XDestroyImage (image);
}

void
ui_screenshot (UiNode *node,
               const char *file)
{
  UiBox box = node ? ui_get_box (node) : (UiBox){ 0, 0, G_MAXINT16, G_MAXINT16 };
  XImage *image = grab (box);
  gboolean is_still = FALSE;

  for (guint i = 0; i < N_PICTURES && !is_still; i++)
    {
      XImage *before = image;

      ui_pause (SETTLE_MS);
      image = grab (box);
      is_still = memcmp (before->data, image->data, (gsize)image->bytes_per_line * (gsize)image->height) == 0;
      XDestroyImage (before);
    }
  save (image, file);
  XDestroyImage (image);
}
