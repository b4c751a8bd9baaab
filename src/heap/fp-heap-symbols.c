// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-heap-symbols.h"

/* A piece of code, in addresses of the file. */
typedef struct
{
  guint64 start, end;
  Dwarf_Die unit; /* that it was compiled in */
  Dwarf_Addr bias;
} Range;

/* A function in the table of symbols. */
typedef struct
{
  guint64 start, end;
  const char *name;
} Named;

/* A program or library. Addresses in it are those of the file: it stands at 0 in a session of its own. */
typedef struct
{
  char *path;
  GArray *loads;       /* of FpHeapLoad */
  gboolean is_tried;   /* to be opened */
  Dwfl *session;       /* (nullable) */
  Dwfl_Module *module; /* (nullable): not opened, or another version of the file */
  GArray *ranges;      /* (nullable): of Range, by their starts */
  GArray *names;       /* (nullable): of Named, the highest start first */
} Object;

struct _FpHeapSymbols
{
  GPtrArray *objects;
  GHashTable *by_path; /* number + 1 */
};

/* Debug information is looked for by build ID alone. The standard way would also ask a server on the net where the environment
 * names one. */
static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_build_id_find_debuginfo };

static void
object_free (gpointer data)
{
  Object *self = data;

  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->names, g_array_unref);
  g_clear_pointer (&self->session, dwfl_end);
  g_array_unref (self->loads);
  g_free (self->path);
  g_free (self);
}

FpHeapSymbols *
fp_heap_symbols_new (void)
{
  FpHeapSymbols *self = g_new (FpHeapSymbols, 1);

  self->objects = g_ptr_array_new_with_free_func (object_free);
  self->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
fp_heap_symbols_free (FpHeapSymbols *self)
{
  g_hash_table_unref (self->by_path);
  g_ptr_array_unref (self->objects);
  g_free (self);
}

/* Returns the number of the object. One that was loaded before keeps it. */
guint
fp_heap_symbols_add (FpHeapSymbols *self,
                     const char *path,
                     const FpHeapLoad *loads,
                     guint n_loads)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_path, path));
  Object *object;

  if (known > 0)
    return known - 1;
  object = g_new0 (Object, 1);
  object->path = g_strdup (path);
  object->loads = g_array_new (FALSE, FALSE, sizeof (FpHeapLoad));
  g_array_append_vals (object->loads, loads, n_loads);
  g_ptr_array_add (self->objects, object);
  g_hash_table_insert (self->by_path, object->path, GUINT_TO_POINTER (self->objects->len));
  return self->objects->len - 1;
}

/* A pipe would keep the reader waiting, and a device may do anything. */
static int
open_file (const char *path)
{
  int fd = *path == '/' ? open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
is_loaded_alike (const Object *self,
                 Elf *elf)
{
  gsize n;
  guint n_loads = 0;

  if (!elf || elf_getphdrnum (elf, &n) != 0)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      const FpHeapLoad *load;
      GElf_Phdr segment;

      if (!gelf_getphdr (elf, (int)i, &segment))
        return FALSE;
      if (segment.p_type != PT_LOAD)
        continue;
      if (n_loads == self->loads->len)
        return FALSE;
      load = &g_array_index (self->loads, FpHeapLoad, n_loads++);
      if (load->address != segment.p_vaddr || load->size != segment.p_memsz)
        return FALSE;
    }
  return n_loads > 0 && n_loads == self->loads->len;
}

static void
object_open (Object *self)
{
  int fd = open_file (self->path);
  Dwfl_Module *module = NULL;
  GElf_Addr bias;

  self->is_tried = TRUE;
  if (fd < 0)
    return;
  self->session = dwfl_begin (&callbacks);
  if (self->session)
    {
      dwfl_report_begin (self->session);
      module = dwfl_report_elf (self->session, self->path, self->path, fd, 0, true);
      dwfl_report_end (self->session, NULL, NULL);
    }
  if (!module)
    close (fd);
  else if (is_loaded_alike (self, dwfl_module_getelf (module, &bias)))
    self->module = module;
}

static const char *
get_name (Dwarf_Die *function)
{
  static const guint attributes[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name };
  const char *name = NULL;
  Dwarf_Attribute attribute;

  for (guint i = 0; i < G_N_ELEMENTS (attributes) && !name; i++)
    name = dwarf_formstring (dwarf_attr_integrate (function, attributes[i], &attribute));
  return name;
}

static guint64
get_number (Dwarf_Die *die,
            guint name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word value;

  return dwarf_formudata (dwarf_attr (die, name, &attribute), &value) == 0 ? value : 0;
}

/* The innermost function comes first. Each inlined one says from where it was called. */
static guint
walk_scopes (Dwarf_Die *unit,
             Dwarf_Die *scopes,
             int n_scopes,
             FpHeapSymbol *symbols,
             guint max)
{
  FpHeapSymbol next = symbols[0];
  Dwarf_Files *files = NULL;
  guint n = 0;
  gsize n_files;

  dwarf_getsrcfiles (unit, &files, &n_files);
  for (int i = 0; i < n_scopes && n < max; i++)
    {
      int tag = dwarf_tag (&scopes[i]);

      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
        continue;
      next.function = get_name (&scopes[i]);
      if (next.function)
        symbols[n++] = next;
      if (tag == DW_TAG_subprogram)
        break;
      next.file = files ? dwarf_filesrc (files, get_number (&scopes[i], DW_AT_call_file), NULL, NULL) : NULL;
      next.line = (guint32)get_number (&scopes[i], DW_AT_call_line);
    }
  return n;
}

static int
compare_ranges (gconstpointer a,
                gconstpointer b)
{
  guint64 x = ((const Range *)a)->start, y = ((const Range *)b)->start;

  return (x > y) - (x < y);
}

static void
list_ranges (Object *self)
{
  Dwarf_Addr bias = 0, base, start, end;
  Dwarf_Die *unit = NULL;

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  while ((unit = dwfl_module_nextcu (self->module, unit, &bias)))
    for (ptrdiff_t offset = 0; (offset = dwarf_ranges (unit, offset, &base, &start, &end)) > 0;)
      {
        const Range range = { start + bias, end + bias, *unit, bias };

        g_array_append_val (self->ranges, range);
      }
  g_array_sort (self->ranges, compare_ranges);
}

/* The table of addresses is there with GCC, and not with Clang: then each unit is asked once where its code is. */
static Dwarf_Die *
find_unit (Object *self,
           guint64 address,
           Dwarf_Addr *bias)
{
  Dwarf_Die *unit = dwfl_module_addrdie (self->module, address, bias);
  guint low = 0, high;

  if (unit)
    return unit;
  if (!self->ranges)
    list_ranges (self);
  for (high = self->ranges->len; low < high;)
    {
      guint middle = low + (high - low) / 2;
      Range *range = &g_array_index (self->ranges, Range, middle);

      *bias = range->bias;
      if (address < range->start)
        high = middle;
      else if (address >= range->end)
        low = middle + 1;
      else
        return &range->unit;
    }
  return NULL;
}

/* The scopes of an address leave what was inlined for where it was written, so that they are asked for once more by the
 * innermost one, of which all that surround it in the code are wanted. */
static guint
find_in_unit (Dwarf_Die *unit,
              guint64 address,
              FpHeapSymbol *symbols,
              guint max)
{
  Dwarf_Line *line = dwarf_getsrc_die (unit, address);
  Dwarf_Die *scopes = NULL, innermost;
  int number = 0, n = dwarf_getscopes (unit, address, &scopes);
  guint n_found = 0;

  if (line && dwarf_lineno (line, &number) == 0)
    {
      symbols[0].file = dwarf_linesrc (line, NULL, NULL);
      symbols[0].line = (guint32)MAX (number, 0);
    }
  if (n <= 0)
    return 0;
  innermost = scopes[0];
  g_clear_pointer (&scopes, free);
  n = dwarf_getscopes_die (&innermost, &scopes);
  if (n > 0)
    n_found = walk_scopes (unit, scopes, n, symbols, max);
  free (scopes);
  return n_found;
}

/* Many functions have several names, of which people use the one with the fewest underscores: strdup is __strdup, too. */
static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const Named *x = a, *y = b;
  gsize n = strspn (x->name, "_"), m = strspn (y->name, "_");

  if (x->start != y->start)
    return x->start < y->start ? 1 : -1;
  return n != m ? (n > m) - (n < m) : strcmp (x->name, y->name);
}

/* libdw would go through the whole table with each address. */
static void
list_names (Object *self)
{
  int n = dwfl_module_getsymtab (self->module);

  self->names = g_array_new (FALSE, FALSE, sizeof (Named));
  for (int i = 1; i < n; i++)
    {
      GElf_Addr address = 0;
      GElf_Sym symbol = { 0 };
      const char *name = dwfl_module_getsym_info (self->module, i, &symbol, &address, NULL, NULL, NULL);
      const Named named = { address, address + symbol.st_size, name };
      int type = GELF_ST_TYPE (symbol.st_info);

      if (name && *name && symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) && named.end > named.start)
        g_array_append_val (self->names, named);
    }
  g_array_sort (self->names, compare_names);
}

/* Functions that a stripped library does not name would count for the one in front of them: so an address has to be inside. */
static const char *
find_name (Object *self,
           guint64 address)
{
  guint low = 0, high;

  if (!self->names)
    list_names (self);
  for (high = self->names->len; low < high;)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->names, Named, middle).start > address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->names->len || address >= g_array_index (self->names, Named, low).end)
    return NULL;
  return g_array_index (self->names, Named, low).name;
}

/* Finds the function at an address of the object, in front of it all that are inlined there. Returns how many there are. */
guint
fp_heap_symbols_find (FpHeapSymbols *self,
                      guint object,
                      guint64 address,
                      FpHeapSymbol *symbols,
                      guint max)
{
  Object *found = g_ptr_array_index (self->objects, object);
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit;
  guint n;

  if (!found->is_tried)
    object_open (found);
  if (!found->module || max == 0)
    return 0;
  symbols[0] = (FpHeapSymbol){ 0 };
  unit = find_unit (found, address, &bias);
  n = unit ? find_in_unit (unit, address - bias, symbols, max) : 0;
  if (n > 0)
    return n;
  symbols[0].function = find_name (found, address);
  return symbols[0].function != NULL;
}
