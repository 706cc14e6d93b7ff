// SPDX-License-Identifier: GPL-2.0-only
/* From the text of -event to an event: see event_find.h. */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "cpuprobe.h"
#include "events/event_find.h"
#include "events/event_names.h"
#include "events/pmu.h"

#define LIKE_MAX	4	/* names in a hint */

/** Names that a mistyped one may have meant. */
struct likes {
	const char *word;
	char text[192];
	size_t used;
	int nr;
};

static void add_like(struct likes *likes, const char *name)
{
	int len;

	if (likes->nr == LIKE_MAX || likes->used >= sizeof(likes->text))
		return;
	len = snprintf(likes->text + likes->used, sizeof(likes->text) - likes->used, "%s%s",
		       likes->nr ? ", " : "", name);
	likes->used += len;
	likes->nr++;
}

/* Whether one word contains the other, or is one or two typing errors away. */
static bool are_alike(const char *word, const char *name)
{
	return strcasestr(name, word) || strcasestr(word, name) || options_suggest(word, &name, 1);
}

static void add_pmu_like(void *context, const char *text)
{
	struct likes *likes = context;
	char name[EVENT_NAME_LEN];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(strchr(text, '/') + 1, "/"), strchr(text, '/') + 1);
	if (are_alike(likes->word, name))
		add_like(likes, text);
}

static int report_unknown(const char *root, const char *word, struct text_error *error_ret)
{
	struct likes likes = { .word = word };
	struct event_name name;
	size_t i;

	if (!strcmp(word, "cpu-clock") || !strcmp(word, "task-clock")) {
		text_fail(error_ret, 0, "%s is time, not an event", word);
		text_hint(error_ret, "leave -event out: time is sampled then");
		return -EINVAL;
	}
	for (i = 0; *word && event_name_at(i, &name); i++)
		if (are_alike(word, name.name))
			add_like(&likes, name.name);
	if (*word)
		pmu_each(root, add_pmu_like, &likes);
	text_fail(error_ret, 0, *word ? "unknown event '%s'" : "empty name of an event%s", word);
	text_hint(error_ret, likes.nr ? "like it: %s; 'probe events' lists those of this machine" :
		  "%s'probe events' lists those of this machine", likes.text);
	return -ENOENT;
}

/* "r01c2", as in perf: letters that are no hexadecimal digits make it a name. */
static bool is_raw(const char *word)
{
	return word[0] == 'r' && word[1] && strspn(word + 1, "0123456789abcdefABCDEF") == strlen(word + 1) &&
		strlen(word) <= 17;
}

/* Cuts ":u" or ":k" off, also "u" or "k" after the last slash. */
static int cut_modes(char *word, u32 *flags_ret, struct text_error *error_ret)
{
	char *slash = strrchr(word, '/'), *modes = slash ? slash + 1 : strchr(word, ':');

	*flags_ret = 0;
	/* One slash only is not of a PMU. */
	if (!modes || (slash && slash == strchr(word, '/')))
		return 0;
	if (*modes == ':')
		*modes++ = '\0';
	if (!strcmp(modes, "u") || !strcmp(modes, "k"))
		*flags_ret = *modes == 'u' ? CPUPROBE_EVENT_NO_KERNEL : CPUPROBE_EVENT_NO_USER;
	else if (*modes || !slash)
		return text_fail(error_ret, -EINVAL, "mode '%s' of an event is neither u (user) nor k (kernel)",
				 modes);
	*modes = '\0';
	return 0;
}

/* Whether a PMU counts hits of places that the user chooses. */
static bool is_of_places(const char *root, const struct event *event)
{
	static const char *const names[] = { "kprobe", "uprobe" };
	size_t i;
	u32 type;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!pmu_type(root, names[i], &type) && type == event->type)
			return true;
	return event->type == PERF_TYPE_TRACEPOINT || event->type == PERF_TYPE_BREAKPOINT;
}

/* Refuses what no session samples, whatever name it has. */
static int check_type(const char *root, const char *word, const struct event *event,
		      struct text_error *error_ret)
{
	if (event_is_software(event) && (event->config == PERF_COUNT_SW_CPU_CLOCK ||
					 event->config == PERF_COUNT_SW_TASK_CLOCK)) {
		text_fail(error_ret, 0, "%s is time, not an event", word);
		text_hint(error_ret, "leave -event out: time is sampled then");
		return -EINVAL;
	}
	if (!is_of_places(root, event))
		return 0;
	text_fail(error_ret, 0, "%s: tracepoints, breakpoints and probes are not sampled", word);
	text_hint(error_ret, "'probe calls' and 'probe trace' follow functions");
	return -EINVAL;
}

static int find_word(const char *root, const char *word, struct event *event, struct text_error *error_ret)
{
	struct event_name name;

	event->period = EVENT_PERIOD_OTHER;
	if (strchr(word, '/'))
		return pmu_find(root, word, event, error_ret) ?: check_type(root, word, event, error_ret);
	if (event_name_find(word, &name)) {
		event->type = name.type;
		event->config = name.config;
		event->period = name.period;
		return 0;
	}
	if (!is_raw(word))
		return report_unknown(root, word, error_ret);
	event->type = PERF_TYPE_RAW;
	event->config = strtoull(word + 1, NULL, 16);
	return 0;
}

/* Length of the first event: commas between slashes separate the terms of one. */
static size_t get_first_len(const char *text)
{
	bool is_inside = false;
	size_t len;

	for (len = 0; text[len] && (is_inside || text[len] != ','); len++)
		is_inside ^= text[len] == '/';
	return len;
}

int event_find(const char *root, const char *text, struct event *event_ret, struct text_error *error_ret)
{
	struct event event = { .name = "" };
	char word[EVENT_NAME_LEN];
	int error;

	if (text[get_first_len(text)]) {
		text_fail(error_ret, 0, "'%s': this command samples on one event", text);
		text_hint(error_ret, "start a run of each: 'probe start NAME -event %.*s'",
			  (int)get_first_len(text), text);
		return -EINVAL;
	}
	if (strlen(text) >= sizeof(word))
		return text_fail(error_ret, -EINVAL, "the name of an event has at most %zu characters",
				 sizeof(word) - 1);
	snprintf(word, sizeof(word), "%s", text);
	snprintf(event.name, sizeof(event.name), "%s", text);
	text_clean(event.name);
	error = cut_modes(word, &event.flags, error_ret) ?: find_word(root, word, &event, error_ret);
	if (!error)
		*event_ret = event;
	return error;
}

/* Whether it counts one of the events before it, perhaps under another name. */
static bool is_there(const struct event *events, unsigned int nr, const struct event *event)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (events[i].type == event->type && events[i].flags == event->flags &&
		    events[i].config == event->config && events[i].config1 == event->config1)
			return true;
	return false;
}

int event_find_several(const char *root, const char *text, struct event *events_ret, unsigned int *nr_ret,
		       struct text_error *error_ret)
{
	struct event events[EVENTS_MOST];
	char word[EVENT_NAME_LEN + 1];
	unsigned int nr = 0;
	int error;

	for (;;) {
		const size_t len = get_first_len(text);

		if (nr == EVENTS_MOST)
			return text_fail(error_ret, -EINVAL, "a run samples on at most %d events", EVENTS_MOST);
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		error = event_find(root, word, &events[nr], error_ret);
		if (error)
			return error;
		if (is_there(events, nr, &events[nr]))
			return text_fail(error_ret, -EINVAL, "event '%s' is there twice", word);
		nr++;
		if (!text[len])
			break;
		text += len + 1;
	}
	memcpy(events_ret, events, nr * sizeof(*events));
	*nr_ret = nr;
	return 0;
}
