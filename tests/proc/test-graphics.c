// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture.h"
#include "fp-graphics.h"

#define KIB ((guint64)1024)

typedef struct
{
  const char *file;
  const char *driver;
  const char *device;
  guint64 id;
  guint64 in_ram;
  guint64 on_card;
  guint64 allocated;
  guint64 shared;
  guint64 purgeable;
  gboolean is_shmem;
} Client;

static const Client clients[] = {
  { "amdgpu", "amdgpu", "0000:11:00.0", 185, 34880, 310492, 345372, 2048, 0, FALSE },
  { "amdgpu-6.1", "amdgpu", "0000:03:00.0", 12, 2560, 1024, 3584, 0, 0, FALSE },
  { "i915", "i915", "0000:00:02.0", 39, 6040, 64, 6108, 1024, 1688, TRUE },
  { "i915-arc", "i915", "0000:03:00.0", 42, 312, 5396348, 5396660, 0, 0, TRUE },
  { "xe", "xe", "0000:03:00.0", 3, 192, 23992, 24184, 0, 0, FALSE },
  { "panthor", "panthor", "", 10, 16480, 0, 16480, 0, 0, TRUE },
  { "panfrost", "panfrost", "", 6, 2196, 0, 138420, 2196, 128, TRUE },
  { "msm", "msm", "", 3, 32768, 0, 49152, 8192, 1024, TRUE },
  { "v3d", "v3d", "", 14, 43264, 0, 74864, 31600, 0, TRUE },
};

static char *
read_fixture (const char *name)
{
  g_autofree char *folder = fixture_get_original ("fdinfo");
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_clients (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      const Client *client = &clients[i];
      g_autofree char *text = read_fixture (client->file);
      FpGraphics graphics;

      g_test_message ("%s", client->file);
      g_assert_true (fp_graphics_parse_client (&graphics, text, strlen (text)));
      g_assert_cmpstr (graphics.driver, ==, client->driver);
      g_assert_cmpstr (graphics.device, ==, client->device);
      g_assert_cmpuint (graphics.id, ==, client->id);
      g_assert_true (graphics.has_in_ram);
      g_assert_cmpuint (graphics.in_ram, ==, client->in_ram * KIB);
      g_assert_cmpuint (graphics.on_card, ==, client->on_card * KIB);
      g_assert_cmpuint (graphics.allocated, ==, client->allocated * KIB);
      g_assert_cmpuint (graphics.shared, ==, client->shared * KIB);
      g_assert_cmpuint (graphics.purgeable, ==, client->purgeable * KIB);
      g_assert_cmpint (graphics.is_shmem, ==, client->is_shmem);
    }
}

static void
test_silent (void)
{
  g_autofree char *text = read_fixture ("virtio-silent");
  FpGraphics graphics;

  g_assert_false (fp_graphics_parse_client (&graphics, text, strlen (text)));
  g_assert_false (fp_graphics_parse_client (&graphics, "", 0));
}

/* A driver that says what is allocated, but not what of it is in memory */
static void
test_unknown_resident (void)
{
  static const char text[] = "drm-driver:\tnew\ndrm-client-id:\t1\ndrm-total-memory:\t8 KiB\n";
  static const char elsewhere[] = "drm-driver:\tnew\ndrm-client-id:\t1\ndrm-resident-moon0:\t8 KiB\n";
  FpGraphics graphics;

  g_assert_true (fp_graphics_parse_client (&graphics, text, strlen (text)));
  g_assert_false (graphics.has_in_ram);
  g_assert_cmpuint (graphics.allocated, ==, 8 * KIB);
  g_assert_true (fp_graphics_parse_client (&graphics, elsewhere, strlen (elsewhere)));
  g_assert_false (graphics.has_in_ram);
  g_assert_cmpuint (graphics.in_ram + graphics.on_card, ==, 0);
  g_assert_cmpuint (graphics.allocated, ==, 8 * KIB);
}

static void
assert_buffer (const char *file,
               gboolean is_in_ram,
               gboolean is_shmem)
{
  g_autofree char *text = read_fixture (file);
  FpGraphics graphics;

  g_assert_true (fp_graphics_parse_buffer (&graphics, text, strlen (text)));
  g_assert_cmpint (graphics.kind, ==, FP_GRAPHICS_DMABUF);
  g_assert_cmpuint (graphics.allocated, >, 0);
  g_assert_cmpint (graphics.has_in_ram, ==, is_in_ram);
  g_assert_cmpuint (graphics.in_ram, ==, is_in_ram ? graphics.allocated : 0);
  g_assert_cmpint (graphics.is_shmem, ==, is_shmem);
}

/* A driver's buffer is counted with its client, and may lie on the card. */
static void
test_buffers (void)
{
  assert_buffer ("dmabuf-heap", TRUE, FALSE);
  assert_buffer ("dmabuf-i915", FALSE, FALSE);
  assert_buffer ("dmabuf-udmabuf", TRUE, TRUE);
}

/* The kernel prints names last and as they were given. */
static void
test_forged (void)
{
  static const char buffer[] = "pos:\t0\nino:\t7\nsize:\t4096\ncount:\t2\nexp_name:\tsystem\nname:\tx\nsize:\t1048576\n"
                               "ino:\t8\nexp_name:\tudmabuf\n";
  static const char nameless[] = "pos:\t0\nino:\t7\nsize:\t4096\nname:\tx\nexp_name:\tsystem\n";
  static const char client[] = "drm-driver:\txe\ndrm-client-id:\t1\ndrm-pdev:\t0000:03:00.0\ndrm-resident-system:\t8 KiB\n"
                               "drm-client-name:\tx\ndrm-driver:\ti915\ndrm-client-id:\t2\ndrm-pdev:\t1\n"
                               "drm-resident-system:\t80 KiB\n";
  FpGraphics graphics;

  g_assert_true (fp_graphics_parse_buffer (&graphics, buffer, strlen (buffer)));
  g_assert_cmpuint (graphics.id, ==, 7);
  g_assert_cmpuint (graphics.in_ram, ==, 4096);
  g_assert_cmpstr (graphics.driver, ==, "system");
  g_assert_true (fp_graphics_parse_buffer (&graphics, nameless, strlen (nameless)));
  g_assert_false (graphics.has_in_ram);
  g_assert_true (fp_graphics_parse_client (&graphics, client, strlen (client)));
  g_assert_cmpuint (graphics.id, ==, 1);
  g_assert_cmpuint (graphics.in_ram, ==, 8 * KIB);
  g_assert_cmpstr (graphics.driver, ==, "xe");
  g_assert_cmpstr (graphics.device, ==, "0000:03:00.0");
}

static void
test_same (void)
{
  FpGraphics a = { .kind = FP_GRAPHICS_DRM, .id = 3, .driver = "xe", .device = "0000:03:00.0" }, b = a;

  g_assert_true (fp_graphics_is_same (&a, &b));
  b.in_ram = 1;
  g_assert_true (fp_graphics_is_same (&a, &b));
  strcpy (b.device, "0000:04:00.0");
  g_assert_false (fp_graphics_is_same (&a, &b));
  b = a;
  b.id = 4;
  g_assert_false (fp_graphics_is_same (&a, &b));
  b = a;
  b.kind = FP_GRAPHICS_DMABUF;
  g_assert_false (fp_graphics_is_same (&a, &b));
}

/* No figure of a text that was cut off is greater than the whole text has it. */
static void
test_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      g_autofree char *text = read_fixture (clients[i].file);

      for (gsize length = 0; length < strlen (text); length++)
        {
          g_autofree char *cut = g_strndup (text, length);
          FpGraphics graphics;

          fp_graphics_parse_client (&graphics, cut, length);
          g_assert_cmpuint (graphics.in_ram, <=, clients[i].in_ram * KIB);
          g_assert_cmpuint (graphics.on_card, <=, clients[i].on_card * KIB);
        }
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graphics/clients", test_clients);
  g_test_add_func ("/graphics/silent", test_silent);
  g_test_add_func ("/graphics/unknown-resident", test_unknown_resident);
  g_test_add_func ("/graphics/buffers", test_buffers);
  g_test_add_func ("/graphics/forged", test_forged);
  g_test_add_func ("/graphics/same", test_same);
  g_test_add_func ("/graphics/cut", test_cut);
  return g_test_run ();
}
