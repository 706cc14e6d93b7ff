// SPDX-License-Identifier: GPL-2.0-only
/* Limits of rows' shares: see alarm.h. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "sys/alarm.h"
#include "sys/table_columns.h"

int alarm_parse(const struct option_spec *spec, const char *value, void *at,
		struct text_error *error_ret)
{
	struct alarm_limits *limits = at;
	struct alarm_limit *limit = &limits->limit[limits->nr];
	const char *sign = value + strlen(value);
	size_t len;

	/* The name may contain either sign; the number cannot. */
	while (sign > value && *sign != '>' && *sign != '<')
		sign--;
	len = sign - value;
	if (!len) {
		text_fail(error_ret, 0, "'%s' is not a row and a limit", value);
		text_hint(error_ret, "the name of a row, > or <, and percent, such as 'nginx>80'");
		return -EINVAL;
	}
	if (len >= sizeof(limit->name))
		return text_fail(error_ret, -EINVAL, "the name in '%s' is too long", value);
	if (limits->nr == ALARMS_MAX)
		return text_fail(error_ret, -EINVAL, "more than %d alarms", ALARMS_MAX);
	if (option_percent(spec, sign + 1, &limit->percent, error_ret))
		return -EINVAL;
	memcpy(limit->name, value, len);
	limit->name[len] = '\0';
	limit->is_upper = *sign == '>';
	limits->nr++;
	return 0;
}

/* Whether a row has the name, possibly with the directory that tells it from another row. */
static bool has_name(const struct row *row, const char *name)
{
	size_t len = strlen(name);

	return !strcmp(row->name, name) ||
	       (row->kind == CPUPROBE_KIND_EXE && !strncmp(row->name, name, len) &&
		!strncmp(row->name + len, " (", 2));
}

bool alarm_judge(const struct alarm_limit *limit, const struct rows *rows, enum output_ci ci,
		 struct share *share_ret)
{
	double total = 0;
	size_t i;

	for (i = 0; i < rows->nr; i++)
		if (has_name(&rows->row[i], limit->name))
			total += rows->row[i].total;
	*share_ret = table_share(total, rows, ci, 100);
	return limit->is_upper ? share_ret->lo > limit->percent : share_ret->hi < limit->percent;
}

void alarm_print(FILE *out, const struct alarm_limit *limit, const struct share *share,
		 double unix_seconds)
{
	char name[FOLD_NAME_LEN], time[32];

	snprintf(name, sizeof(name), "%s", limit->name);
	text_plain_as(name, text_is_utf8(out));
	fprintf(out, "probe: alarm: %s: %.2f%% (95%% interval %.2f to %.2f) is %s %g%%, since %s\n",
		name, share->value, share->lo, share->hi, limit->is_upper ? "above" : "below",
		limit->percent, text_time(unix_seconds, time, sizeof(time)));
}
