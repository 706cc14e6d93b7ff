// SPDX-License-Identifier: GPL-2.0-only
/* Records of processes and the address spaces made of them: other users choose the paths. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "resolve/sideband.h"
#include "resolve/spaces.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

static void check(const struct spaces *spaces, u32 pid)
{
	const struct space *space = spaces_newest(spaces, pid);
	u32 i;

	for (i = 0; space && i < space->nr; i++) {
		fuzz_require(space->maps[i].start < space->maps[i].end, "a map without addresses");
		fuzz_require(!i || space->maps[i - 1].end <= space->maps[i].start, "maps overlap");
		fuzz_require(space_at(space, space->maps[i].end - 1) == &space->maps[i],
			     "a map is not found");
	}
}

static void take(struct spaces *spaces, const struct sideband_event *event)
{
	struct space *space = spaces_newest(spaces, event->pid);

	switch (event->kind) {
	case SIDEBAND_FORK:
		spaces_fork(spaces, event->pid, event->parent);
		break;
	case SIDEBAND_EXEC:
		spaces_add(spaces, event->pid, 0);
		break;
	case SIDEBAND_EXIT:
		spaces_exit(spaces, event->pid);
		break;
	case SIDEBAND_MAP:
		fuzz_require(event->map.start < event->map.end, "a map without addresses");
		if (!space)
			space = spaces_add(spaces, event->pid, 0);
		if (space)
			spaces_map(spaces, space, &event->map);
		break;
	case SIDEBAND_LOST:
		spaces_mark_incomplete(spaces);
		break;
	case SIDEBAND_OTHER:
		spaces_begin_round(spaces, true);
		break;
	}
	check(spaces, event->pid);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	static struct files files;
	struct perf_event_header header;
	struct sideband_event event;
	struct spaces *spaces;
	u64 *record;
	size_t at = 0;

	spaces = spaces_create(&files);
	/* Each fork copies what it inherits: spaces.h sets the limit. */
	fuzz_begin(len + SPACES_MAPS_MAX);
	for (; spaces && len - at >= sizeof(header); at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > len - at)
			break;
		/* The exact length, so that the sanitizer notices a read past the end. */
		record = malloc(header.size);
		memcpy(record, bytes + at, header.size);
		if (sideband_parse(record, header.size, &event))
			take(spaces, &event);
		free(record);
	}
	fuzz_end();
	spaces_destroy(spaces);
	files_deinit(&files);
	return 0;
}
