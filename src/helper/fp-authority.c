// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <polkit/polkit.h>
#include <string.h>

#include "fp-authority.h"
#include "fp-consent.h"

typedef enum
{
  UNKNOWN,
  ALLOWED,
  REFUSED, /* without a question */
} Verdict;

typedef struct
{
  char *sender;
  Verdict verdicts[FP_N_ACTIONS];
  FpHelperError reasons[FP_N_ACTIONS];
  FpConsent consents[FP_N_ACTIONS];
  gboolean is_confirming[FP_N_ACTIONS];
  GTask *asking[FP_N_ACTIONS]; /* who gets the answer to the question that somebody is asked, or NULL */
  guint n_checks;              /* under way */
  gboolean is_gone;
} Memory;

typedef struct
{
  Memory *memory;
  FpAction action;
  gboolean may_ask;
  gboolean is_question;
  gboolean is_confirmation;
  guint64 generation;
  gint64 start_us;
} Check;

struct _FpAuthority
{
  GObject parent;

  PolkitAuthority *polkit; /* from the first check on */
  GHashTable *memories;    /* sender → Memory */
  guint64 generation;
};

G_DEFINE_FINAL_TYPE (FpAuthority, fp_authority, G_TYPE_OBJECT)

static const char *const action_ids[FP_N_ACTIONS] = {
  [FP_ACTION_READ_OWN_MEMORY] = FP_APP_ID ".read-own-memory",
  [FP_ACTION_READ_MEMORY] = FP_APP_ID ".read-memory",
  [FP_ACTION_READ_MAPPINGS] = FP_APP_ID ".read-mappings",
};

static const char *const polkit_settings[] = { "/etc/polkit-1/polkitd.conf", "/run/polkit-1/polkitd.conf",
                                               "/usr/share/polkit-1/polkitd.conf", NULL };

static void
memory_free (gpointer data)
{
  Memory *memory = data;

  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    fp_consent_clear (&memory->consents[action]);
  g_free (memory->sender);
  g_free (memory);
}

static const char *
get_refusal (FpHelperError reason)
{
  switch ((guint)reason)
    {
    case FP_HELPER_ERROR_CANCELLED:
      return "The question for a password was dismissed";
    case FP_HELPER_ERROR_NO_AGENT:
      return "A password is needed, and nothing is there that could ask for it";
    case FP_HELPER_ERROR_LOCKED:
      return "A password is needed";
    default:
      return "polkit does not permit it";
    }
}

static void
refuse (GTask *task,
        FpAction action,
        FpHelperError reason)
{
  g_task_return_new_error (task, FP_HELPER_ERROR, (gint)reason, "%s: %s", action_ids[action],
                           get_refusal (reason));
}

static FpHelperError
find_reason (PolkitAuthorizationResult *result,
             gboolean may_ask)
{
  if (polkit_authorization_result_get_dismissed (result))
    return FP_HELPER_ERROR_CANCELLED;
  if (polkit_authorization_result_get_is_challenge (result))
    return may_ask ? FP_HELPER_ERROR_NO_AGENT : FP_HELPER_ERROR_LOCKED;
  return FP_HELPER_ERROR_DENIED;
}

static Memory *
get_memory (FpAuthority *self,
            const char *sender)
{
  Memory *memory = g_hash_table_lookup (self->memories, sender);

  if (!memory)
    {
      memory = g_new0 (Memory, 1);
      memory->sender = g_strdup (sender);
      g_hash_table_insert (self->memories, memory->sender, memory);
    }
  return memory;
}

static gboolean
is_blank (const Memory *memory)
{
  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    if (memory->verdicts[action] != UNKNOWN || memory->consents[action].given_us || memory->consents[action].kept)
      return FALSE;
  return TRUE;
}

/* Whoever was asked and did not give the password may be asked again. What polkit has changed its mind about
 * meanwhile is not remembered. */
static void
remember (FpAuthority *self,
          const Check *check,
          Verdict verdict,
          FpHelperError reason)
{
  if (check->generation != self->generation || (verdict == REFUSED && check->may_ask))
    return;
  check->memory->verdicts[check->action] = verdict;
  check->memory->reasons[check->action] = reason;
}

static gboolean
judge (const Check *check,
       PolkitAuthorizationResult *answer)
{
  FpConsent *consent = &check->memory->consents[check->action];
  gboolean is_yes = answer && polkit_authorization_result_get_is_authorized (answer);
  gboolean is_unsure = !answer || polkit_authorization_result_get_is_challenge (answer);
  const char *kept = is_yes ? polkit_authorization_result_get_temporary_authorization_id (answer) : NULL;

  if (is_yes && check->is_question)
    fp_consent_give (consent, kept, g_get_monotonic_time ());
  return fp_consent_judge (consent,
                           is_yes      ? FP_ANSWER_YES
                           : is_unsure ? FP_ANSWER_PASSWORD
                                       : FP_ANSWER_NO,
                           kept, check->start_us, fp_consent_read_keeping_us (polkit_settings));
}

static void confirm (FpAuthority *self, Memory *memory, FpAction action);
static void ask_polkit (GTask *task);

static void
end_check (FpAuthority *self,
           Check *check)
{
  Memory *memory = check->memory;

  memory->n_checks--;
  if (check->is_confirmation)
    memory->is_confirming[check->action] = FALSE;
  if (check->generation != self->generation)
    confirm (self, memory, check->action);
  if (memory->n_checks == 0 && (memory->is_gone || is_blank (memory)))
    g_hash_table_remove (self->memories, memory->sender);
}

/* One question at a time: a caller that would ask another has looked on meanwhile, so that the answer is for what it asks
 * for last. */
static void
ask_person (GTask *task)
{
  FpAuthority *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  GTask **asking = &check->memory->asking[check->action];
  g_autoptr (GTask) before = *asking;

  *asking = g_object_ref (task);
  if (before)
    {
      g_task_return_new_error (before, FP_HELPER_ERROR, FP_HELPER_ERROR_CANCELLED, "A later call has its question");
      end_check (self, check);
      return;
    }
  check->is_question = TRUE;
  ask_polkit (task);
}

static GTask *
take_answered (GTask *task)
{
  Check *check = g_task_get_task_data (task);

  return check->is_question ? g_steal_pointer (&check->memory->asking[check->action]) : g_object_ref (task);
}

static void
checked_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GTask) answered = NULL;
  FpAuthority *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (PolkitAuthorizationResult) answer =
      polkit_authority_check_authorization_finish (POLKIT_AUTHORITY (object), result, &error);
  gboolean is_permitted = judge (check, answer);
  FpHelperError reason;

  if (answer && !is_permitted && check->may_ask && !check->is_question &&
      polkit_authorization_result_get_is_challenge (answer))
    {
      ask_person (task);
      return;
    }
  answered = take_answered (task);
  if (!answer)
    g_task_return_new_error (answered, FP_HELPER_ERROR, FP_HELPER_ERROR_DENIED, "polkit: %s", error->message);
  else if (is_permitted)
    {
      remember (self, check, ALLOWED, 0);
      g_task_return_boolean (answered, TRUE);
    }
  else
    {
      reason = find_reason (answer, check->may_ask);
      remember (self, check, REFUSED, reason);
      refuse (answered, check->action, reason);
    }
  end_check (self, check);
}

/* A caller is its connection: its process may be the proxy of a sandbox. A yes without a question is no password. */
static void
ask_polkit (GTask *task)
{
  FpAuthority *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  g_autoptr (PolkitSubject) subject = polkit_system_bus_name_new (check->memory->sender);

  check->generation = self->generation;
  check->start_us = g_get_monotonic_time ();
  polkit_authority_check_authorization (self->polkit, subject, action_ids[check->action], NULL,
                                        check->is_question ? POLKIT_CHECK_AUTHORIZATION_FLAGS_ALLOW_USER_INTERACTION
                                                           : POLKIT_CHECK_AUTHORIZATION_FLAGS_NONE,
                                        NULL, checked_cb, g_object_ref (task));
}

static Check *
begin_check (GTask *task,
             Memory *memory,
             FpAction action)
{
  Check *check = g_new0 (Check, 1);

  check->memory = memory;
  check->action = action;
  memory->n_checks++;
  g_task_set_task_data (task, check, g_free);
  return check;
}

/* At once, though nobody wants to read at the moment. One at a time: whoever makes polkit change its mind all the time
 * costs others no more than that. */
static void
confirm (FpAuthority *self,
         Memory *memory,
         FpAction action)
{
  g_autoptr (GTask) task = NULL;

  if (memory->is_confirming[action] || memory->is_gone || memory->consents[action].given_us == 0)
    return;
  task = g_task_new (self, NULL, NULL, NULL);
  g_task_set_source_tag (task, confirm);
  begin_check (task, memory, action)->is_confirmation = TRUE;
  memory->is_confirming[action] = TRUE;
  ask_polkit (task);
}

static void
changed_cb (FpAuthority *self)
{
  GHashTableIter iter;
  gpointer value;

  self->generation++;
  g_hash_table_iter_init (&iter, self->memories);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Memory *memory = value;

      memset (memory->verdicts, 0, sizeof memory->verdicts);
      for (FpAction action = 0; action < FP_N_ACTIONS; action++)
        confirm (self, memory, action);
    }
}

/* A new one has new rules and keeps nothing. It is not started for this. */
static void
changed_owner_cb (PolkitAuthority *polkit,
                  GParamSpec *property,
                  FpAuthority *self)
{
  g_autofree char *owner = polkit_authority_get_owner (polkit);

  if (owner)
    changed_cb (self);
}

static void
got_polkit_cb (GObject *object,
               GAsyncResult *result,
               gpointer data)
{
  g_autoptr (GTask) task = data;
  FpAuthority *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (PolkitAuthority) polkit = polkit_authority_get_finish (result, &error);

  if (!polkit)
    {
      g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_DENIED, "polkit: %s", error->message);
      end_check (self, g_task_get_task_data (task));
      return;
    }
  if (g_set_object (&self->polkit, polkit))
    {
      g_signal_connect_object (polkit, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (polkit, "notify::owner", G_CALLBACK (changed_owner_cb), self, 0);
    }
  ask_polkit (task);
}

void
fp_authority_check_async (FpAuthority *self,
                          const char *sender,
                          FpAction action,
                          gboolean may_ask,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);
  Memory *memory = get_memory (self, sender);
  Verdict verdict = memory->verdicts[action];

  g_task_set_source_tag (task, fp_authority_check_async);
  if (verdict == ALLOWED)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (verdict == REFUSED && !may_ask)
    {
      refuse (task, action, memory->reasons[action]);
      return;
    }
  begin_check (task, memory, action)->may_ask = may_ask;
  if (self->polkit)
    ask_polkit (task);
  else
    polkit_authority_get_async (NULL, got_polkit_cb, g_object_ref (task));
}

gboolean
fp_authority_check_finish (FpAuthority *self,
                           GAsyncResult *result,
                           GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
checked_own_cb (GObject *object,
                GAsyncResult *result,
                gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (fp_authority_check_finish (FP_AUTHORITY (object), result, &error))
    g_task_return_int (task, FP_ACCESS_OWN);
  else
    g_task_return_error (task, error);
}

static void
checked_all_cb (GObject *object,
                GAsyncResult *result,
                gpointer data)
{
  g_autoptr (GTask) task = data;

  if (fp_authority_check_finish (FP_AUTHORITY (object), result, NULL))
    g_task_return_int (task, FP_ACCESS_ALL);
  else
    fp_authority_check_async (FP_AUTHORITY (object), g_task_get_task_data (task), FP_ACTION_READ_OWN_MEMORY, FALSE,
                              checked_own_cb, g_object_ref (task));
}

/* The most that it may have with nobody being asked. */
void
fp_authority_find_access_async (FpAuthority *self,
                                const char *sender,
                                GAsyncReadyCallback callback,
                                gpointer data)
{
  GTask *task = g_task_new (self, NULL, callback, data);

  g_task_set_source_tag (task, fp_authority_find_access_async);
  g_task_set_task_data (task, g_strdup (sender), g_free);
  fp_authority_check_async (self, sender, FP_ACTION_READ_MEMORY, FALSE, checked_all_cb, task);
}

/* FP_ACCESS_NONE comes with an error. */
FpAccess
fp_authority_find_access_finish (FpAuthority *self,
                                 GAsyncResult *result,
                                 GError **error)
{
  gssize access = g_task_propagate_int (G_TASK (result), error);

  return access < 0 ? FP_ACCESS_NONE : (FpAccess)access;
}

/* Floating, of type as */
GVariant *
fp_authority_get_kept (FpAuthority *self,
                       const char *sender)
{
  const Memory *memory = g_hash_table_lookup (self->memories, sender);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (FpAction action = 0; memory && action < FP_N_ACTIONS; action++)
    if (memory->consents[action].kept)
      g_variant_builder_add (&builder, "s", memory->consents[action].kept);
  return g_variant_builder_end (&builder);
}

/* That of somebody who has not gone yet. */
gboolean
fp_authority_has_consent (FpAuthority *self)
{
  GHashTableIter iter;
  gpointer memory;

  g_hash_table_iter_init (&iter, self->memories);
  while (g_hash_table_iter_next (&iter, NULL, &memory))
    for (FpAction action = 0; action < FP_N_ACTIONS; action++)
      if (((Memory *)memory)->consents[action].given_us)
        return TRUE;
  return FALSE;
}

void
fp_authority_forget (FpAuthority *self,
                     const char *sender)
{
  Memory *memory = g_hash_table_lookup (self->memories, sender);

  if (memory && memory->n_checks > 0)
    memory->is_gone = TRUE;
  else
    g_hash_table_remove (self->memories, sender);
}

static void
fp_authority_finalize (GObject *object)
{
  FpAuthority *self = FP_AUTHORITY (object);

  g_clear_object (&self->polkit);
  g_hash_table_unref (self->memories);

  G_OBJECT_CLASS (fp_authority_parent_class)->finalize (object);
}

static void
fp_authority_class_init (FpAuthorityClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_authority_finalize;
}

static void
fp_authority_init (FpAuthority *self)
{
  self->memories = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, memory_free);
}

FpAuthority *
fp_authority_new (void)
{
  return g_object_new (FP_TYPE_AUTHORITY, NULL);
}
