// SPDX-License-Identifier: GPL-2.0-only
/* A count read from a file: see counter.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/counter.h"

/* Reads the first number anywhere in the file, so "requests: 12" works. */
static bool read_number(const char *path, u64 *number_ret)
{
	char text[4096];
	const char *digit;
	size_t got;
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	got = fread(text, 1, sizeof(text) - 1, file);
	text[got] = '\0';
	fclose(file);
	for (digit = text; *digit && !isdigit((unsigned char)*digit); digit++)
		;
	errno = *digit ? 0 : ENODATA;
	*number_ret = strtoull(digit, NULL, 10);
	return !errno;
}

int counter_init(struct counter *counter, const char *path, struct text_error *error_ret)
{
	*counter = (struct counter){ .path = path };
	counter_begin(counter);
	if (!counter->has_before)
		return text_fail(error_ret, -errno, "read the count from %s: %s", path,
				 errno == ENODATA ? "it contains no number" : strerror(errno));
	return 0;
}

void counter_begin(struct counter *counter)
{
	counter->has_before = read_number(counter->path, &counter->before);
}

void counter_end(struct counter *counter)
{
	counter->has_after = read_number(counter->path, &counter->after);
}

int counter_get(const struct counter *counter, u64 *count_ret, struct text_error *error_ret)
{
	if (!counter->has_before || !counter->has_after)
		return text_fail(error_ret, -EINVAL, "read the count from %s: it contained no "
				 "number at the %s", counter->path,
				 counter->has_before ? "end" : "start");
	if (counter->after <= counter->before)
		return text_fail(error_ret, -EINVAL,
				 "count from %s: it went from %llu to %llu, so "
				 "the time of one execution is unknown",
				 counter->path, counter->before, counter->after);
	*count_ret = counter->after - counter->before;
	return 0;
}
