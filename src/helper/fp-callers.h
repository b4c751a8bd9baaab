// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  char *name;
  guint32 uid;
  guint32 gid;
  guint n_calls; /* that have no answer yet */
  guint watch;
} FpCaller;

typedef void (*FpCallerGone) (const char *name, gpointer data);

/* Who is on the other side of the bus. */
typedef struct _FpCallers FpCallers;

FpCallers *fp_callers_new (GDBusConnection *connection, FpCallerGone gone, gpointer data);
void fp_callers_free (FpCallers *self);
gboolean fp_callers_begin_call (FpCallers *self, const char *name);
void fp_callers_end_call (FpCallers *self, const char *name);
void fp_callers_identify_async (FpCallers *self, const char *name, GAsyncReadyCallback callback, gpointer data);
const FpCaller *fp_callers_identify_finish (FpCallers *self, GAsyncResult *result, GError **error);

G_END_DECLS
