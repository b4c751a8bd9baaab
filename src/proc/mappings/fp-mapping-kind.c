// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-mapping-kind.h"

/* Asked of 60,000 names a dozen times each: without measuring them, and mostly without a call. */
#define BEGINS(name, prefix) \
  ((name)[0] == (prefix)[0] && (name)[1] == (prefix)[1] && strncmp (name, prefix, sizeof prefix - 1) == 0)
#define IS(name, text) (BEGINS (name, text) && (name)[sizeof text - 1] == '\0')

const FpMappingKindInfo fp_mapping_kind_infos[FP_N_MAPPING_KINDS] = {
  [FP_MAPPING_HEAP] = { "heap", N_ ("Heap"), N_ ("What the program allocates piece by piece") },
  [FP_MAPPING_STACK] = { "stack", N_ ("Stacks"),
                         N_ ("The stack of the main thread, and of other threads that name theirs; most stacks of threads look like any other anonymous memory") },
  [FP_MAPPING_ANONYMOUS] = { "anonymous", N_ ("Anonymous"), N_ ("Large allocations, stacks of threads and other memory that belongs to no file") },
  [FP_MAPPING_NAMED] = { "named", N_ ("Anonymous with a name"), N_ ("Anonymous memory to which the program gave a name") },
  [FP_MAPPING_JIT] = { "jit", N_ ("Generated code"), N_ ("Executable memory that is not from a file on a disk, as just-in-time compilers make it") },
  [FP_MAPPING_CODE] = { "code", N_ ("Code"), N_ ("Code of the program and its libraries, shared with other processes that run it") },
  [FP_MAPPING_CONSTANTS] = { "constants", N_ ("Read-only data"), N_ ("Constants of programs and libraries, and files that are only read") },
  [FP_MAPPING_DATA] = { "data", N_ ("Writable data"), N_ ("Variables of the program and its libraries; pages that the process has changed are private") },
  [FP_MAPPING_FILE] = { "file", N_ ("Files changed in place"), N_ ("Files that are changed by writing to this memory") },
  [FP_MAPPING_SHARED_MEMORY] = { "shared_memory", N_ ("Shared memory"), N_ ("Memory shared between processes, and files kept in memory") },
  [FP_MAPPING_SYSTEM_V] = { "system_v", N_ ("System V shared memory"), N_ ("Shared memory with a number, as databases use it") },
  [FP_MAPPING_HUGE_POOL] = { "huge_pool", N_ ("Huge page pool"), N_ ("Reserved huge pages, which no memory figure includes") },
  [FP_MAPPING_DEVICE] = { "device", N_ ("Devices"), N_ ("Memory of the graphics card and other devices, and buffers shared with the kernel") },
  [FP_MAPPING_KERNEL] = { "kernel", N_ ("Kernel"), N_ ("Pages that the kernel adds to every process, such as the clock") },
  [FP_MAPPING_RESERVED] = { "reserved", N_ ("Reserved"), N_ ("Addresses that cannot be accessed: kept free for growth, or to catch errors") },
};

static gboolean
has_flag (const FpMapping *mapping,
          guint flag)
{
  return (mapping->flags >> flag & 1) != 0;
}

static gboolean
is_executable (const FpMapping *mapping)
{
  return mapping->permissions[2] == 'x';
}

/* The kind of an object of the kernel's own, which it calls deleted though it never was a file; FP_N_MAPPING_KINDS: it is
 * a file. The kernel's own file systems have no device behind them, and no path leads there. Btrfs and overlays have no
 * device either, so the name counts too: among the kernel's own, only a memfd is called what its program likes. */
FpMappingKind
fp_mapping_kind_of_internal (const FpMapping *mapping)
{
  static const struct
  {
    const char *name;
    FpMappingKind kind;
  } objects[] = {
    { "/memfd:", FP_MAPPING_SHARED_MEMORY },
    { "/dev/zero", FP_MAPPING_SHARED_MEMORY },
    { "/secretmem", FP_MAPPING_SHARED_MEMORY },
    { "/SYSV", FP_MAPPING_SYSTEM_V },
    { "/anon_hugepage", FP_MAPPING_HUGE_POOL },
    { "/drm mm object", FP_MAPPING_DEVICE },
    { "/i915", FP_MAPPING_DEVICE },
    { "/[aio]", FP_MAPPING_DEVICE },
  };
  const char *name = mapping->name;

  if (mapping->device_major != 0 || mapping->file_state == FP_FILE_PRESENT || name[0] != '/')
    return FP_N_MAPPING_KINDS;
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      gsize length = name[1] == objects[i].name[1] ? strlen (objects[i].name) : 0;

      if (length == 0 || strncmp (name, objects[i].name, length) != 0)
        continue;
      if (objects[i].kind == FP_MAPPING_SYSTEM_V && strspn (name + length, "0123456789abcdef") == 8)
        length += 8;
      if (i == 0 ? g_str_has_suffix (name, FP_DELETED) : strcmp (name + length, FP_DELETED) == 0)
        return objects[i].kind;
    }
  return FP_N_MAPPING_KINDS;
}

/* A file's name has no bracket in front: it begins at the root, whatever the file is called. */
static FpMappingKind
kind_of_anonymous (const FpMapping *mapping)
{
  const char *name = mapping->name;

  if (IS (name, "[heap]"))
    return FP_MAPPING_HEAP;
  if (IS (name, "[stack]") || BEGINS (name, "[stack:"))
    return FP_MAPPING_STACK;
  if (*name && !BEGINS (name, "[anon:") && !BEGINS (name, "[anon_shmem:"))
    return FP_MAPPING_KERNEL;
  if (is_executable (mapping))
    return FP_MAPPING_JIT;
  if (BEGINS (name, "[anon_shmem:"))
    return FP_MAPPING_SHARED_MEMORY;
  if (strncmp (mapping->permissions, "---", 3) == 0)
    return FP_MAPPING_RESERVED;
  /* glibc from 2.39 on, when it is told to; bionic always. */
  if (BEGINS (name, "[anon: glibc: pthread stack") || BEGINS (name, "[anon:stack_and_tls:") ||
      has_flag (mapping, FP_MAPPING_FLAG_GROWS_DOWN) || has_flag (mapping, FP_MAPPING_FLAG_SHADOW_STACK))
    return FP_MAPPING_STACK;
  if (BEGINS (name, "[anon: glibc: malloc") || BEGINS (name, "[anon: glibc: loader malloc") ||
      BEGINS (name, "[anon:libc_malloc]") || BEGINS (name, "[anon:scudo:"))
    return FP_MAPPING_HEAP;
  return *name ? FP_MAPPING_NAMED : FP_MAPPING_ANONYMOUS;
}

static gboolean
is_device (const FpMapping *mapping)
{
  return mapping->name[0] != '/' || BEGINS (mapping->name, "/dev/") ||
         (mapping->device_major == 0 && BEGINS (mapping->name, "/dmabuf:")) ||
         has_flag (mapping, FP_MAPPING_FLAG_DEVICE) || has_flag (mapping, FP_MAPPING_FLAG_PAGE_FRAMES);
}

static FpMappingKind
kind_of_file (const FpMapping *mapping,
              FpMappingKind internal)
{
  if (internal == FP_MAPPING_SYSTEM_V)
    return FP_MAPPING_SYSTEM_V;
  /* Its private mappings have anonymous pages, as if there were no file. */
  if (IS (mapping->name, "/dev/zero"))
    return is_executable (mapping) ? FP_MAPPING_JIT : FP_MAPPING_ANONYMOUS;
  if (internal == FP_MAPPING_SHARED_MEMORY || BEGINS (mapping->name, "/dev/shm/") || BEGINS (mapping->name, "/run/shm/"))
    return is_executable (mapping) ? FP_MAPPING_JIT : FP_MAPPING_SHARED_MEMORY;
  if (internal == FP_MAPPING_DEVICE || is_device (mapping))
    return FP_MAPPING_DEVICE;
  if (strncmp (mapping->permissions, "---", 3) == 0)
    return FP_MAPPING_RESERVED;
  if (is_executable (mapping))
    return FP_MAPPING_CODE;
  if (mapping->permissions[1] == 'w')
    return mapping->permissions[3] == 's' ? FP_MAPPING_FILE : FP_MAPPING_DATA;
  return FP_MAPPING_CONSTANTS;
}

FpMappingKind
fp_mapping_kind (const FpMapping *mapping)
{
  FpMappingKind internal = fp_mapping_kind_of_internal (mapping);

  if (has_flag (mapping, FP_MAPPING_FLAG_HUGE_POOL) || internal == FP_MAPPING_HUGE_POOL)
    return FP_MAPPING_HUGE_POOL;
  if (mapping->name[0] == '\0' || mapping->name[0] == '[')
    return kind_of_anonymous (mapping);
  return kind_of_file (mapping, internal);
}

/* NULL: there is no file, or only one that stands for anonymous memory. */
const char *
fp_mapping_get_file (const FpMapping *mapping)
{
  FpMappingKind internal = fp_mapping_kind_of_internal (mapping);

  if (mapping->name[0] == '\0' || mapping->name[0] == '[' || IS (mapping->name, "/dev/zero") ||
      internal == FP_MAPPING_HUGE_POOL || (internal == FP_MAPPING_SHARED_MEMORY && BEGINS (mapping->name, "/dev/zero")))
    return NULL;
  return mapping->shown;
}

/* The kernel marks deleted files only, so a file without the mark is present. */
FpFileState
fp_mapping_get_file_state (const FpMapping *mapping)
{
  if (mapping->file_state == FP_FILE_UNKNOWN && mapping->inode != 0 && mapping->name[0] == '/' &&
      !g_str_has_suffix (mapping->name, FP_DELETED))
    return FP_FILE_PRESENT;
  return mapping->file_state;
}

/* The program's name for its anonymous memory, or an empty text. It may hold printable ASCII but no [ ] \ $ or `. */
char *
fp_mapping_get_label (const FpMapping *mapping,
                      char *label,
                      gsize size)
{
  const char *name = mapping->name;
  gsize length;

  label[0] = '\0';
  if (!BEGINS (name, "[anon:") && !BEGINS (name, "[anon_shmem:"))
    return label;
  name = strchr (name, ':') + 1;
  name += *name == ' ';
  length = strlen (name);
  length -= length > 0 && name[length - 1] == ']';
  length = MIN (length, size - 1);
  memcpy (label, name, length);
  label[length] = '\0';
  return label;
}
