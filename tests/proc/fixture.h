// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-sweep.h"

G_BEGIN_DECLS

/* A copy of a tree in tests/fixtures that a test may change; removed with it. */
typedef struct
{
  char *path;
  char *proc;
} Fixture;

void fixture_copy (Fixture *self, const char *name);
void fixture_make_empty (Fixture *self);
void fixture_clear (Fixture *self);

char *fixture_get_original (const char *name);
void fixture_write (const Fixture *self, const char *name, const char *text, gssize length);
char *fixture_read (const Fixture *self, const char *name);
void fixture_remove (const Fixture *self, const char *name);

/* The fixture as a sweep tells it, users being "user-" and their number. */
void fixture_name_user (guint uid, FpUser *user);
FpSnapshot *fixture_sweep (const char *proc);
FpSnapshot *fixture_sweep_original (const char *name);
FpSnapshot *fixture_collect (FpSweep *sweep);
FpControlGroups *fixture_make_groups (void);
void fixture_assert_groups (const FpControlGroups *a, const FpControlGroups *b);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

G_END_DECLS
