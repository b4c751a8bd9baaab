// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-batch.h"

#define MAX_THREADS  4 /* walks are kernel time: more than there are processors give nothing */
#define MIN_PARALLEL 16

typedef struct
{
  FpBatchFunc func;
  gpointer data;
  guint n;
  gint64 deadline_us;
  gint next;
} Batch;

static gpointer
fp_batch_worker (gpointer data)
{
  Batch *batch = data;
  guint i;

  while ((i = (guint)g_atomic_int_add (&batch->next, 1)) < batch->n)
    {
      if (batch->deadline_us && i > 0 && g_get_monotonic_time () >= batch->deadline_us)
        break;
      batch->func (batch->data, i);
    }
  return NULL;
}

/* Each thread takes the next index from one counter. deadline_us: monotonic, 0 for none; the first is always done. */
void
fp_batch_run (FpBatchFunc func,
              gpointer data,
              guint n,
              gint64 deadline_us)
{
  Batch batch = { func, data, n, deadline_us, 0 };
  guint n_threads = n >= MIN_PARALLEL ? MIN (g_get_num_processors (), MAX_THREADS) : 1;
  GThread *threads[MAX_THREADS] = { NULL };

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("footprint-sweep", fp_batch_worker, &batch, NULL);
  fp_batch_worker (&batch);
  for (guint i = 1; i < n_threads; i++)
    g_clear_pointer (&threads[i], g_thread_join);
}
