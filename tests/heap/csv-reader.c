// SPDX-License-Identifier: GPL-3.0-or-later
/* Reads a CSV file the way many programs do at first: each field has a block of its own with room for any text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE   __attribute__ ((noinline, noclone))
#define FIELD_SIZE 256
#define MAX_FIELDS 16

struct row
{
  char *fields[MAX_FIELDS];
  int n;
};

NOINLINE static void
read_row (struct row *row,
          char *line)
{
  char *rest = line, *field;

  for (row->n = 0; row->n < MAX_FIELDS && (field = strsep (&rest, ",\n")) && *field; row->n++)
    {
      row->fields[row->n] = malloc (FIELD_SIZE);
      strncpy (row->fields[row->n], field, FIELD_SIZE - 1);
      row->fields[row->n][FIELD_SIZE - 1] = '\0';
    }
}

NOINLINE static struct row *
read_table (FILE *file,
            size_t *n)
{
  struct row *rows = NULL;
  size_t room = 0;
  char line[1024];

  while (fgets (line, sizeof line, file))
    {
      if (*n == room)
        {
          room = room ? room * 2 : 16;
          rows = realloc (rows, room * sizeof *rows);
        }
      read_row (&rows[(*n)++], line);
    }
  return rows;
}

int
main (int argc,
      char **argv)
{
  FILE *file = argc > 1 ? fopen (argv[1], "r") : NULL;
  struct row *rows;
  size_t n = 0;

  if (!file)
    return 1;
  rows = read_table (file, &n);
  fclose (file);
  for (size_t i = 0; i < n; i++)
    for (int j = 0; j < rows[i].n; j++)
      free (rows[i].fields[j]);
  free (rows);
  return 0;
}
