// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-tar.h"

typedef struct
{
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char time[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[8];
  char user[32];
  char group[32];
  char device[16];
  char prefix[155];
  char padding[12];
} Header;

G_STATIC_ASSERT (sizeof (Header) == FP_TAR_BLOCK);

/* Octal digits, with blanks before them, and behind them a blank, a zero or the end. FALSE: it is none, such as GNU tar's
 * binary form of sizes from 8 GiB on */
static gboolean
scan_octal (const char *text,
            gsize size,
            guint64 *number)
{
  gsize i = 0;

  *number = 0;
  while (i < size && text[i] == ' ')
    i++;
  for (; i < size && text[i] >= '0' && text[i] <= '7'; i++)
    *number = *number << 3 | (guint64)(text[i] - '0');
  return i == size || text[i] == '\0' || text[i] == ' ';
}

/* The field of the checksum itself counts as blanks. */
static gboolean
has_right_checksum (const Header *header)
{
  const guint8 *bytes = (const guint8 *)header;
  guint64 expected, sum = 0;

  for (gsize i = 0; i < sizeof *header; i++)
    sum += bytes[i];
  for (gsize i = 0; i < sizeof header->checksum; i++)
    sum += ' ' - (guint64)(guint8)header->checksum[i];
  return scan_octal (header->checksum, sizeof header->checksum, &expected) && sum == expected;
}

static gboolean
is_empty (const guint8 *block)
{
  for (gsize i = 0; i < FP_TAR_BLOCK; i++)
    if (block[i])
      return FALSE;
  return TRUE;
}

/* Tells an archive by its first block; the oldest form has no other mark. */
gboolean
fp_tar_is_one (const guint8 *data,
               gsize size)
{
  Header header;

  if (size < sizeof header || is_empty (data))
    return FALSE;
  memcpy (&header, data, sizeof header);
  return header.name[0] && has_right_checksum (&header);
}

static FpTarType
get_type (const Header *header)
{
  switch (header->type)
    {
    case '\0':
    case '0':
    case '7':
      return FP_TAR_FILE;
    case '1':
    case '2':
      return FP_TAR_LINK;
    case '5':
      return FP_TAR_FOLDER;
    default:
      return FP_TAR_OTHER;
    }
}

/* POSIX alone splits a long name; GNU tar has other things in the place of its beginning. */
static void
take_name (FpTarMember *member,
           const Header *header)
{
  gboolean is_split = memcmp (header->magic, "ustar", sizeof "ustar") == 0 && header->prefix[0];
  gsize length = strnlen (header->name, sizeof header->name), start = 0;

  if (is_split)
    {
      start = strnlen (header->prefix, sizeof header->prefix);
      memcpy (member->name, header->prefix, start);
      member->name[start++] = '/';
    }
  memcpy (member->name + start, header->name, length);
  member->name[start + length] = '\0';
}

static gboolean
take_header (FpTarMember *member,
             const Header *header)
{
  guint64 uid, size;

  *member = (FpTarMember){ .type = get_type (header) };
  take_name (member, header);
  if (memcmp (header->magic, "ustar", strlen ("ustar")) == 0)
    memcpy (member->user, header->user, strnlen (header->user, sizeof header->user));
  if (!scan_octal (header->uid, sizeof header->uid, &uid) || !scan_octal (header->time, sizeof header->time, &member->time) ||
      !scan_octal (header->size, sizeof header->size, &size) || uid > G_MAXUINT32)
    return FALSE;
  member->uid = (guint32)uid;
  member->size = member->type == FP_TAR_FOLDER || member->type == FP_TAR_LINK ? 0 : size;
  return TRUE;
}

static void
skip (FpTar *self,
      gsize size)
{
  self->at += size;
  self->left -= size;
}

/* The data of a member fill whole blocks. */
FpTarStep
fp_tar_next (FpTar *self,
             FpTarMember *member)
{
  Header header;
  gsize room;

  if (self->left < sizeof header)
    return self->left == 0 ? FP_TAR_OVER : FP_TAR_CUT;
  if (is_empty (self->at))
    return FP_TAR_LAST;
  memcpy (&header, self->at, sizeof header);
  if (!has_right_checksum (&header) || !take_header (member, &header))
    return FP_TAR_DAMAGED;
  skip (self, sizeof header);
  if (member->size > self->left)
    return FP_TAR_CUT;
  room = (member->size + FP_TAR_BLOCK - 1) / FP_TAR_BLOCK * FP_TAR_BLOCK;
  if (room > self->left)
    return FP_TAR_CUT;
  member->data = (const char *)self->at;
  skip (self, room);
  return FP_TAR_MEMBER;
}
