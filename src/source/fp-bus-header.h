// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_BUS_HEADER_SIZE 16 /* before the fields */

const char *fp_bus_header_find (const char *message, GDBusMessageHeaderField field);
gsize fp_bus_header_get_list_size (const char *message, gsize size);
guchar *fp_bus_header_refuse_answer (const char *message, gsize size, gsize *refusal_size);
gboolean fp_bus_message_is_sound (const char *message, gsize size);

G_END_DECLS
