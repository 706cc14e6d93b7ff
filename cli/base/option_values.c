// SPDX-License-Identifier: GPL-2.0-only
/* Parsers of option values: see option_values.h. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"

#define YEAR_SECONDS	(366 * 86400.0)

static int parse_in_base(const char *text, int base, u64 *value_ret, struct text_error *error_ret)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, base);
	if (!isdigit((unsigned char)text[0]) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (errno)
		return text_fail(error_ret, -EINVAL, "'%s' is too large", text);
	*value_ret = value;
	return 0;
}

int parse_u64(const char *text, u64 *value_ret, struct text_error *error_ret)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	return parse_in_base(text, is_hex ? 16 : 10, value_ret, error_ret);
}

int parse_c_number(const char *text, u64 *value_ret, struct text_error *error_ret)
{
	return parse_in_base(text, 0, value_ret, error_ret);
}

int option_number(const struct option_spec *spec, const char *text, void *at,
		  struct text_error *error_ret)
{
	return parse_u64(text, at, error_ret);
}

int option_range(const struct option_spec *spec, const char *text, void *at,
		 struct text_error *error_ret)
{
	u64 number;
	int error = parse_u64(text, &number, error_ret);

	if (error)
		return error;
	if (number < spec->min || number > spec->max)
		return text_fail(error_ret, -EINVAL, "'%s' is not from %llu to %llu", text,
				 spec->min, spec->max);
	*(u64 *)at = number;
	return 0;
}

static int parse_decimal(const char *text, double *value_ret, char **end)
{
	errno = 0;
	*value_ret = strtod(text, end);
	/* strtod() also accepts "inf", "nan" and "0x1p3", which are typing errors here. */
	return *end == text || errno || !isfinite(*value_ret) ||
	       strspn(text, "+-.0123456789eE") < (size_t)(*end - text) ? -EINVAL : 0;
}

int option_seconds(const struct option_spec *spec, const char *text, void *at,
		   struct text_error *error_ret)
{
	double seconds, unit = 1;
	char *end;

	if (parse_decimal(text, &seconds, &end))
		goto garbage;
	if (*end == 'm')
		unit = 60;
	else if (*end == 'h')
		unit = 3600;
	else if (*end && *end != 's')
		goto garbage;
	if (*end && end[1])
		goto garbage;
	seconds *= unit;
	if (seconds <= 0)
		return text_fail(error_ret, -EINVAL, "'%s' is not above zero", text);
	if (seconds > YEAR_SECONDS)
		return text_fail(error_ret, -EINVAL, "'%s' is more than a year", text);
	*(double *)at = seconds;
	return 0;

garbage:
	text_fail(error_ret, 0, "'%s' is not a duration", text);
	text_hint(error_ret, "a number of seconds, or a number with s, m or h after it");
	return -EINVAL;
}

int option_short_time(const struct option_spec *spec, const char *text, void *at,
		      struct text_error *error_ret)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	size_t unit = 0, nr = sizeof(units) / sizeof(units[0]);
	double time;
	char *end = NULL;

	if (!parse_decimal(text, &time, &end))
		while (unit < nr && strcmp(end, units[unit].name))
			unit++;
	else
		unit = nr;
	if (unit == nr) {
		text_fail(error_ret, 0, "'%s' is not a time with its unit", text);
		text_hint(error_ret, "a number with ns, us, ms or s after it, such as 20us");
		return -EINVAL;
	}
	time *= units[unit].ns;
	if (!(time >= 1e3 && time <= 1e9))
		return text_fail(error_ret, -EINVAL, "'%s' is not from 1us to 1s", text);
	*(u64 *)at = llround(time);
	return 0;
}

int option_rate(const struct option_spec *spec, const char *text, void *at,
		struct text_error *error_ret)
{
	double rate;
	char *end;

	if (parse_decimal(text, &rate, &end) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (rate < 1 || rate > 20000)
		return text_fail(error_ret, -EINVAL,
				 "'%s' is outside 1 to 20000 samples per second", text);
	*(u64 *)at = llround(1e9 / rate);
	return 0;
}

int option_count(const struct option_spec *spec, const char *text, void *at,
		 struct text_error *error_ret)
{
	u64 count;
	int error = parse_u64(text, &count, error_ret);

	if (text[0] == '-' || (!error && !count))
		return text_fail(error_ret, -EINVAL, "'%s' is not above zero", text);
	if (!error)
		*(u64 *)at = count;
	return error;
}

int option_percent(const struct option_spec *spec, const char *text, void *at,
		   struct text_error *error_ret)
{
	double percent;
	char *end;

	if (parse_decimal(text, &percent, &end) || *end || !(percent >= 0 && percent <= 100))
		return text_fail(error_ret, -EINVAL, "'%s' is not from 0 to 100", text);
	*(double *)at = percent;
	return 0;
}

int option_budget(const struct option_spec *spec, const char *text, void *at,
		  struct text_error *error_ret)
{
	int error = option_percent(spec, text, at, error_ret);

	return error || *(double *)at > 0 ? error :
		text_fail(error_ret, -EINVAL, "'%s' is not above 0", text);
}

int option_points(const struct option_spec *spec, const char *text, void *at,
		  struct text_error *error_ret)
{
	double points;
	char *end;

	if (parse_decimal(text, &points, &end) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (!(points > 0 && points <= 50))
		return text_fail(error_ret, -EINVAL, "'%s' is not above 0 and at most 50 points",
				 text);
	*(double *)at = points;
	return 0;
}

static int find_choice(const char *text, const char *const *choices, unsigned int *index_ret,
		       struct text_error *error_ret)
{
	char list[128] = "";
	unsigned int i;

	for (i = 0; choices[i]; i++) {
		if (!strcmp(text, choices[i])) {
			*index_ret = i;
			return 0;
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 choices[i]);
	}
	return text_fail(error_ret, -EINVAL, "'%s' is not one of %s", text, list);
}

int option_choice(const struct option_spec *spec, const char *text, void *at,
		  struct text_error *error_ret)
{
	return find_choice(text, spec->choices, at, error_ret);
}

int option_second_choice(const struct option_spec *spec, const char *text, void *at,
			 struct text_error *error_ret)
{
	unsigned int index;
	int error = find_choice(text, spec->choices, &index, error_ret);

	if (!error)
		*(bool *)at = index == 1;
	return error;
}

int option_flag(const struct option_spec *spec, const char *text, void *at,
		struct text_error *error_ret)
{
	*(bool *)at = true;
	return 0;
}

int option_file(const struct option_spec *spec, const char *text, void *at,
		struct text_error *error_ret)
{
	if (!text[0])
		return text_fail(error_ret, -EINVAL, "the file name is empty");
	*(const char **)at = text;
	return 0;
}

int option_text(const struct option_spec *spec, const char *text, void *at,
		struct text_error *error_ret)
{
	*(const char **)at = text;
	return 0;
}
