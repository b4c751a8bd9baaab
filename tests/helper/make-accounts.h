// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-account.h"

/* The program has them until it ends. */
static inline FpAccounts *
make_accounts (void)
{
  static GSList *made;

  made = g_slist_prepend (made, fp_accounts_new ());
  return made->data;
}
