// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "fp-mapping-query.h"

/* PROCMAP_QUERY of Linux 6.11; older headers lack it, older kernels answer ENOTTY. */
typedef struct
{
  guint64 size;
  guint64 flags;
  guint64 address;
  guint64 start;
  guint64 end;
  guint64 vma_flags;
  guint64 page_size;
  guint64 offset;
  guint64 inode;
  guint32 device_major;
  guint32 device_minor;
  guint32 name_size;
  guint32 build_id_size;
  guint64 name;
  guint64 build_id;
} QueryArgument;

#define QUERY_IOCTL _IOWR ('f', 17, QueryArgument)

/* 0 or an errno; ESTALE: there is another mapping now. */
static int
query (int maps_fd,
       const FpMapping *mapping,
       QueryArgument *argument)
{
  argument->size = sizeof *argument;
  argument->address = mapping->start;
  if (ioctl (maps_fd, QUERY_IOCTL, argument) != 0)
    return errno;
  return argument->start == mapping->start && argument->end == mapping->end ? 0 : ESTALE;
}

gboolean
fp_mapping_query_name (int maps_fd,
                       const FpMapping *mapping,
                       char *name,
                       gsize size)
{
  QueryArgument argument = { .name_size = (guint32)size, .name = (guint64)(gsize)name };

  return query (maps_fd, mapping, &argument) == 0 && argument.name_size > 0;
}

/* 0 or an errno. The kernel reads the file for it, as far as it does not have it in memory. */
int
fp_mapping_query_build_id (int maps_fd,
                           const FpMapping *mapping,
                           FpBuildId *id)
{
  QueryArgument argument = { .build_id_size = sizeof id->bytes, .build_id = (guint64)(gsize)id->bytes };
  int problem = query (maps_fd, mapping, &argument);

  id->size = 0;
  if (problem != 0)
    return problem;
  if (argument.inode != mapping->inode || argument.device_major != mapping->device_major ||
      argument.device_minor != mapping->device_minor)
    return ESTALE;
  id->size = MIN (argument.build_id_size, sizeof id->bytes);
  return 0;
}
