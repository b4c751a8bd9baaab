// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <polkit/polkit.h>
#include <string.h>

#include "fp-authority.h"

typedef enum
{
  UNKNOWN,
  ALLOWED,
  REFUSED, /* without a question */
} Verdict;

typedef struct
{
  Verdict verdicts[FP_N_ACTIONS];
  FpHelperError reasons[FP_N_ACTIONS];
  char *kept[FP_N_ACTIONS]; /* polkit's id of what it keeps, or NULL */
} Memory;

typedef struct
{
  char *sender;
  FpAction action;
  gboolean may_ask;
  guint64 generation;
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

static void
check_free (gpointer data)
{
  Check *check = data;

  g_free (check->sender);
  g_free (check);
}

static void
memory_free (gpointer data)
{
  Memory *memory = data;

  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    g_free (memory->kept[action]);
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
        FpHelperError reason)
{
  const Check *check = g_task_get_task_data (task);

  g_task_return_new_error (task, FP_HELPER_ERROR, (gint)reason, "%s: %s", action_ids[check->action],
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
      g_hash_table_insert (self->memories, g_strdup (sender), memory);
    }
  return memory;
}

/* Whoever was asked and did not give the password may be asked again. What polkit has changed its mind about
 * meanwhile is not remembered. */
static void
remember (FpAuthority *self,
          const Check *check,
          Verdict verdict,
          FpHelperError reason)
{
  Memory *memory;

  if (check->generation != self->generation || (verdict == REFUSED && check->may_ask))
    return;
  memory = get_memory (self, check->sender);
  memory->verdicts[check->action] = verdict;
  memory->reasons[check->action] = reason;
}

/* It outlives the connection, and its owner alone may ask polkit to revoke it. */
static void
remember_kept (FpAuthority *self,
               const Check *check,
               PolkitAuthorizationResult *answer)
{
  const char *id = polkit_authorization_result_get_temporary_authorization_id (answer);
  Memory *memory;

  if (!id)
    return;
  memory = get_memory (self, check->sender);
  g_free (memory->kept[check->action]);
  memory->kept[check->action] = g_strdup (id);
}

static void
checked_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  FpAuthority *self = g_task_get_source_object (task);
  const Check *check = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (PolkitAuthorizationResult) answer =
      polkit_authority_check_authorization_finish (POLKIT_AUTHORITY (object), result, &error);
  FpHelperError reason;

  if (!answer)
    {
      g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_DENIED, "polkit: %s", error->message);
      return;
    }
  if (polkit_authorization_result_get_is_authorized (answer))
    {
      remember (self, check, ALLOWED, 0);
      remember_kept (self, check, answer);
      g_task_return_boolean (task, TRUE);
      return;
    }
  reason = find_reason (answer, check->may_ask);
  remember (self, check, REFUSED, reason);
  refuse (task, reason);
}

/* A caller is its connection: its process may be the proxy of a sandbox. */
static void
ask_polkit (GTask *task)
{
  FpAuthority *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  g_autoptr (PolkitSubject) subject = polkit_system_bus_name_new (check->sender);

  check->generation = self->generation;
  polkit_authority_check_authorization (self->polkit, subject, action_ids[check->action], NULL,
                                        check->may_ask ? POLKIT_CHECK_AUTHORIZATION_FLAGS_ALLOW_USER_INTERACTION
                                                       : POLKIT_CHECK_AUTHORIZATION_FLAGS_NONE,
                                        NULL, checked_cb, g_object_ref (task));
}

static void
changed_cb (PolkitAuthority *polkit,
            gpointer data)
{
  FpAuthority *self = data;
  GHashTableIter iter;
  gpointer memory;

  self->generation++;
  g_hash_table_iter_init (&iter, self->memories);
  while (g_hash_table_iter_next (&iter, NULL, &memory))
    memset (((Memory *)memory)->verdicts, 0, sizeof ((Memory *)memory)->verdicts);
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
      return;
    }
  if (g_set_object (&self->polkit, polkit))
    g_signal_connect_object (polkit, "changed", G_CALLBACK (changed_cb), self, 0);
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
  Check check = { .sender = g_strdup (sender), .action = action, .may_ask = may_ask };
  const Memory *memory = g_hash_table_lookup (self->memories, sender);
  Verdict verdict = memory ? memory->verdicts[action] : UNKNOWN;

  g_task_set_source_tag (task, fp_authority_check_async);
  g_task_set_task_data (task, g_memdup2 (&check, sizeof check), check_free);
  if (verdict == ALLOWED)
    g_task_return_boolean (task, TRUE);
  else if (verdict == REFUSED && !may_ask)
    refuse (task, memory->reasons[action]);
  else if (self->polkit)
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
    if (memory->kept[action])
      g_variant_builder_add (&builder, "s", memory->kept[action]);
  return g_variant_builder_end (&builder);
}

void
fp_authority_forget (FpAuthority *self,
                     const char *sender)
{
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
  self->memories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, memory_free);
}

FpAuthority *
fp_authority_new (void)
{
  return g_object_new (FP_TYPE_AUTHORITY, NULL);
}
