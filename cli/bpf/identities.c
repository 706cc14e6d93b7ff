// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identities of counted tasks: see identities.h. A task is known by its number and name, because an exec
 * changes the name: counts of a shell stay apart from those of the program that it became.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "bpf/identities.h"
#include "bpf/proc_task.h"

#define KNOWN_MAX	16384	/* tasks remembered; then all are forgotten */

/** A task that was counted before. */
struct known {
	struct counts_key key;	/* is_user is 0 */
	u64 start;		/* of its process or thread; 0: never read */
	u64 round;		/* last harvest in which it was looked up */
	struct cpuprobe_record record;
};

/** A command name and its executable, or kernel threads. */
struct by_name {
	char comm[COUNTS_NAME_LEN];
	bool is_ambiguous;
	struct cpuprobe_record record;
};

struct identities {
	unsigned int by;
	u64 round;
	struct known *known;
	u32 nr_known;
	struct intern known_index;
	struct by_name *names;
	u32 nr_names;
	struct intern name_index;
	struct cpuprobe_record simple;	/* of a key that is no task */
};

struct identities *identities_create(unsigned int by)
{
	struct identities *identities = calloc(1, sizeof(*identities));

	if (identities)
		identities->by = by;
	return identities;
}

static void forget_all(struct identities *identities)
{
	free(identities->known);
	intern_deinit(&identities->known_index);
	identities->known = NULL;
	identities->nr_known = 0;
	identities->known_index = (struct intern){ .nr = 0 };
}

void identities_destroy(struct identities *identities)
{
	if (!identities)
		return;
	forget_all(identities);
	free(identities->names);
	intern_deinit(&identities->name_index);
	free(identities);
}

enum counts_by identities_counted_by(unsigned int by)
{
	return by == CPUPROBE_BY_THREAD ? COUNTS_BY_THREAD :
	       by == CPUPROBE_BY_CGROUP ? COUNTS_BY_CGROUP : COUNTS_BY_PROCESS;
}

void identities_begin(struct identities *identities)
{
	if (identities->nr_known > KNOWN_MAX)
		forget_all(identities);
	identities->round++;
}

static bool is_known(const void *owner, u32 position, const void *key)
{
	const struct identities *identities = owner;

	return !memcmp(&identities->known[position].key, key, offsetof(struct counts_key, pc));
}

static bool has_name(const void *owner, u32 position, const void *key)
{
	const struct identities *identities = owner;

	return !memcmp(identities->names[position].comm, key, COUNTS_NAME_LEN);
}

/* FNV-1a: saved ids must not depend on this process, as those of intern_hash() do. */
static u32 hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *byte = bytes;
	u32 hash = 2166136261u;

	while (len--)
		hash = (hash ^ *byte++) * 16777619u;
	return hash;
}

static struct known *get_known(struct identities *identities, const struct counts_key *key)
{
	const u64 hash = intern_hash(0, key, offsetof(struct counts_key, pc));
	u32 at = intern_find(&identities->known_index, hash, is_known, identities, key);

	if (at != INTERN_NONE)
		return &identities->known[at];
	at = identities->nr_known;
	if (!array_has_room(&identities->known, at, sizeof(*identities->known)) ||
	    intern_add(&identities->known_index, hash, at))
		return NULL;
	identities->nr_known++;
	identities->known[at] = (struct known){ .round = 0 };
	memcpy(&identities->known[at].key, key, offsetof(struct counts_key, pc));
	return &identities->known[at];
}

static const struct by_name *find_name(const struct identities *identities,
				       const char comm[COUNTS_NAME_LEN])
{
	u32 at = intern_find(&identities->name_index, intern_hash(0, comm, COUNTS_NAME_LEN),
			     has_name, identities, comm);

	return at == INTERN_NONE ? NULL : &identities->names[at];
}

/* Remembers which executable, or kernel thread, tasks of this name are. */
static void learn_name(struct identities *identities, const char comm[COUNTS_NAME_LEN],
		       const struct cpuprobe_record *record)
{
	struct by_name *name = (struct by_name *)find_name(identities, comm);
	u32 at = identities->nr_names;

	if (name) {
		name->is_ambiguous |= memcmp(name->record.id, record->id, sizeof(record->id)) ||
			name->record.kind != record->kind;
		return;
	}
	if (at >= KNOWN_MAX ||
	    !array_has_room(&identities->names, at, sizeof(*identities->names)) ||
	    intern_add(&identities->name_index, intern_hash(0, comm, COUNTS_NAME_LEN), at))
		return;
	identities->nr_names++;
	identities->names[at] = (struct by_name){ .record = *record };
	memcpy(identities->names[at].comm, comm, COUNTS_NAME_LEN);
}

static struct cpuprobe_record record_of_name(const char comm[COUNTS_NAME_LEN], u32 kind)
{
	struct cpuprobe_record record = { .kind = kind };

	memcpy(record.id, comm, sizeof(record.id));
	record.id[0] *= 0x9e3779b97f4a7c15ULL;
	record.id[1] *= 0x9e3779b97f4a7c15ULL;
	memcpy(record.name, comm, COUNTS_NAME_LEN);
	return record;
}

static struct cpuprobe_record record_of_kthread(const char comm[COUNTS_NAME_LEN])
{
	char folded[COUNTS_NAME_LEN];

	proc_task_fold_kthread(comm, folded);
	return record_of_name(folded, CPUPROBE_KIND_KTHREAD);
}

static struct cpuprobe_record record_of_exe(const struct proc_exe *exe)
{
	struct cpuprobe_record record = {
		/* The generation, which only the kernel knows, is 0. */
		.id = { exe->inode * CPUPROBE_INODE_FACTOR, exe->device << 32 },
		.kind = CPUPROBE_KIND_EXE,
	};

	memcpy(record.name, exe->name, sizeof(record.name));
	return record;
}

/* The kernel cuts names to 15 bytes: those of two executables may begin with the same. */
static bool is_cut(const struct cpuprobe_record *record)
{
	return strnlen(record->name, sizeof(record->name)) >= COUNTS_NAME_LEN - 1;
}

/* By name only: what tasks of this name were before, if that is unique. */
static struct cpuprobe_record record_of_lost(const struct identities *identities,
					     const char comm[COUNTS_NAME_LEN])
{
	struct cpuprobe_record kthread = record_of_kthread(comm);
	const struct by_name *name = find_name(identities, comm) ?:
		find_name(identities, kthread.name);

	return name && !name->is_ambiguous && !is_cut(&name->record) ? name->record :
		record_of_name(comm, identities->by == CPUPROBE_BY_COMM ? CPUPROBE_KIND_COMM :
						       CPUPROBE_KIND_EXITING);
}

/* Whether the process is no longer the program that was counted under this name. */
static bool has_changed(const struct proc_task *task, const struct counts_key *key)
{
	return task->nr_threads == 1 && memcmp(task->comm, key->comm, sizeof(task->comm));
}

/*
 * The executable or kernel thread of a process. @task: what /proc says now; NULL: it is gone.
 * @before: its record at an earlier harvest, kind 0: none
 */
static struct cpuprobe_record find_program(struct identities *identities,
					   const struct counts_key *key,
					   const struct proc_task *task,
					   const struct cpuprobe_record *before)
{
	struct cpuprobe_record record;
	struct proc_exe exe;

	if (task && task->is_kthread) {
		record = record_of_kthread(key->comm);
		learn_name(identities, record.name, &record);
		return record;
	}
	if (task && !has_changed(task, key) && !proc_task_exe(key->id, &exe)) {
		record = record_of_exe(&exe);
		/* Another name is a thread's, or that of a program which this process was before. */
		if (!memcmp(task->comm, key->comm, sizeof(task->comm)))
			learn_name(identities, key->comm, &record);
		return record;
	}
	return before->kind ? *before : record_of_lost(identities, key->comm);
}

/* The record of one process or thread, from that of its program or from its name. */
static struct cpuprobe_record number_record(const struct known *known, struct cpuprobe_record record,
					    u32 kind)
{
	const u32 hash = record.kind == CPUPROBE_KIND_KTHREAD && kind == CPUPROBE_KIND_PROCESS ? 0 :
		hash_bytes(record.id, sizeof(record.id)) ?: 1;

	if (record.kind == CPUPROBE_KIND_KTHREAD || kind == CPUPROBE_KIND_THREAD) {
		memset(record.name, 0, sizeof(record.name));
		memcpy(record.name, known->key.comm, COUNTS_NAME_LEN);
	}
	record.id[0] = (u64)known->key.id << 32 | hash;
	/* Without its top byte, as the module's. */
	record.id[1] = known->start << 8 >> 8;
	record.kind = kind;
	return record;
}

static struct cpuprobe_record describe(struct identities *identities, const struct known *known,
				       const struct proc_task *task)
{
	const struct counts_key *key = &known->key;
	struct cpuprobe_record before = known->record;

	switch (identities->by) {
	case CPUPROBE_BY_THREAD:
		return number_record(known, record_of_name(key->comm, CPUPROBE_KIND_COMM),
				     CPUPROBE_KIND_THREAD);
	case CPUPROBE_BY_COMM:
		if (task && task->is_kthread)
			return find_program(identities, key, task, &before);
		if (task)
			return record_of_name(key->comm, CPUPROBE_KIND_COMM);
		return before.kind ? before : record_of_lost(identities, key->comm);
	case CPUPROBE_BY_PID:
		/* A record of a process has lost what its program was. */
		if (before.kind && (!task || has_changed(task, key)))
			return before;
		before.kind = 0;
		return number_record(known, find_program(identities, key, task, &before),
				     CPUPROBE_KIND_PROCESS);
	default:
		return find_program(identities, key, task, &before);
	}
}

/* Looks the task up, once in each harvest. */
static void look_up(struct identities *identities, struct known *known)
{
	struct proc_task task;
	bool is_there = !proc_task_read(known->key.id, &task);

	if (is_there && known->start != task.start) {
		/* Another task than before, or the first with this number. */
		known->start = task.start;
		known->record.kind = 0;
	}
	known->record = describe(identities, known, is_there ? &task : NULL);
	known->round = identities->round;
}

const struct cpuprobe_record *identities_find(struct identities *identities,
					      const struct counts_key *key)
{
	struct counts_key task;
	struct known *known;

	if (!key->id) {
		identities->simple = (struct cpuprobe_record){
			.kind = CPUPROBE_KIND_IDLE, .name = "IDLE"
		};
		if (counts_mode(key) == CPUPROBE_MODE_SOFTIRQ)
			identities->simple = (struct cpuprobe_record){
				.kind = CPUPROBE_KIND_SOFTIRQ, .name = "(softirq)"
			};
		return &identities->simple;
	}
	if (identities->by == CPUPROBE_BY_CGROUP) {
		identities->simple = (struct cpuprobe_record){
			.kind = CPUPROBE_KIND_CGROUP, .id = { key->cgroup[0] }
		};
		return &identities->simple;
	}
	memcpy(&task, key, offsetof(struct counts_key, pc));
	task.is_user = 0;
	known = get_known(identities, &task);
	if (!known) {
		identities->simple = record_of_name(key->comm, CPUPROBE_KIND_COMM);
		return &identities->simple;
	}
	if (known->round != identities->round)
		look_up(identities, known);
	return &known->record;
}
