// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-holder-records.h"
#include "fp-mapped-records.h"
#include "fp-mapped-values.h"

static gboolean
is_for_programs (const FpFormat *format)
{
  return !format || format->is_for_programs;
}

FpFigure
fp_value_mapped_processes (const FpRecords *records,
                           guint index)
{
  return fp_figure_exact (fp_mapped_records_get (records, index)->n_processes);
}

FpFigure
fp_value_mapped_users (const FpRecords *records,
                       guint index)
{
  return fp_figure_exact (fp_mapped_records_get (records, index)->n_users);
}

FpFigure
fp_value_mapped_mappings (const FpRecords *records,
                          guint index)
{
  return fp_figure_exact (fp_mapped_records_get (records, index)->n_mappings);
}

FpFigure
fp_file_copies_get_memory (const FpFileCopies *copies)
{
  return copies->is_bound ? fp_figure_at_least (copies->unchanged) : fp_figure_exact (copies->unchanged);
}

/* A file without a build ID may be a copy or not. */
FpFigure
fp_value_mapped_copies (const FpRecords *records,
                        guint index)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  const FpMappedFile *file = fp_mapped_files_get (files, index);

  if (file->id.inode == 0)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  if (!file->build_id)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (file->copies ? g_array_index (files->copies, FpFileCopies, file->copies - 1).n : 1);
}

const char *
fp_text_mapped_build_id (const FpRecords *records,
                         guint index,
                         const FpFormat *format)
{
  const FpMappedFile *file = fp_mapped_records_get (records, index);

  return file->build_id ? file->build_id : "";
}

const char *
fp_text_mapped_user (const FpRecords *records,
                     guint index,
                     const FpFormat *format)
{
  const char *user = fp_mapped_records_get_common (records, index, FP_TEXT_USER);

  return user ? user : is_for_programs (format) ? "several"
                                                : _ ("Several users");
}

const char *
fp_text_mapped_program (const FpRecords *records,
                        guint index,
                        const FpFormat *format)
{
  const char *program = fp_mapped_records_get_common (records, index, FP_TEXT_PROGRAM);

  return program ? program : is_for_programs (format) ? "several"
                                                      : _ ("Several programs");
}

/* A search has no format, so the same words find it in every language. */
const char *
fp_text_mapped_kind (const FpRecords *records,
                     guint index,
                     const FpFormat *format)
{
  const FpMappingKindInfo *info = &fp_mapping_kind_infos[fp_mapped_records_get (records, index)->kind];

  return is_for_programs (format) ? info->id : _ (info->title);
}

const char *
fp_text_mapped_state (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  static const struct
  {
    const char *id;
    const char *title;
  } states[] = {
    [FP_FILE_UNKNOWN] = { "", NULL },
    [FP_FILE_PRESENT] = { "present", N_ ("Present") },
    [FP_FILE_DELETED] = { "deleted", N_ ("Deleted") },
  },
    /* Translators: said of a file that was replaced by another one of the same name */
      updated = { "updated", N_ ("Updated") };
  const FpMappedFile *file = fp_mapped_records_get (records, index);

  if (file->is_updated)
    return is_for_programs (format) ? updated.id : _ (updated.title);
  return is_for_programs (format) || !states[file->state].title ? states[file->state].id : _ (states[file->state].title);
}

const char *
fp_text_mapped_file (const FpRecords *records,
                     guint index,
                     const FpFormat *format)
{
  const FpMappedFile *file = fp_mapped_records_get (records, index);

  if (fp_mapped_file_is_rest (file))
    return is_for_programs (format) ? "other" : _ ("Other files");
  if (!*file->name)
    return fp_text_mapped_kind (records, index, format);
  return is_for_programs (format) ? file->name : file->shown;
}

FpFigure
fp_value_holder_pid (const FpRecords *records,
                     guint index)
{
  const FpMappedProcess *process;

  fp_holder_records_get (records, index, &process);
  return fp_figure_exact ((guint64)process->id.pid);
}

const char *
fp_text_holder_program (const FpRecords *records,
                        guint index,
                        const FpFormat *format)
{
  return fp_holder_records_get_program (records, index);
}

const char *
fp_text_holder_file (const FpRecords *records,
                     guint index,
                     const FpFormat *format)
{
  return fp_text_mapped_file (fp_holder_records_get_files (records), fp_holder_records_get_file (records, index), format);
}
