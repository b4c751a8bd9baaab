// SPDX-License-Identifier: GPL-3.0-or-later
#include "population-memory.h"

#define N_PIECES    16
#define PAGE        (4 * KIB)
#define HUGE_PAGE   (2 * MIB)
#define MIN_OF_HUGE (96 * MIB)
#define PSS_SHIFT   12 /* as the kernel divides pages */

/* Each process has touched some of its pieces; a piece is divided among those who have. */
typedef struct
{
  PopulationKind kind;
  guint64 piece_size;
  guint percent;
  guint n_users[N_PIECES];
} Segment;

struct _PopulationMemory
{
  Segment shared[N_SEGMENTS];
  GHashTable *programs; /* file of a program -> its Segment */
  PopulationTotals totals;
};

typedef struct
{
  guint64 own[POPULATION_N_KINDS];
  guint64 shared[POPULATION_N_KINDS];
  guint64 divided[POPULATION_N_KINDS]; /* of the shared, shifted by PSS_SHIFT */
} Sums;

/* 0 to 999, the same for the same numbers for ever */
guint
population_scatter (guint a,
                    guint b,
                    guint c)
{
  guint32 x = a * 0x9e3779b1u + b * 0x85ebca77u + c * 0xc2b2ae3du;

  x = (x ^ x >> 15) * 0x2c1b3c6du;
  x = (x ^ x >> 12) * 0x297a2d39u;
  return (x ^ x >> 15) % 1000;
}

static guint64
whole_pages (guint64 size)
{
  return size / PAGE * PAGE;
}

/* A line's figure is what one of it has in the middle. */
static guint64
spread_size (const PopulationMember *member,
             guint kib,
             guint salt)
{
  guint spread = member->line->spread ? member->line->spread : 50;
  guint permille = 1000 - spread * 5 + population_scatter ((guint)member->pid, salt, 0) * spread / 100;

  if (member->line->n == 1)
    permille = 960 + population_scatter ((guint)member->pid, salt, 0) / 12;
  return whole_pages (kib * KIB * permille / 1000);
}

static guint64
get_own (const PopulationMember *member)
{
  return spread_size (member, member->line->own_kib, 1);
}

static guint64
get_swap (const PopulationMember *member)
{
  return spread_size (member, member->line->swap_kib, 2);
}

static guint64
get_page_tables (guint64 resident,
                 guint64 swap)
{
  return whole_pages ((resident + swap) / 512) + 11 * PAGE;
}

static guint64
get_huge (const PopulationMember *member)
{
  guint64 own = get_own (member);

  return own < MIN_OF_HUGE ? 0 : own / 3 / HUGE_PAGE * HUGE_PAGE;
}

static gboolean
touches (const PopulationMember *member,
         const Segment *segment,
         guint salt,
         guint piece)
{
  return population_scatter ((guint)member->pid, salt, piece) < segment->percent * 10;
}

static void
add_user (Segment *self,
          const PopulationMember *member,
          guint salt)
{
  for (guint piece = 0; piece < N_PIECES; piece++)
    self->n_users[piece] += touches (member, self, salt, piece);
}

static void
add_shares (const Segment *self,
            const PopulationMember *member,
            guint salt,
            Sums *sums)
{
  for (guint piece = 0; piece < N_PIECES; piece++)
    if (!touches (member, self, salt, piece))
      continue;
    else if (self->n_users[piece] == 1)
      sums->own[self->kind] += self->piece_size;
    else
      {
        sums->shared[self->kind] += self->piece_size;
        sums->divided[self->kind] += (self->piece_size << PSS_SHIFT) / self->n_users[piece];
      }
}

static Segment *
get_program (PopulationMemory *self,
             const PopulationMember *member)
{
  Segment *program = g_hash_table_lookup (self->programs, member->exe);

  if (program)
    return program;
  program = g_new0 (Segment, 1);
  program->kind = POPULATION_FILE;
  program->percent = 85;
  program->piece_size = whole_pages ((MIN (member->line->own_kib, 90000) / 6 + 420) * KIB / N_PIECES);
  g_hash_table_insert (self->programs, member->exe, program);
  return program;
}

static void
add_member (PopulationMemory *self,
            const PopulationMember *member)
{
  PopulationTotals *totals = &self->totals;

  totals->n_threads += member->line->threads;
  if (!member->exe)
    return;
  totals->pages[POPULATION_ANON] += get_own (member);
  totals->swap += get_swap (member);
  totals->huge += get_huge (member);
  for (guint i = 0; i < N_SEGMENTS; i++)
    if (member->line->segments >> i & 1)
      add_user (&self->shared[i], member, i);
  add_user (get_program (self, member), member, N_SEGMENTS);
}

static void
add_pages (PopulationTotals *totals,
           const Segment *segment)
{
  for (guint piece = 0; piece < N_PIECES; piece++)
    if (segment->n_users[piece] > 0)
      totals->pages[segment->kind] += segment->piece_size;
}

static Sums
add_up (const PopulationMemory *self,
        const PopulationMember *member)
{
  Sums sums = { .own = { [POPULATION_ANON] = get_own (member) } };

  for (guint i = 0; i < N_SEGMENTS; i++)
    if (member->line->segments >> i & 1)
      add_shares (&self->shared[i], member, i, &sums);
  add_shares (g_hash_table_lookup (self->programs, member->exe), member, N_SEGMENTS, &sums);
  return sums;
}

static guint64
get_resident (const Sums *sums)
{
  guint64 resident = 0;

  for (guint kind = 0; kind < POPULATION_N_KINDS; kind++)
    resident += sums->own[kind] + sums->shared[kind];
  return resident;
}

/* members: of PopulationMember, which must outlive it */
PopulationMemory *
population_memory_new (const GArray *members)
{
#define SEGMENT_INIT(id, of_kind, kib, percent_touched) \
  [SEGMENT_##id] = { .kind = POPULATION_##of_kind, .piece_size = KIB * (kib) / N_PIECES / PAGE * PAGE, .percent = percent_touched },
  static const Segment segments[N_SEGMENTS] = { POPULATION_SEGMENTS (SEGMENT_INIT) };
#undef SEGMENT_INIT
  PopulationMemory *self = g_new0 (PopulationMemory, 1);
  GHashTableIter iter;
  gpointer program;

  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < N_SEGMENTS; i++)
    self->shared[i] = segments[i];
  for (guint i = 0; i < members->len; i++)
    add_member (self, &g_array_index (members, PopulationMember, i));
  for (guint i = 0; i < N_SEGMENTS; i++)
    add_pages (&self->totals, &self->shared[i]);
  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &program))
    add_pages (&self->totals, program);
  for (guint i = 0; i < members->len; i++)
    {
      const PopulationMember *member = &g_array_index (members, PopulationMember, i);
      Sums sums;

      if (!member->exe)
        continue;
      sums = add_up (self, member);
      self->totals.page_tables += get_page_tables (get_resident (&sums), get_swap (member));
    }
  return self;
}

void
population_memory_free (PopulationMemory *self)
{
  g_hash_table_unref (self->programs);
  g_free (self);
}

const PopulationTotals *
population_memory_get_totals (const PopulationMemory *self)
{
  return &self->totals;
}

static guint64
whole_kib (guint64 divided)
{
  return (divided >> PSS_SHIFT) / KIB * KIB;
}

static void
set_rollup (FpMemory *memory,
            const PopulationMember *member,
            const Sums *sums)
{
  guint64 pss[POPULATION_N_KINDS], all = 0;
  guint64 swap = get_swap (member);

  for (guint kind = 0; kind < POPULATION_N_KINDS; kind++)
    {
      pss[kind] = (sums->own[kind] << PSS_SHIFT) + sums->divided[kind];
      all += pss[kind];
    }
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].origin == FP_ORIGIN_SMAPS)
      fp_memory_set (memory, field, 0);
  fp_memory_set (memory, FP_FIELD_RSS, get_resident (sums));
  fp_memory_set (memory, FP_FIELD_PSS, whole_kib (all));
  fp_memory_set (memory, FP_FIELD_PSS_DIRTY, whole_kib (pss[POPULATION_ANON] + pss[POPULATION_SHMEM]));
  fp_memory_set (memory, FP_FIELD_PSS_ANON, whole_kib (pss[POPULATION_ANON]));
  fp_memory_set (memory, FP_FIELD_PSS_FILE, whole_kib (pss[POPULATION_FILE]));
  fp_memory_set (memory, FP_FIELD_PSS_SHMEM, whole_kib (pss[POPULATION_SHMEM]));
  fp_memory_set (memory, FP_FIELD_SHARED_CLEAN, sums->shared[POPULATION_FILE]);
  fp_memory_set (memory, FP_FIELD_SHARED_DIRTY, sums->shared[POPULATION_ANON] + sums->shared[POPULATION_SHMEM]);
  fp_memory_set (memory, FP_FIELD_PRIVATE_CLEAN, sums->own[POPULATION_FILE]);
  fp_memory_set (memory, FP_FIELD_PRIVATE_DIRTY, sums->own[POPULATION_ANON] + sums->own[POPULATION_SHMEM]);
  fp_memory_set (memory, FP_FIELD_REFERENCED, whole_pages (get_resident (sums) / 100 * 83));
  fp_memory_set (memory, FP_FIELD_ANONYMOUS, sums->own[POPULATION_ANON] + sums->shared[POPULATION_ANON]);
  fp_memory_set (memory, FP_FIELD_ANON_HUGE, get_huge (member));
  fp_memory_set (memory, FP_FIELD_SWAP, swap);
  fp_memory_set (memory, FP_FIELD_SWAP_PSS, swap);
}

static void
set_status (FpMemory *memory,
            const PopulationMember *member,
            const Sums *sums)
{
  static const FpField parts[POPULATION_N_KINDS] = { FP_FIELD_RSS_ANON, FP_FIELD_RSS_FILE, FP_FIELD_RSS_SHMEM };
  guint64 resident = get_resident (sums), swap = get_swap (member);
  guint64 grown = resident + whole_pages (resident / 4000 * population_scatter ((guint)member->pid, 3, 0));

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].origin == FP_ORIGIN_STATUS)
      fp_memory_set (memory, field, 0);
  for (guint kind = 0; kind < POPULATION_N_KINDS; kind++)
    fp_memory_set (memory, parts[kind], sums->own[kind] + sums->shared[kind]);
  fp_memory_set (memory, FP_FIELD_RSS, resident);
  fp_memory_set (memory, FP_FIELD_PEAK_RSS, grown);
  fp_memory_set (memory, FP_FIELD_VM_SIZE, grown * 2 + swap + 64 * MIB * member->line->threads);
  fp_memory_set (memory, FP_FIELD_VM_PEAK, grown * 2 + swap + 64 * MIB * (member->line->threads + 1));
  fp_memory_set (memory, FP_FIELD_VM_DATA, grown + swap + 8 * MIB * member->line->threads);
  fp_memory_set (memory, FP_FIELD_VM_STACK, 33 * PAGE);
  fp_memory_set (memory, FP_FIELD_VM_CODE, whole_pages (sums->own[POPULATION_FILE] / 2) + 64 * PAGE);
  fp_memory_set (memory, FP_FIELD_VM_LIBRARY, sums->shared[POPULATION_FILE] + 512 * PAGE);
  fp_memory_set (memory, FP_FIELD_VM_SWAP, swap);
  fp_memory_set (memory, FP_FIELD_PTE, get_page_tables (resident, swap));
}

/* As if its smaps_rollup could be read: what may not be known is to be cleared. */
void
population_memory_measure (const PopulationMemory *self,
                           const PopulationMember *member,
                           FpMemory *memory)
{
  Sums sums = add_up (self, member);

  set_status (memory, member, &sums);
  set_rollup (memory, member, &sums);
  fp_memory_derive (memory);
}
