// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-input.h"
#include "fp-heap-states.h"
#include "fp-heap-texts.h"

G_BEGIN_DECLS

typedef enum
{
  FP_HEAP_PEAK,      /* bytes that were in use when the whole was at its peak */
  FP_HEAP_LEAKED,    /* bytes that were never freed */
  FP_HEAP_TEMPORARY, /* allocations that were freed before the next one */
  FP_HEAP_CALLS,
  FP_HEAP_N_COSTS,
} FpHeapCost;

typedef enum
{
  FP_HEAP_COMPLETE,
  FP_HEAP_CUT_OFF, /* the file ends before the recording does */
  FP_HEAP_DAMAGED, /* the rest cannot be read */
} FpHeapCondition;

/* function, file, module: numbers of texts */
typedef struct
{
  guint32 function;
  guint32 file;
  guint32 module;
  guint32 line;
  guint64 address; /* of a function that is not known; in the module in raw recordings, in the process in others */
} FpHeapFrame;

/* A frame with those that called it. Number 0 is the root, which has no frame. */
typedef struct
{
  guint32 frame;
  guint32 parent; /* smaller than its own number */
  guint32 depth;
} FpHeapNode;

/* A path that allocates. */
typedef struct
{
  guint32 node;
  guint64 calls;
  guint64 temporary;
  FpHeapHeld peak;
  FpHeapHeld leaked;
} FpHeapStack;

/* The blocks of similar size: those of class 0 have no byte, those of another from 1 << class - 1 on, below twice as much. */
typedef struct
{
  guint64 calls;
  guint64 bytes;
  guint64 leaked; /* bytes */
} FpHeapSizes;

#define FP_HEAP_N_SIZES 65

/* The content of a recording, by the paths on which memory was allocated. Never changed once it is made. */
typedef struct
{
  gatomicrefcount ref_count;
  const char *format; /* its name */
  char *command;      /* (nullable) */
  guint known;        /* a bit for each FpHeapCost */
  gboolean is_raw;    /* addresses have not got their functions yet */
  gboolean is_attached;
  gboolean is_snapshot; /* of a program that went on: what “leaked” was in use */
  gboolean has_times;
  gboolean is_whole_known; /* FALSE: stacks of little cost are not in the file one by one */
  gconstpointer recording; /* (nullable): of one that grows; nodes keep their numbers in all its profiles */
  FpHeapCondition condition;
  guint64 n_bad_lines;
  guint64 duration_ms;
  guint64 peak_ms;
  guint64 peak_rss; /* 0: not known */
  FpHeapStack total;
  FpHeapHeld suppressed;              /* not among what leaked */
  FpHeapSizes sizes[FP_HEAP_N_SIZES]; /* all 0 where the file has no single blocks */
  FpHeapTexts texts;
  GArray *frames; /* of FpHeapFrame */
  GArray *nodes;  /* of FpHeapNode */
  GArray *stacks; /* of FpHeapStack */
  FpHeapStates states;
} FpHeapProfile;

gboolean fp_heap_profile_recognizes (int fd);
FpHeapProfile *fp_heap_profile_read (int fd, FpHeapStepFunc step, gpointer data, GError **error);
FpHeapProfile *fp_heap_profile_ref (FpHeapProfile *self);
void fp_heap_profile_unref (FpHeapProfile *self);
GArray *fp_heap_profile_dup_stacks_at (const FpHeapProfile *self, guint64 time_ms, guint64 *found_ms);
GArray *fp_heap_profile_dup_stacks_between (const FpHeapProfile *self, guint64 *from_ms, guint64 *to_ms);

guint64 fp_heap_stack_get_cost (const FpHeapStack *self, FpHeapCost cost);
void fp_heap_stack_add (FpHeapStack *self, const FpHeapStack *other);
FpHeapStack fp_heap_stacks_sum (const GArray *stacks);

static inline guint
fp_heap_size_class_find (guint64 size)
{
  return size > 0 ? 64 - (guint)__builtin_clzll (size) : 0;
}

static inline guint64
fp_heap_size_class_get_least (guint class)
{
  return class > 0 ? G_GUINT64_CONSTANT (1) << (class - 1) : 0;
}

static inline const FpHeapFrame *
fp_heap_profile_get_frame (const FpHeapProfile *self,
                           guint32 node)
{
  return &g_array_index (self->frames, FpHeapFrame, g_array_index (self->nodes, FpHeapNode, node).frame);
}

static inline guint32
fp_heap_profile_get_parent (const FpHeapProfile *self,
                            guint32 node)
{
  return g_array_index (self->nodes, FpHeapNode, node).parent;
}

static inline const FpHeapStack *
fp_heap_profile_get_stack (const FpHeapProfile *self,
                           guint32 stack)
{
  return &g_array_index (self->stacks, FpHeapStack, stack);
}

static inline const char *
fp_heap_profile_get_text (const FpHeapProfile *self,
                          guint32 text)
{
  return fp_heap_texts_get (&self->texts, text);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapProfile, fp_heap_profile_unref)

G_END_DECLS
