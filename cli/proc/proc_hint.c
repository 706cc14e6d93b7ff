// SPDX-License-Identifier: GPL-2.0-only
/* Suggests another object to search: see proc_hint.h. */
#include <stdio.h>
#include <string.h>

#include "base/stat.h"
#include "base/text.h"
#include "proc/place_select.h"
#include "proc/proc_hint.h"

#define WHERE_LEN	(sizeof(((struct place_object *)0)->path) + 32)

/* The options that search an object, with a blank at the end. False: there are none. */
static bool search_options(const struct places *places, u32 at, char where[WHERE_LEN])
{
	const struct place_object *object = &places->objects[at];
	const char *name;

	if (at == CPUPROBE_OBJECT_KERNEL) {
		snprintf(where, WHERE_LEN, "-mode kernel ");
		return true;
	}
	name = object->kind == PLACE_MODULE ? object->path : places_map_name(places, at);
	if (!name || !text_is_word(name))
		return false;
	snprintf(where, WHERE_LEN, "%s-map %s ",
		 object->kind == PLACE_MODULE ? "-mode kernel " : "", name);
	return true;
}

/* The searchable object with the most hits, more than @most. False: none. */
static bool find_busier(const struct proc_hint *hint, u64 most, u32 *at_ret, char where[WHERE_LEN])
{
	const struct places *places = hint->places;
	bool is_found = false;
	u32 i;

	for (i = CPUPROBE_OBJECT_KERNEL; i < places->nr_objects; i++) {
		if (hint->object_hits[i] <= most ||
		    (hint->is_kernel && places->objects[i].kind != PLACE_MODULE) ||
		    !search_options(places, i, where))
			continue;
		most = hint->object_hits[i];
		*at_ret = i;
		is_found = true;
	}
	return is_found && search_options(places, *at_ret, where);
}

bool proc_hint_text(const struct proc_hint *hint, char *text, size_t len)
{
	const struct places *places = hint->places;
	u64 searched =
		hint->object_hits[hint->is_kernel ? CPUPROBE_OBJECT_KERNEL : CPUPROBE_OBJECT_EXE];
	const char *word = hint->word ? hint->word : "";
	char where[WHERE_LEN];
	u64 total = 0;
	u32 at, i;

	for (i = 0; i < CPUPROBE_OBJECTS; i++)
		total += hint->object_hits[i];
	if ((word[0] && !text_is_word(word)) || !find_busier(hint, searched, &at, where) ||
	    stat_wilson(hint->object_hits[at], total, hint->excess).lo <=
	    stat_wilson(searched, total, hint->excess).hi)
		return false;
	snprintf(text, len, "%.0f%% of %s was in %s: probe proc -%s %s%s%s%s",
		 100.0 * hint->object_hits[at] / total, places->task->name,
		 places->objects[at].name, hint->search, where, word,
		 word[0] && hint->has_command ? " " : "", hint->has_command ? "-- COMMAND..." : "");
	return true;
}
