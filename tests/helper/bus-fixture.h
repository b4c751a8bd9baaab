// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-helper.h"
#include "fp-caller.h"
#include "fp-source.h"

G_BEGIN_DECLS

/* The answers of this test's polkit, and the questions it was asked. */
typedef struct
{
  gboolean allows[FP_N_ACTIONS];
  gboolean is_challenge;
  gboolean is_dismissed;
  const char *kept; /* its id, or NULL */
  gboolean knows_password;
  gboolean is_slow;                          /* each answer waits for bus_answer_check */
  gboolean is_thinking;                      /* of who is asked for it, until the held question is answered */
  GDBusMethodInvocation *held_before, *held; /* the last two that it has not answered */
  GDBusMethodInvocation *typed;              /* (nullable): a question that a person is about to answer */
  gboolean awaits_marker;                    /* the check that comes behind a question, and is not counted */
  guint n_checks;
  guint n_questions;
} FakePolkit;

extern FakePolkit polkit;

/* A helper on a bus with that polkit, in this process, and its caller */
typedef struct
{
  GDBusConnection *connection;
  GDBusConnection *polkit_connection;
  FpAccounts *accounts;
  FpHelper *helper;
  FpSource *source;
  gboolean may_ask; /* the next collection, for a password */
} Fixture;

typedef struct
{
  const char *path;
  void (*test) (Fixture *self, gconstpointer bus);
} BusTest;

void bus_set_up (Fixture *self, gconstpointer bus);
void bus_tear_down (Fixture *self, gconstpointer bus);
FpSnapshot *bus_collect (Fixture *self, GError **error);
void bus_expect_error (Fixture *self, FpHelperError code);
void bus_expect_access (Fixture *self, FpAccess access);
void bus_emit_changed (Fixture *self);
void bus_say_changed (Fixture *self);
void bus_answer_check (GDBusMethodInvocation *invocation, const char *action, gboolean is_question);
void bus_call (GDBusConnection *caller, const char *method);
void bus_get_id (GDBusConnection *connection);
void bus_become_ordinary (void);
int bus_run (const BusTest *tests, guint n);

G_END_DECLS
