/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsers of option values. Each sets an object of the type named first. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "base/options.h"

/** option_flag() - bool: true. */
option_parse_fn option_flag;

/** option_text() - const char *: any text, which may be empty. */
option_parse_fn option_text;

/** option_file() - const char *: the name of a file to write, not empty. */
option_parse_fn option_file;

/** option_number() - u64: parsed by parse_u64(). */
option_parse_fn option_number;

/** option_count() - u64: a whole number above 0. */
option_parse_fn option_count;

/** option_range() - u64: a whole number from spec->min to spec->max. */
option_parse_fn option_range;

/** option_seconds() - double: a duration such as 10, 0.5, 90s, 2m or 1h; above 0, up to a year. */
option_parse_fn option_seconds;

/** option_short_time() - u64: nanoseconds, given as 20us, 1.5ms or 1s; from 1 us to 1 s. */
option_parse_fn option_short_time;

/** option_rate() - u64: a period in ns; 1 to 20000 samples per second, fractions allowed. */
option_parse_fn option_rate;

/** option_percent() - double: a percentage from 0 to 100. */
option_parse_fn option_percent;

/** option_budget() - double: a percentage above 0, at most 100. The module would take 0 for its default. */
option_parse_fn option_budget;

/** option_points() - double: percentage points, above 0, at most 50. */
option_parse_fn option_points;

/** option_choice() - unsigned int: index in spec->choices. */
option_parse_fn option_choice;

/** option_second_choice() - bool: the second of the two spec->choices. */
option_parse_fn option_second_choice;

/** parse_u64() - parse a decimal number, in spite of leading zeros, or a 0x-hex one, with nothing after it. */
int parse_u64(const char *text, u64 *value_ret, struct text_error *error_ret);

/** parse_c_number() - parse a 0x-hex, decimal or 0-octal number, as in C, with nothing after it. */
int parse_c_number(const char *text, u64 *value_ret, struct text_error *error_ret);

#endif
