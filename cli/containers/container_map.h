/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts by control group become counts by container, pod or unit: the identity of each record is replaced
 * by that of the row its group belongs to. One thread at a time.
 */
#ifndef CONTAINER_MAP_H
#define CONTAINER_MAP_H

#include "containers/container_names.h"
#include "cpuprobe.h"
#include "types.h"

#define CONTAINER_MAP_MAX	4096	/* groups that container_map_trim() leaves */

/** A row: all groups of one container, pod or unit. */
struct container_row {
	u64 id;				/* of the first of its groups: identity of the row */
	enum container_runtime runtime;
	char container_id[CONTAINER_ID_LEN];
	char pod[CONTAINER_POD_LEN];
	char name[CONTAINER_NAME_LEN];	/* of the container; "": not known */
	char label[CONTAINER_LABEL_LEN];
};

struct container_map;

/**
 * container_map_create() - create an empty map. NULL: out of memory.
 * @get_path: writes the path of the group of a record, as cgroup_name() does; NULL: only paths will be asked
 * @root: as for container_find_name()
 */
struct container_map *container_map_create(void (*get_path)(const struct cpuprobe_record *record, char *path,
							    size_t len), const char *root);

/** container_map_destroy() - free a map. NULL is allowed. */
void container_map_destroy(struct container_map *map);

/**
 * container_map_records() - replace the identity of records of control groups: id[0] is that of the row, id[1]
 * is 1. Other records stay. If out of memory, groups keep their own identity.
 * Returns the records, in memory of the map that is valid until the next call; NULL: out of memory.
 */
const struct cpuprobe_record *container_map_records(struct container_map *map,
						    const struct cpuprobe_record *records, size_t nr);

/** container_map_find() - the row with this identity, valid until the next record; NULL: none. */
const struct container_row *container_map_find(const struct container_map *map, const __u64 id[2]);

/**
 * container_map_row() - the row of a group by its path, as container_parse() takes it; valid until the next record.
 * @path: another text is a row of its own. NULL: out of memory.
 */
const struct container_row *container_map_row(struct container_map *map, const char *path);

/** container_map_name() - the name of a record's row: a namer of fold_name_with(), with the map. */
void container_map_name(void *map, const struct cpuprobe_record *record, char *name, size_t len);

/**
 * container_map_trim() - forget all groups if they are more than CONTAINER_MAP_MAX, so that memory stays bounded.
 * Identities change: only while nothing has counts by them.
 */
void container_map_trim(struct container_map *map);

#endif
