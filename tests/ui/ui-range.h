// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A size as the window shows it; slack is half of its last digit. */
typedef struct
{
  double low;
  double high;
  double slack;
} UiRange;

UiRange ui_range_parse (const char *text);

G_END_DECLS
