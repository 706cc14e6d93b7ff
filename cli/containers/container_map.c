// SPDX-License-Identifier: GPL-2.0-only
/* From control groups to the rows of their containers: see container_map.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "containers/container_map.h"

#define PATH_LEN	4096	/* the innermost container is at the end */

struct group {
	u64 id;
	u32 row;
};

struct container_map {
	void (*get_path)(const struct cpuprobe_record *record, char *path, size_t len);
	const char *root;
	struct group *groups;
	u32 nr_groups;
	struct intern group_index;
	struct container_row *rows;
	u32 nr_rows;
	struct intern row_index;	/* by the text that is equal for all groups of a row */
	struct intern id_index;
	struct cpuprobe_record *records;
	size_t nr_records;
};

/** The text that identifies a row. A name found later must not change it. */
struct row_key {
	bool has_hash;
	char text[CONTAINER_LABEL_LEN];
};

struct container_map *container_map_create(void (*get_path)(const struct cpuprobe_record *record, char *path,
							    size_t len), const char *root)
{
	struct container_map *map = calloc(1, sizeof(*map));

	if (map) {
		map->get_path = get_path;
		map->root = root;
	}
	return map;
}

static void forget_groups(struct container_map *map)
{
	free(map->groups);
	free(map->rows);
	intern_deinit(&map->group_index);
	intern_deinit(&map->row_index);
	intern_deinit(&map->id_index);
	map->groups = NULL;
	map->rows = NULL;
	map->nr_groups = map->nr_rows = 0;
}

void container_map_destroy(struct container_map *map)
{
	if (!map)
		return;
	forget_groups(map);
	free(map->records);
	free(map);
}

void container_map_trim(struct container_map *map)
{
	if (map->nr_groups > CONTAINER_MAP_MAX)
		forget_groups(map);
}

static bool is_group(const void *owner, u32 position, const void *key)
{
	return ((const struct container_map *)owner)->groups[position].id == *(const u64 *)key;
}

static bool is_row_id(const void *owner, u32 position, const void *key)
{
	return ((const struct container_map *)owner)->rows[position].id == *(const u64 *)key;
}

/* Ids of digits are equal by their first digits, whatever is known of the runtime: names may be cut. */
static void make_key(const struct container *container, const char *label, struct row_key *key_ret)
{
	char id[CONTAINER_ID_LEN];

	memset(key_ret, 0, sizeof(*key_ret));
	key_ret->has_hash = container->runtime && container->has_hash;
	snprintf(key_ret->text, sizeof(key_ret->text), "%s",
		 key_ret->has_hash ? container_short_id(container, id) : label);
}

static bool is_row(const void *owner, u32 position, const void *key_at)
{
	const struct container_row *row = &((const struct container_map *)owner)->rows[position];
	const struct row_key *key = key_at;

	return key->has_hash ? !strncmp(row->container_id, key->text, strlen(key->text)) :
	       !strcmp(row->label, key->text);
}

static u64 hash_id(u64 id)
{
	return intern_hash(0, &id, sizeof(id));
}

/* Append a row that the map does not have. Out of memory: INTERN_NONE. */
static u32 add_row(struct container_map *map, u64 id, const struct container *container, const char *path,
		   const struct row_key *key)
{
	u32 at = map->nr_rows;
	struct container_row *row;

	if (!array_has_room(&map->rows, at, sizeof(*row)))
		return INTERN_NONE;
	row = &map->rows[at];
	memset(row, 0, sizeof(*row));
	row->id = id;
	row->runtime = container->runtime;
	memcpy(row->container_id, container->id, sizeof(row->container_id));
	memcpy(row->pod, container->pod, sizeof(row->pod));
	container_find_name(map->root, container, row->name);
	container_label(container, path, row->name, row->label);
	if (intern_add(&map->row_index, intern_hash(0, key->text, strlen(key->text)), at))
		return INTERN_NONE;
	map->nr_rows++;
	return intern_add(&map->id_index, hash_id(id), at) ? INTERN_NONE : at;
}

/* The path of a record's group, or its name if the group is gone: only a container's name tells enough. */
static void find_place(struct container_map *map, const struct cpuprobe_record *record,
		       struct container *container_ret, char path_ret[PATH_LEN])
{
	char name[CPUPROBE_NAME_LEN];

	map->get_path(record, path_ret, PATH_LEN);
	if (path_ret[0] == '/') {
		container_parse(path_ret, container_ret);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", CPUPROBE_NAME_LEN - 1, record->name);
	if (!path_ret[0])
		snprintf(path_ret, PATH_LEN, "%s", name);
	container_parse(name, container_ret);
	if (!container_ret->runtime)
		memset(container_ret, 0, sizeof(*container_ret));
}

/* @id: that of the group, for a row that is new */
static u32 find_row(struct container_map *map, u64 id, const struct container *container, const char *path)
{
	char label[CONTAINER_LABEL_LEN];
	struct row_key key;
	u32 at;

	container_label(container, path, NULL, label);
	make_key(container, label, &key);
	at = intern_find(&map->row_index, intern_hash(0, key.text, strlen(key.text)), is_row, map, &key);
	return at != INTERN_NONE ? at : add_row(map, id, container, path, &key);
}

/* The row of a group, which is looked up once. @record: its own; NULL: @path tells it. INTERN_NONE: out of memory. */
static u32 get_row(struct container_map *map, u64 id, const struct cpuprobe_record *record, const char *path)
{
	u32 at = intern_find(&map->group_index, hash_id(id), is_group, map, &id), row;
	struct container container;
	char found[PATH_LEN];

	if (at != INTERN_NONE)
		return map->groups[at].row;
	if (record)
		find_place(map, record, &container, found);
	else
		container_parse(path, &container);
	row = find_row(map, id, &container, record ? found : path);
	at = map->nr_groups;
	if (row == INTERN_NONE || !array_has_room(&map->groups, at, sizeof(*map->groups)) ||
	    intern_add(&map->group_index, hash_id(id), at))
		return INTERN_NONE;
	map->groups[at] = (struct group){ id, row };
	map->nr_groups++;
	return row;
}

const struct cpuprobe_record *container_map_records(struct container_map *map,
						    const struct cpuprobe_record *records, size_t nr)
{
	size_t i;

	if (!array_hold(&map->records, &map->nr_records, nr, sizeof(*map->records)))
		return NULL;
	for (i = 0; i < nr; i++) {
		struct cpuprobe_record *record = &map->records[i];
		u32 row;

		*record = records[i];
		if (record->kind != CPUPROBE_KIND_CGROUP)
			continue;
		row = get_row(map, record->id[0], record, NULL);
		if (row == INTERN_NONE)
			continue;
		record->id[0] = map->rows[row].id;
		record->id[1] = 1;
	}
	return map->records;
}

const struct container_row *container_map_row(struct container_map *map, const char *path)
{
	u32 row = get_row(map, intern_hash(0, path, strlen(path)), NULL, path);

	return row == INTERN_NONE ? NULL : &map->rows[row];
}

const struct container_row *container_map_find(const struct container_map *map, const __u64 id[2])
{
	u64 key = id[0];
	u32 at = id[1] == 1 ? intern_find(&map->id_index, hash_id(key), is_row_id, map, &key) : INTERN_NONE;

	return at == INTERN_NONE ? NULL : &map->rows[at];
}

void container_map_name(void *map, const struct cpuprobe_record *record, char *name, size_t len)
{
	const struct container_row *row = record->kind == CPUPROBE_KIND_CGROUP ?
		container_map_find(map, record->id) : NULL;

	name[0] = '\0';
	if (row)
		snprintf(name, len, "%s", row->label);
}
