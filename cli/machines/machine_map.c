// SPDX-License-Identifier: GPL-2.0-only
/* From processes to the rows of their virtual machines: see machine_map.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"
#include "base/intern.h"
#include "bpf/proc_task.h"
#include "machines/machine_look.h"
#include "machines/machine_map.h"

#define NO_MACHINE	INTERN_NONE

/** A process that has samples. */
struct known {
	__u64 id[2];			/* of its records */
	u32 nr_seen;			/* records so far */
	u32 machine;			/* position of its name; NO_MACHINE: it is none */
	char program[CPUPROBE_NAME_LEN];
	struct cpuprobe_record row;	/* identity and name of its row */
};

struct machine {
	u64 id;
	u32 pid;			/* the last process of this name */
	char name[MACHINE_NAME_LEN];
};

struct machine_map {
	const char *proc;
	bool has_kvm;
	struct known *known;
	u32 nr_known;
	u32 most_known;			/* then programs that are no machines are forgotten */
	struct intern known_index;
	struct machine *machines;
	u32 nr_machines;
	struct intern machine_index;	/* by name */
	struct cpuprobe_record *records;
	size_t nr_records;
};

struct machine_map *machine_map_create(const char *proc, bool has_kvm)
{
	struct machine_map *map = calloc(1, sizeof(*map));

	if (map) {
		map->proc = proc;
		map->has_kvm = has_kvm;
		map->most_known = MACHINE_MAP_MAX;
	}
	return map;
}

static void forget_all(struct machine_map *map)
{
	free(map->known);
	free(map->machines);
	intern_deinit(&map->known_index);
	intern_deinit(&map->machine_index);
	map->known = NULL;
	map->machines = NULL;
	map->nr_known = map->nr_machines = 0;
}

void machine_map_destroy(struct machine_map *map)
{
	if (!map)
		return;
	forget_all(map);
	free(map->records);
	free(map);
}

void machine_map_trim(struct machine_map *map)
{
	if (map->nr_known > MACHINE_MAP_MAX)
		forget_all(map);
}

/* An id of a name, which is saved. Never 0. */
static u64 hash_name(const void *name, size_t len)
{
	return fnv_hash(name, len) ?: 1;
}

static bool is_known(const void *owner, u32 position, const void *key)
{
	return !memcmp(((const struct machine_map *)owner)->known[position].id, key, sizeof(__u64[2]));
}

static bool is_machine(const void *owner, u32 position, const void *key)
{
	return !strcmp(((const struct machine_map *)owner)->machines[position].name, key);
}

static u32 find_machine(const struct machine_map *map, const char *name)
{
	return intern_find(&map->machine_index, intern_hash(0, name, strlen(name)), is_machine, map, name);
}

/* Position of the machine of this name. NO_MACHINE: out of memory. */
static u32 get_machine(struct machine_map *map, const char *name, u32 pid)
{
	u32 at = find_machine(map, name);

	if (at == INTERN_NONE) {
		at = map->nr_machines;
		if (!array_has_room(&map->machines, at, sizeof(*map->machines)) ||
		    intern_add(&map->machine_index, intern_hash(0, name, strlen(name)), at))
			return NO_MACHINE;
		map->nr_machines++;
		map->machines[at] = (struct machine){ .id = hash_name(name, strlen(name)) };
		snprintf(map->machines[at].name, MACHINE_NAME_LEN, "%s", name);
	}
	map->machines[at].pid = pid;
	return at;
}

/* Make a process a machine. The name tells it from another one of the same name that still runs. */
static void become_machine(struct machine_map *map, struct known *known, const struct cpuprobe_record *record)
{
	char name[MACHINE_NAME_LEN], numbered[MACHINE_NAME_LEN];
	u32 pid = record->id[0] >> 32, other;

	machine_look_name(map->proc, pid, name);
	other = name[0] ? find_machine(map, name) : INTERN_NONE;
	if (!name[0] || (other != INTERN_NONE && map->machines[other].pid != pid &&
			 machine_look_is_there(map->proc, map->machines[other].pid))) {
		snprintf(numbered, sizeof(numbered), "%.*s:%u", MACHINE_NAME_LEN - 12,
			 name[0] ? name : known->program, pid);
		memcpy(name, numbered, sizeof(name));
	}
	known->machine = get_machine(map, name, pid);
	if (known->machine == NO_MACHINE)
		return;
	known->row = (struct cpuprobe_record){
		.id = { map->machines[known->machine].id }, .kind = CPUPROBE_KIND_COMM,
	};
	snprintf(known->row.name, sizeof(known->row.name), "%.*s", CPUPROBE_NAME_LEN - 1, name);
}

static const struct known *find_by_start(const struct machine_map *map, const struct cpuprobe_record *record)
{
	u32 i;

	for (i = map->nr_known; i > 0; i--) {
		const struct known *known = &map->known[i - 1];

		if (known->id[1] == record->id[1] && known->id[0] >> 32 == record->id[0] >> 32 &&
		    !strncmp(known->program, record->name, PROC_TASK_COMM_LEN - 1))
			return known;
	}
	return NULL;
}

/* The row of a process that has no executable: a kernel thread, or one that ends. */
static void find_row_without_program(const struct machine_map *map, const struct cpuprobe_record *record,
				     struct known *known)
{
	const struct known *before = find_by_start(map, record);
	char comm[PROC_TASK_COMM_LEN] = "", folded[PROC_TASK_COMM_LEN];
	struct proc_task task;

	if (before) {
		known->row = before->row;
		known->machine = before->machine;
		return;
	}
	memcpy(comm, record->name, sizeof(comm) - 1);
	known->row.kind = CPUPROBE_KIND_EXITING;
	if (!proc_task_read(record->id[0] >> 32, &task) && task.is_kthread) {
		known->row.kind = CPUPROBE_KIND_KTHREAD;
		proc_task_fold_kthread(comm, folded);
		memcpy(comm, folded, sizeof(comm));
	}
	snprintf(known->row.name, sizeof(known->row.name), "%s", comm);
	known->row.id[0] = hash_name(comm, strlen(comm));
}

/* Whether a record has an executable. BPF knows only the name of a process that ended: no directory follows. */
static bool has_program(const struct cpuprobe_record *record)
{
	size_t len = strnlen(record->name, sizeof(record->name)) + 1;

	return (u32)record->id[0] && (len >= PROC_TASK_COMM_LEN || record->name[len]);
}

/* The row of a process as in a run by executable. */
static void find_row(const struct machine_map *map, const struct cpuprobe_record *record, struct known *known)
{
	if (!has_program(record)) {
		find_row_without_program(map, record, known);
		return;
	}
	known->row.kind = CPUPROBE_KIND_EXE;
	memcpy(known->row.name, record->name, sizeof(known->row.name));
	known->row.id[0] = hash_name(record->name, sizeof(record->name));
}

/* Forget the processes that are no machines. Their rows follow from their names alone, so that they stay the same. */
static void forget_programs(struct machine_map *map)
{
	u32 i, nr = 0;

	intern_deinit(&map->known_index);
	for (i = 0; i < map->nr_known; i++) {
		const struct known *known = &map->known[i];

		if (known->machine == NO_MACHINE ||
		    intern_add(&map->known_index, intern_hash(0, known->id, sizeof(known->id)), nr))
			continue;
		map->known[nr++] = *known;
	}
	map->nr_known = nr;
	map->most_known = nr + MACHINE_MAP_MAX;
}

static struct known *get_known(struct machine_map *map, const struct cpuprobe_record *record)
{
	const u64 hash = intern_hash(0, record->id, sizeof(record->id));
	u32 at = intern_find(&map->known_index, hash, is_known, map, record->id);
	struct known known = { .id = { record->id[0], record->id[1] }, .machine = NO_MACHINE };

	if (at != INTERN_NONE)
		return &map->known[at];
	snprintf(known.program, sizeof(known.program), "%.*s", CPUPROBE_NAME_LEN - 1, record->name);
	find_row(map, record, &known);
	at = map->nr_known;
	if (!array_has_room(&map->known, at, sizeof(*map->known)) || intern_add(&map->known_index, hash, at))
		return NULL;
	map->known[at] = known;
	map->nr_known++;
	return &map->known[at];
}

/* Open files are looked at again and again, but ever more rarely: at the 1st, 2nd, 4th, 8th, ... record. */
static bool is_seen_as_machine(const struct machine_map *map, struct known *known, const struct cpuprobe_record *record)
{
	u32 nr = ++known->nr_seen;

	if (record->hits[CPUPROBE_MODE_GUEST])
		return true;
	return map->has_kvm && (u32)record->id[0] && nr && !(nr & (nr - 1)) &&
	       machine_look_holds(map->proc, record->id[0] >> 32, record->name);
}

static void map_record(struct machine_map *map, struct cpuprobe_record *record)
{
	struct known *known = get_known(map, record);

	if (!known)
		return;
	if (known->machine == NO_MACHINE && is_seen_as_machine(map, known, record))
		become_machine(map, known, record);
	record->kind = known->row.kind;
	memcpy(record->id, known->row.id, sizeof(record->id));
	memcpy(record->name, known->row.name, sizeof(record->name));
}

const struct cpuprobe_record *machine_map_records(struct machine_map *map,
						  const struct cpuprobe_record *records, size_t nr)
{
	size_t i;

	if (!array_hold(&map->records, &map->nr_records, nr, sizeof(*map->records)))
		return NULL;
	if (map->nr_known > map->most_known)
		forget_programs(map);
	for (i = 0; i < nr; i++) {
		map->records[i] = records[i];
		if (records[i].kind == CPUPROBE_KIND_PROCESS)
			map_record(map, &map->records[i]);
	}
	return map->records;
}

void machine_map_name(void *map_at, const struct cpuprobe_record *record, char *name, size_t len)
{
	const struct machine_map *map = map_at;
	u32 i;

	name[0] = '\0';
	for (i = 0; record->kind == CPUPROBE_KIND_COMM && i < map->nr_machines; i++)
		if (map->machines[i].id == record->id[0])
			snprintf(name, len, "%s", map->machines[i].name);
}
