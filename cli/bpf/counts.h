/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts that BPF programs make: by task or address in slots of each CPU (slot_store.h), by stack in hash
 * maps (stack_store.h). Either are there twice and take turns, which a page of each CPU tells, shared by the
 * program and the tool. The kernel's update of a map of maps waits until no program uses the old turn any
 * more, so that it can be read and emptied without losing a sample. Samples without room are counted in the
 * page.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "bpf/btf.h"
#include "cpuprobe.h"
#include "types.h"

#define COUNTS_NAME_LEN	16	/* of a command name, with its NUL */
#define COUNTS_SOFTIRQ	0x100	/* a bit of the kernel's preempt count: SOFTIRQ_OFFSET */
#define COUNTS_OTHERS	0xffffffffu	/* by stack: the id of all tasks that nobody asks for */
#define COUNTS_PROBES	32	/* slots that a key may have */
#define COUNTS_FILES	2	/* descriptors for each CPU */
#define COUNTS_NO_STACK	(-14)	/* -EFAULT: there is no such stack */

/** The identity that samples are counted by: samples of one key share a counter. */
enum counts_by { COUNTS_BY_PROCESS, COUNTS_BY_THREAD, COUNTS_BY_CGROUP, COUNTS_BY_ADDRESS,
		 COUNTS_BY_STACK };

struct counts_key {
	u32 id;			/* process or thread, 0: idle; by control group: 0 or any process */
	u32 is_user;		/* 0: kernel mode, COUNTS_SOFTIRQ: softirq work, else user mode */
	union {
		char comm[COUNTS_NAME_LEN];	/* NUL-padded; by address that of the first sample; empty if of one process */
		u64 cgroup[2];			/* id of the control group, and 0 */
		s32 stack[2];			/* in the kernel: see struct counts_stack; without user frames the
						   second one is a number for the name, in both modes */
		u64 user;			/* in user mode: a number for the frames, their end and the guess */
	};
	u64 pc;			/* only by address; 0: idle, or not the process that is asked for */
};

/** A counter and whose it is: all zero is free. */
struct counts_slot {
	struct counts_key key;
	u64 hits;
};

/** One CPU's part of the value of a key by stack. All other keys have a u64. */
struct counts_stack {
	u64 hits;
	/* of the first sample; 0 on the other CPUs */
	s32 stack[2];		/* numbers that the kernel gave the kernel and user stack; < 0: none */
	char comm[COUNTS_NAME_LEN];
	u64 end;		/* how its user frames end: see stack_program.h */
	u64 guess;		/* the caller of a function that seems to have no frame yet; 0: none */
};

/** One CPU's part of the shared page; the program on this CPU writes it. */
struct counts_page {
	u64 turn;		/* written by the tool: what the program fills, 0 or 1 */
	u64 nr_added;		/* by stack: keys that were new */
	u64 nr_used[2];		/* else: slots in use, of each turn */
	u64 lost[2];		/* samples without room, in kernel and in user mode */
	u64 reserved[2];
};

/** Properties of the counts. */
struct counts_spec {
	enum counts_by by;
	u32 pid;		/* by address, stack: only of this process, all others together; 0: of all */
	const u32 *cpus;	/* that are sampled */
	const u32 *parts;	/* the place of each among the possible CPUs */
	size_t nr_cpus;
	u32 nr_possible;	/* possible CPUs */
	u32 nr_cpu_ids;		/* highest number of one, plus one */
	u32 rate_hz;		/* samples a second and CPU */
	struct btf_place softirq;	/* tells softirq work; id 0: this counts as kernel mode */
	/* by stack */
	int cgroup_fd;		/* only tasks of this control group and those below it; -1: of all */
	u32 frames;		/* CPUPROBE_FRAMES_* */
	u64 stack_bytes;	/* memory for stacks, all CPUs together */
};

struct slot_store;
struct stack_store;

struct counts {
	int wait_fd;		/* a map of maps with one map, for its update */
	int inner_fd;
	unsigned int turn;	/* which one the programs fill */
	u32 nr_entries;		/* room for keys in a harvest */
	u32 nr_possible;	/* possible CPUs: parts of a value */
	u32 nr_cpu_ids;
	size_t nr_cpus;
	volatile struct counts_page **pages;	/* by the CPU's number; NULL: it is not sampled */
	int *program_fds;	/* of each sampled CPU */
	struct slot_store *slots;	/* NULL by stack */
	/* by stack */
	struct stack_store *stacks;
	int map_fd[2];
	int page_fd;
	int program_fd;
	void *mapped;		/* the pages */
	u64 added_before;	/* at the last turn */
	u32 value_len;		/* one CPU's part of a value */

	/* results of counts_take() */
	void *keys;
	size_t key_len;		/* those by stack have no pc */
	void *values;		/* nr_possible parts for each key, or one: */
	u32 *parts;		/* which part each value is; NULL: they have all parts */
	u32 nr;
};

/** counts_open() - create the maps and load the programs. */
int counts_open(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret);

/**
 * counts_key_at() - a key that was taken; several may be equal. By stack, its pc must not be read.
 */
static inline const struct counts_key *counts_key_at(const struct counts *counts, u32 at)
{
	return (const struct counts_key *)((const char *)counts->keys + at * counts->key_len);
}

/** counts_mode() - the enum cpuprobe_mode of a key. */
static inline u32 counts_mode(const struct counts_key *key)
{
	return key->is_user == COUNTS_SOFTIRQ ? CPUPROBE_MODE_SOFTIRQ :
	       key->is_user ? CPUPROBE_MODE_USER : CPUPROBE_MODE_KERNEL;
}

/** counts_value_at() - samples of a key on one CPU; @part: its place among the possible CPUs. */
static inline u64 counts_value_at(const struct counts *counts, u32 at, u32 part)
{
	const u64 *values = counts->values;

	if (counts->parts)
		return counts->parts[at] == part ? values[at] : 0;
	return values[(size_t)at * counts->nr_possible + part];
}

/** counts_stack_at() - the same by stack. */
static inline const struct counts_stack *counts_stack_at(const struct counts *counts, u32 at, u32 part)
{
	return (const struct counts_stack *)counts->values + (size_t)at * counts->nr_possible + part;
}

/** counts_first_stack() - the part of a key's value by stack that the first sample wrote. */
static inline const struct counts_stack *counts_first_stack(const struct counts *counts, u32 at)
{
	const struct counts_stack *first = counts_stack_at(counts, at, 0), *stack = first;
	u32 part;

	for (part = 0; part < counts->nr_possible; part++, stack++)
		/* A stack that does not exist is not 0. A name may be empty. */
		if (stack->stack[0] || stack->stack[1])
			return stack;
	return first;
}

/** counts_are_due() - whether the counts should be taken before there is no room. May run in any thread. */
bool counts_are_due(const struct counts *counts);

/**
 * counts_look_ns() - how often to call counts_are_due(), so that no store is full before: all CPUs together take
 * samples for a quarter of the smallest one in this time, of 2 ms to 2 s.
 * @period_ns: of each CPU
 */
u64 counts_look_ns(const struct counts *counts, u64 period_ns);

/** counts_take() - take turns, and read all counts since the last one. May wait for milliseconds. */
int counts_take(struct counts *counts, struct text_error *error_ret);

/** counts_lost() - samples without room on a CPU since the start. */
u64 counts_lost(const struct counts *counts, u32 cpu, bool is_user);

/** counts_close() - free everything. May be called in any state after zeroing. */
void counts_close(struct counts *counts);

#endif
