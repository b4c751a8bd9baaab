// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tells texts of the made-up languages, which stand between ⟦ and ⟧, from texts that are not translated. Names in the file that is
 * shown are given, and are the same in all languages. */
typedef struct _MadeLanguage MadeLanguage;

MadeLanguage *made_language_new (void);
void made_language_free (MadeLanguage *self);
void made_language_enter_locale (void);
void made_language_add_words (MadeLanguage *self, const char *text);
void made_language_add_names (MadeLanguage *self, const char *const *arguments);
gboolean made_language_is_given (MadeLanguage *self, const char *text);
char *made_language_find_rest (MadeLanguage *self, const char *text);

G_END_DECLS
