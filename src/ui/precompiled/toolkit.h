// SPDX-License-Identifier: GPL-3.0-or-later
/* Is read once for all of src/ui where “./dev test” compiles; each file includes what it needs itself. */
#include <adwaita.h>
#include <glib/gi18n.h>
