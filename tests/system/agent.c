// SPDX-License-Identifier: GPL-3.0-or-later
#define POLKIT_AGENT_I_KNOW_API_IS_SUBJECT_TO_CHANGE 1
#include <polkit/polkit.h>
#include <polkitagent/polkitagent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* agent PID|SESSION password[-aloud] WORD | cancel | hang: answers polkit's questions about that process, or session. */
typedef struct
{
  PolkitAgentListener parent;

  const char *mode;
  const char *word;
} TestAgent;

typedef struct
{
  PolkitAgentListenerClass parent;
} TestAgentClass;

GType test_agent_get_type (void);

G_DEFINE_TYPE (TestAgent, test_agent, POLKIT_AGENT_TYPE_LISTENER)

static void
request_cb (PolkitAgentSession *session,
            const char *prompt,
            gboolean echo,
            gpointer data)
{
  polkit_agent_session_response (session, ((TestAgent *)g_task_get_source_object (data))->word);
}

static void
completed_cb (PolkitAgentSession *session,
              gboolean has_gained,
              gpointer data)
{
  if (strcmp (((TestAgent *)g_task_get_source_object (data))->mode, "password-aloud") == 0)
    {
      printf ("answered\n");
      fflush (stdout);
    }
  g_task_return_boolean (data, TRUE);
  g_object_unref (data);
  g_object_unref (session);
}

static void
test_agent_initiate (PolkitAgentListener *listener,
                     const char *action,
                     const char *message,
                     const char *icon,
                     PolkitDetails *details,
                     const char *cookie,
                     GList *identities,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer data)
{
  TestAgent *self = (TestAgent *)listener;
  GTask *task = g_task_new (self, cancellable, callback, data);
  PolkitAgentSession *session;

  printf ("asked %s: %s\n", action, message);
  fflush (stdout);
  if (strcmp (self->mode, "cancel") == 0)
    {
      g_task_return_new_error (task, POLKIT_ERROR, POLKIT_ERROR_CANCELLED, "dismissed");
      g_object_unref (task);
    }
  if (strncmp (self->mode, "password", strlen ("password")) != 0)
    return;
  session = polkit_agent_session_new (identities->data, cookie);
  g_signal_connect (session, "request", G_CALLBACK (request_cb), task);
  g_signal_connect (session, "completed", G_CALLBACK (completed_cb), task);
  polkit_agent_session_initiate (session);
}

static gboolean
test_agent_initiate_finish (PolkitAgentListener *listener,
                            GAsyncResult *result,
                            GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
test_agent_class_init (TestAgentClass *class)
{
  PolkitAgentListenerClass *listener_class = POLKIT_AGENT_LISTENER_CLASS (class);

  listener_class->initiate_authentication = test_agent_initiate;
  listener_class->initiate_authentication_finish = test_agent_initiate_finish;
}

static void
test_agent_init (TestAgent *self)
{
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (PolkitSubject) subject = NULL;
  TestAgent *agent = g_object_new (test_agent_get_type (), NULL);

  if (argc < 3)
    return 2;
  if (atoi (argv[1]) > 0)
    subject = polkit_unix_process_new_for_owner (atoi (argv[1]), 0, -1);
  else
    subject = polkit_unix_session_new (argv[1]);
  agent->mode = argv[2];
  agent->word = argc > 3 ? argv[3] : "";
  if (!polkit_agent_listener_register (POLKIT_AGENT_LISTENER (agent), POLKIT_AGENT_REGISTER_FLAGS_NONE, subject,
                                       "/io/github/footprint_app/TestAgent", NULL, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  printf ("registered\n");
  fflush (stdout);
  g_main_loop_run (loop);
  return 0;
}
