// SPDX-License-Identifier: GPL-2.0-only
/* The code mappings of each process: see spaces.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "resolve/spaces.h"

static struct space **find_pid_bucket(const struct spaces *spaces, u32 pid)
{
	return (struct space **)&spaces->bucket[pid % SPACES_BUCKETS];
}

void spaces_touch(struct spaces *spaces, struct space *space)
{
	/* 0 is no layout. */
	if (!++spaces->last_layout)
		spaces->last_layout = 1;
	space->layout = spaces->last_layout;
}

static void clear_space_maps(struct spaces *spaces, struct space *space)
{
	u32 i;

	for (i = 0; i < space->nr; i++)
		files_put(space->maps[i].file);
	spaces->nr_maps -= space->nr;
	space->nr = 0;
}

static void destroy_space(struct spaces *spaces, struct space *space)
{
	clear_space_maps(spaces, space);
	free(space->maps);
	free(space);
	spaces->nr--;
}

struct spaces *spaces_create(struct files *files)
{
	struct spaces *spaces = calloc(1, sizeof(*spaces));

	if (!spaces)
		return NULL;
	spaces->files = files;
	spaces->round = 1;
	spaces->rounds_kept = SPACES_ROUNDS_KEPT;
	return spaces;
}

void spaces_destroy(struct spaces *spaces)
{
	struct space *space;
	size_t i;

	if (!spaces)
		return;
	for (i = 0; i < SPACES_BUCKETS; i++)
		while ((space = spaces->bucket[i])) {
			spaces->bucket[i] = space->next;
			destroy_space(spaces, space);
		}
	free(spaces);
}

void spaces_begin_round(struct spaces *spaces, bool has_exit_events)
{
	struct space **at, *space;
	size_t i;

	spaces->round++;
	for (i = 0; i < SPACES_BUCKETS; i++)
		for (at = &spaces->bucket[i]; (space = *at);) {
			u32 age = spaces->round - space->used_round;

			if (space->has_ended ? age <= spaces->rounds_kept :
			    has_exit_events || age <= SPACES_ROUNDS_IDLE) {
				at = &space->next;
				continue;
			}
			*at = space->next;
			destroy_space(spaces, space);
		}
}

struct space *spaces_newest(const struct spaces *spaces, u32 pid)
{
	struct space *space = *find_pid_bucket(spaces, pid);

	while (space && space->pid != pid)
		space = space->next;
	return space;
}

struct space *spaces_find(const struct spaces *spaces, u32 pid, u64 id)
{
	struct space *space = *find_pid_bucket(spaces, pid);

	while (space && (space->pid != pid || space->id != id || !id))
		space = space->next;
	return space;
}

struct space *spaces_find_mapping(const struct spaces *spaces, u32 pid, u64 addr)
{
	struct space *space = *find_pid_bucket(spaces, pid), *found = NULL;

	for (; space; space = space->next)
		if (space->pid == pid && space_at(space, addr) && (!found || !found->has_ended))
			found = space->has_ended || !found ? space : found;
	return found;
}

static bool has_mapped(const struct space *space, u64 inode)
{
	u32 i;

	for (i = 0; i < space->nr; i++)
		if (space->maps[i].file && space->maps[i].file->inode == inode)
			return true;
	return false;
}

struct space *spaces_find_nameless(const struct spaces *spaces, u32 pid, u64 inode, bool is_over)
{
	struct space *space = *find_pid_bucket(spaces, pid);

	for (; space; space = space->next)
		if (space->pid == pid && !space->id && (space->has_ended || !is_over) &&
		    (!inode || has_mapped(space, inode)))
			return space;
	return NULL;
}

static void end_space(struct spaces *spaces, struct space *space)
{
	if (!space || space->has_ended)
		return;
	space->has_ended = true;
	space->used_round = spaces->round;
}

/* Inserts a new space at @at in a bucket. */
static struct space *link_space(struct spaces *spaces, struct space **at, u32 pid, u64 id)
{
	struct space *space;

	if (spaces->nr >= SPACES_MAX) {
		spaces->nr_left_out++;
		return NULL;
	}
	space = calloc(1, sizeof(*space));
	if (!space)
		return NULL;
	*space = (struct space){ .next = *at, .pid = pid, .id = id,
		.serial = ++spaces->last_serial, .used_round = spaces->round };
	spaces_touch(spaces, space);
	*at = space;
	spaces->nr++;
	return space;
}

struct space *spaces_add(struct spaces *spaces, u32 pid, u64 id)
{
	struct space *before = spaces_newest(spaces, pid), *space;
	bool is_foreign = before && before->is_foreign;

	end_space(spaces, before);
	space = link_space(spaces, find_pid_bucket(spaces, pid), pid, id);
	if (space)
		space->is_foreign = is_foreign;
	return space;
}

struct space *spaces_add_past(struct spaces *spaces, u32 pid, u64 id)
{
	struct space **at = find_pid_bucket(spaces, pid), *space;

	while (*at)
		at = &(*at)->next;
	space = link_space(spaces, at, pid, id);
	if (space)
		space->has_ended = true;
	return space;
}

/* Makes room for @nr mappings of a space, which has space->nr of them already. */
static bool make_map_room(struct spaces *spaces, struct space *space, u32 nr)
{
	u32 room = space->room;
	void *more;

	if (nr > SPACE_MAPS_MAX || spaces->nr_maps - space->nr + nr > SPACES_MAPS_MAX) {
		spaces->nr_left_out++;
		return false;
	}
	while (room < nr)
		room = room ? 2 * room : 8;
	if (room == space->room)
		return true;
	more = realloc(space->maps, room * sizeof(*space->maps));
	if (!more)
		return false;
	space->maps = more;
	space->room = room;
	return true;
}

struct space *spaces_fork(struct spaces *spaces, u32 pid, u32 parent_pid)
{
	struct space *parent = spaces_newest(spaces, parent_pid), *space;
	u32 i;

	space = spaces_add(spaces, pid, parent ? parent->id : 0);
	if (space && parent)
		space->is_foreign = parent->is_foreign;
	if (!space || !parent || !make_map_room(spaces, space, parent->nr))
		return space;
	space->knowledge = parent->knowledge;
	for (i = 0; i < parent->nr; i++) {
		space->maps[i] = parent->maps[i];
		if (space->maps[i].file)
			files_hold(space->maps[i].file);
	}
	space->nr = parent->nr;
	space->layout = parent->layout;
	space->replaced_round = parent->replaced_round;
	space->replaced_start = parent->replaced_start;
	space->replaced_end = parent->replaced_end;
	spaces->nr_maps += space->nr;
	return space;
}

void spaces_exit(struct spaces *spaces, u32 pid)
{
	end_space(spaces, spaces_newest(spaces, pid));
}

void spaces_mark_incomplete(struct spaces *spaces)
{
	struct space *space;
	size_t i;

	for (i = 0; i < SPACES_BUCKETS; i++)
		for (space = spaces->bucket[i]; space; space = space->next)
			if (!space->has_ended && space->knowledge == SPACE_ALL)
				space->knowledge = SPACE_PART;
}

/* Returns the position of the first mapping that ends above @addr. */
static u32 find_first_map_above(const struct space *space, u64 addr)
{
	u32 low = 0, high = space->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (space->maps[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct space_map *space_at(const struct space *space, u64 addr)
{
	u32 i = find_first_map_above(space, addr);

	return i < space->nr && space->maps[i].start <= addr ? &space->maps[i] : NULL;
}

/* Returns the part of a mapping from @addr on. */
static struct space_map cut_map_start(const struct space_map *map, u64 addr)
{
	struct space_map tail = *map;

	tail.offset += addr - map->start;
	tail.start = addr;
	return tail;
}

/* Remembers where @next takes the place of other code, unless both are generated code. */
static void note_replaced(struct spaces *spaces, struct space *space, const struct space_map *old,
			  const struct space_map *next)
{
	u64 start = old->start > next->start ? old->start : next->start;
	u64 end = old->end < next->end ? old->end : next->end;
	bool is_first = space->replaced_round != spaces->round;

	if (old->file == next->file && (!old->file || old->file->kind == PROFILE_ANON ||
	    old->offset - old->start == next->offset - next->start))
		return;
	if (is_first || start < space->replaced_start)
		space->replaced_start = start;
	if (is_first || end > space->replaced_end)
		space->replaced_end = end;
	space->replaced_round = spaces->round;
}

void spaces_map(struct spaces *spaces, struct space *space, const struct sym_map *map)
{
	struct space_map pieces[3], *old, *next;
	u32 first = find_first_map_above(space, map->start), last, nr = 0, i;

	/* At most two more: an old mapping is split in two, with the new one between. */
	if (map->start >= map->end || !make_map_room(spaces, space, space->nr + 2))
		return;
	for (last = first; last < space->nr && space->maps[last].start < map->end; last++)
		;
	if (last > first && space->maps[first].start < map->start) {
		pieces[nr] = space->maps[first];
		pieces[nr++].end = map->start;
	}
	next = &pieces[nr++];
	*next = (struct space_map){ map->start, map->end, map->offset, files_get(spaces->files, map) };
	for (i = first; i < last; i++)
		note_replaced(spaces, space, &space->maps[i], next);
	old = last > first ? &space->maps[last - 1] : NULL;
	if (old && old->end > map->end)
		pieces[nr++] = cut_map_start(old, map->end);
	for (i = 0; i < nr; i++)
		if (pieces[i].start != map->start && pieces[i].file)
			files_hold(pieces[i].file);
	for (i = first; i < last; i++)
		files_put(space->maps[i].file);
	memmove(space->maps + first + nr, space->maps + last,
		(space->nr - last) * sizeof(*space->maps));
	memcpy(space->maps + first, pieces, nr * sizeof(*pieces));
	spaces->nr_maps += nr - (last - first);
	space->nr += nr - (last - first);
	spaces_touch(spaces, space);
}

/*
 * Whether any of @maps from @from on overlaps the space's mapping @old. Advances @from past maps below @old.
 */
static bool is_covered(struct spaces *spaces, struct space *space, const struct sym_maps *maps, size_t *from,
		       const struct space_map *old)
{
	size_t i;

	while (*from < maps->nr && maps->maps[*from].end <= old->start)
		++*from;
	for (i = *from; i < maps->nr && maps->maps[i].start < old->end; i++) {
		const struct sym_map *map = &maps->maps[i];
		struct space_map next = { map->start, map->end, map->offset, files_get(spaces->files, map) };

		note_replaced(spaces, space, old, &next);
		files_put(next.file);
	}
	return i > *from;
}

static int compare_space_maps(const void *a, const void *b)
{
	const struct space_map *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

void spaces_set_maps(struct spaces *spaces, struct space *space, const struct sym_maps *maps)
{
	u32 i, kept = 0;
	size_t from = 0;

	spaces_touch(spaces, space);
	for (i = 0; i < space->nr; i++) {
		if (is_covered(spaces, space, maps, &from, &space->maps[i]))
			files_put(space->maps[i].file);
		else
			space->maps[kept++] = space->maps[i];
	}
	spaces->nr_maps -= space->nr - kept;
	space->nr = kept;
	/* If there is no room for both, the current mappings matter more. */
	if (kept + maps->nr > SPACE_MAPS_MAX)
		clear_space_maps(spaces, space);
	if (maps->nr > SPACE_MAPS_MAX || !make_map_room(spaces, space, space->nr + maps->nr))
		return;
	for (from = 0; from < maps->nr; from++) {
		const struct sym_map *map = &maps->maps[from];

		/* The kernel's list is ordered and without overlaps; skip any that overlap. */
		if (from && map->start < map[-1].end)
			continue;
		space->maps[space->nr++] = (struct space_map){ map->start, map->end, map->offset,
							       files_get(spaces->files, map) };
		spaces->nr_maps++;
	}
	qsort(space->maps, space->nr, sizeof(*space->maps), compare_space_maps);
	space->knowledge = SPACE_ALL;
}
