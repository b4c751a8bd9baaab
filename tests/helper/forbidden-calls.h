// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/* 0: all of them were refused; else the number of one that was not. victim: a file that everybody may write */
int forbidden_calls_try (const char *victim, int has_another_filter);
const char *forbidden_calls_get_name (int number);
