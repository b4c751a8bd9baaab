// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-details-message.h"

/* dbus-daemon takes 2 KiB of a service's messages at a turn, so that what comes after a long one waits. */
#define MAX_COMMAND 4096

/* Returns: (transfer floating) */
static GVariant *
pack_command (const char *command)
{
  const char *end = command + strlen (command);

  if (end - command <= MAX_COMMAND)
    return g_variant_new_string (command);
  g_utf8_validate_len (command, MAX_COMMAND, &end);
  return g_variant_new_take_string (g_strdup_printf ("%.*s…", (int)(end - command), command));
}

static void
add_limit (GVariantBuilder *builder,
           const char *name,
           guint64 limit)
{
  if (limit != FP_NO_LIMIT)
    g_variant_builder_add (builder, "{sv}", name, g_variant_new_uint64 (limit));
}

/* Returns: (transfer floating): the helper's answer about one process */
GVariant *
fp_details_message_pack (const FpDetails *details)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add_limit (&builder, "address-space", details->limits.address_space);
  add_limit (&builder, "group-max", details->limits.group_max);
  add_limit (&builder, "group-high", details->limits.group_high);
  if (details->command)
    g_variant_builder_add (&builder, "{sv}", "command", pack_command (details->command));
  return g_variant_new ("(a{sv})", &builder);
}

/* Texts in a message are valid UTF-8. */
FpDetails *
fp_details_message_parse (GVariant *message)
{
  g_autoptr (GVariant) details = g_variant_get_child_value (message, 0);
  FpDetails *self = fp_details_new ();

  g_variant_lookup (details, "address-space", "t", &self->limits.address_space);
  g_variant_lookup (details, "group-max", "t", &self->limits.group_max);
  g_variant_lookup (details, "group-high", "t", &self->limits.group_high);
  g_variant_lookup (details, "command", "s", &self->command);
  return self;
}
