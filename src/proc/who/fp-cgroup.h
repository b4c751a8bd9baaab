// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A group whose path is longer is in no list and in no record, so that equal paths are the same group. */
#define FP_CGROUP_MAX_PATH 1024

/* The unit, slice, app and container that a control group's path names; an empty text where it names none. */
typedef struct
{
  char unit[256];
  char slice[128];
  char app[256];
  char container[128];
  char path[FP_CGROUP_MAX_PATH + 1]; /* in the tree of version 2 */
} FpCgroup;

void fp_cgroup_parse (FpCgroup *self, const char *text, gsize length);

G_END_DECLS
