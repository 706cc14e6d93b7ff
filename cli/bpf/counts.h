/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts that a BPF program makes, in per-CPU hash maps. Two maps take turns in a map of maps:
 * the kernel's update of that one waits until no program uses the old map any more, so that it can
 * be read and emptied without losing a sample. Samples without room are counted in a page that the
 * program and the tool share.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "types.h"

#define COUNTS_NAME_LEN	16	/* of a command name, with its NUL */
#define COUNTS_OTHERS	0xffffffffu	/* by stack: the id of all tasks that nobody asks for */
#define COUNTS_NO_STACK	(-14)	/* -EFAULT: there is no such stack */

/** The identity that samples are counted by: samples of one key share a counter. */
enum counts_by { COUNTS_BY_PROCESS, COUNTS_BY_THREAD, COUNTS_BY_CGROUP, COUNTS_BY_ADDRESS,
		 COUNTS_BY_STACK };

struct counts_key {
	u32 id;			/* process or thread, 0: idle; by control group: 0 or any process */
	u32 is_user;		/* 0: kernel mode, else user mode */
	union {
		char comm[COUNTS_NAME_LEN];	/* NUL-padded; empty by address of one process */
		u64 cgroup[2];			/* id of the control group, and 0 */
		s32 stack[2];			/* numbers of the kernel and user stack; < 0: none */
	};
	u64 pc;			/* only by address; 0: idle, or not the process that is asked for */
};

/** One CPU's part of the value of a key by stack. All other keys have a u64. */
struct counts_stack {
	u64 hits;
	/* of the first sample; 0 on the other CPUs */
	char comm[COUNTS_NAME_LEN];
	u64 end;		/* how its user frames end: see stack_program.h */
	u64 guess;		/* the caller of a function that seems to have no frame yet; 0: none */
};

/** One CPU's part of the shared page; the program on this CPU writes it. */
struct counts_page {
	u64 nr_added;		/* keys that were new */
	u64 lost[2];		/* samples without room, in kernel and in user mode */
	u64 reserved[5];
};

/** Properties of the counts. */
struct counts_spec {
	enum counts_by by;
	u32 pid;		/* by address, stack: only of this process, all others together; 0: of all */
	u32 nr_possible;	/* possible CPUs */
	u32 nr_cpu_ids;		/* highest number of one, plus one */
	u32 rate_hz;		/* samples a second and CPU */
	/* by stack */
	int cgroup_fd;		/* only tasks of this control group and those below it; -1: of all */
	u32 frames;		/* CPUPROBE_FRAMES_* */
	u64 stack_bytes;	/* memory for stacks, all CPUs together */
};

struct stack_store;

struct counts {
	int turn_fd;		/* the map of maps */
	int map_fd[2];
	int number_fd[2];	/* by stack: maps of one u32, 0 and 1, which take the turns instead */
	int page_fd;
	int program_fd;
	unsigned int turn;	/* which map the program fills */
	u32 nr_entries;		/* room in each map */
	u32 nr_possible;	/* possible CPUs: parts of a value */
	u32 nr_cpu_ids;
	volatile struct counts_page *page;
	u64 added_before;	/* at the last turn */
	u32 value_len;		/* one CPU's part of a value */
	struct stack_store *stacks;	/* by stack */

	/* results of counts_take() */
	void *keys;
	size_t key_len;		/* only keys by address have a pc */
	void *values;		/* nr_possible parts for each key */
	u32 nr;
};

/** counts_open() - create the maps and load the program. */
int counts_open(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret);

/** counts_key_at() - a key that was taken. Without addresses its pc must not be read. */
static inline const struct counts_key *counts_key_at(const struct counts *counts, u32 at)
{
	return (const struct counts_key *)((const char *)counts->keys + at * counts->key_len);
}

/** counts_value_at() - samples of a key on one CPU; @part: its place among the possible CPUs. */
static inline u64 counts_value_at(const struct counts *counts, u32 at, u32 part)
{
	return ((const u64 *)counts->values)[(size_t)at * counts->nr_possible + part];
}

/** counts_stack_at() - the same by stack. */
static inline const struct counts_stack *counts_stack_at(const struct counts *counts, u32 at, u32 part)
{
	return (const struct counts_stack *)counts->values + (size_t)at * counts->nr_possible + part;
}

/** counts_are_due() - whether the map should be taken before it fills up. May run in any thread. */
bool counts_are_due(const struct counts *counts);

/** counts_take() - take turns, and read all counts since the last one. May wait for milliseconds. */
int counts_take(struct counts *counts, struct text_error *error_ret);

/** counts_lost() - samples without room on a CPU since the start. */
u64 counts_lost(const struct counts *counts, u32 cpu, bool is_user);

/** counts_close() - free everything. May be called in any state after zeroing. */
void counts_close(struct counts *counts);

#endif
