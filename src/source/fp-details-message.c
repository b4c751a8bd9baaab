// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-details-message.h"

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
    g_variant_builder_add (&builder, "{sv}", "command", g_variant_new_string (details->command));
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
