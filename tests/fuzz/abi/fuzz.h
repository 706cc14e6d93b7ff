/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzzer of /dev/cpuprobe. A call is plain data, so that it can be kept, changed and repeated;
 * its pointers lead to fixed addresses. Each process runs one fuzzer; all processes share the table
 * of results.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../workloads/abi_rules.h"

#define FILES		4	/* descriptors of a process */
#define PROGRAM_CALLS	8	/* calls that are kept and changed together */
#define ERRNOS		136
#define CPUS_MAX	64

enum call_kind {
	CALL_OPEN, CALL_CLOSE, CALL_INFO, CALL_START, CALL_AREAS, CALL_HARVEST, CALL_STOP,
	CALL_EXE, CALL_CALLS, CALL_COUNTS, CALL_TIMES, CALL_NEED, CALL_UNWIND, CALL_TRACE, CALL_EVENTS,
	CALL_MISSED, CALL_POLL, CALL_DUP, CALL_ODD, CALL_FILE,
	CALL_PASS, CALL_FORK, CALL_KINDS
};

/** Memory in which the argument of a call lies. */
enum place {
	PLACE_GOOD,		/* between canaries */
	PLACE_EDGE,		/* ends where the mapped memory ends */
	PLACE_CUT,		/* extends into unmapped memory */
	PLACE_FIXED,		/* is read-only */
	PLACE_RACED,		/* another thread changes it during the call */
	PLACE_NULL, PLACE_LOW, PLACE_KERNEL, PLACE_TOP, PLACES
};

struct call {
	uint8_t kind;		/* enum call_kind */
	uint8_t file;		/* index of the descriptor */
	uint8_t place;		/* enum place */
	uint8_t what;		/* CALL_FILE: the operation; CALL_DUP: the other descriptor */
	uint32_t command;	/* CALL_ODD */
	uint32_t area_seed;	/* seed of the areas, of the functions (CALL_CALLS, _TRACE) or of the table */
	uint32_t area_flaw;	/* CALL_AREAS: their flaw; 0: none */
	union {
		struct cpuprobe_info info;
		struct cpuprobe_start start;
		struct cpuprobe_areas areas;
		struct cpuprobe_harvest harvest;
		struct cpuprobe_open open;
		struct cpuprobe_calls calls;
		struct cpuprobe_counts counts;
		struct cpuprobe_times times;
		struct cpuprobe_need need;
		struct cpuprobe_unwind unwind;
		struct cpuprobe_trace trace;
		struct cpuprobe_events events;
		struct cpuprobe_missed missed;
		uint32_t word[80];
	} arg;
};

struct program {
	struct call call[PROGRAM_CALLS];
};

/** The fuzzer's knowledge of a session that no other process can reach. */
struct model {
	bool is_known;		/* false: shared, so that anything may have happened */
	enum session_state state;
	uint32_t what;
	struct cpuprobe_account last[CPUS_MAX];
	bool has_unseen;	/* a harvest may have handed out an account that nobody looked at */
	uint64_t expected[CPUS_MAX], accounted[CPUS_MAX];	/* sums so far */
};

/** Totals: one for each process, summed up at the end. */
struct totals {
	uint64_t calls[CALL_KINDS][ERRNOS];
	uint64_t took_ns[CALL_KINDS];	/* including time spent waiting for a processor */
	uint64_t nr_calls;
	uint64_t nr_starts;
	uint64_t nr_kept;	/* programs that reached new code */
	uint64_t nr_findings;
};

struct fuzzer {
	uint64_t random;
	uint64_t seed;
	unsigned int process;
	bool is_alone;		/* one process, no threads, no signals: everything is repeatable */
	int fd[FILES];		/* -1: none */
	int session[FILES];	/* index into model */
	struct model model[FILES];
	struct totals *totals;
	int exe, directory, path, pipe;	/* descriptors to pass as executables */
	int cgroup;		/* descriptor of a control group, or -1 */
	uint64_t function[2];	/* addresses of kernel functions that can be hooked */
	uint32_t nr_cpus;
	const struct call *now;
};

/* random: SplitMix64 */
static inline uint64_t draw(struct fuzzer *fuzzer)
{
	uint64_t x = fuzzer->random += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static inline uint32_t below(struct fuzzer *fuzzer, uint32_t limit)
{
	return (draw(fuzzer) >> 32) * limit >> 32;
}

/* memory.c: addresses that are equal in every run, for pages of at most 64 KiB */
#define ARENA		0x20000000UL
#define ARGUMENT	(ARENA + 0x800)		/* GOOD, between canaries */
#define FIXED		(ARENA + 0x10000)	/* the same page, read-only */
#define EDGE_END	(ARENA + 0x30000)	/* followed by an unmapped page */
#define MASK		(ARENA + 0x40000)	/* 8192 bytes of CPU mask */
#define AREAS		(ARENA + 0x50000)	/* room for CPUPROBE_AREAS_MAX + 1 areas */
#define BUFFER		(ARENA + 0xc0000)	/* room for counts, followed by canaries */
#define BUFFER_LEN	0xa000
#define COUNTS_LEN	40000	/* part of BUFFER for counts of any kind, and 80 KiB of stacks */
#define CANARY		0xa5

/** memory_init() - map all of it; false: no memory. */
bool memory_init(void);
/** memory_argument() - copy @len bytes of the argument to its place; returns their address. */
void *memory_argument(const struct call *call, uint32_t len);
/** memory_is_sound() - whether the canaries around the argument just used are unchanged. */
bool memory_is_sound(const struct call *call, uint32_t len);
/** memory_is_clean() - whether the bytes of BUFFER from @from on still have the fill pattern. */
bool memory_is_clean(uint32_t from);
void memory_clean(void);
/** memory_reset() - fill all of it again: a call may have written anywhere in it. */
void memory_reset(void);

/* Tables of UNWIND, in the memory of areas: pages, rows, rules */
#define TABLE_PAGES	16
#define TABLE_ROWS	256
#define TABLE_RULES	32
#define TABLE_ROWS_AT	0x100
#define TABLE_RULES_AT	0x800
#define TABLE_BYTES	(TABLE_RULES_AT + TABLE_RULES * sizeof(struct cpuprobe_rule))

/* call.c */
/** call_draw() - draw a new call, mostly valid. call_change() - change an existing one. */
void call_draw(struct fuzzer *fuzzer, struct call *call);
void call_change(struct fuzzer *fuzzer, struct call *call);
/** call_areas() - write the areas of a CALL_AREAS to AREAS. */
void call_areas(const struct call *call);
/** call_table() - write the table of a CALL_UNWIND to AREAS. */
void call_table(const struct call *call);
/** call_functions() - write the functions of a CALL_CALLS or CALL_TRACE to AREAS. */
void call_functions(const struct fuzzer *fuzzer, const struct call *call);

/* run.c */
/** run_call() - make the call, judge its result and count it. */
void run_call(struct fuzzer *fuzzer, const struct call *call);
/** run_end() - close all descriptors. */
void run_end(struct fuzzer *fuzzer);

/* other.c: interference, in processes that are not alone */
/** other_begin() - start signals and a thread that changes arguments and uses the descriptors. */
void other_begin(struct fuzzer *fuzzer);
/** other_burst() - let the thread change arguments from now on, or stop it before returning. */
void other_burst(bool is_on);

/* judge.c */
/** judge() - check the result of a call against the interface's header. */
void judge(struct fuzzer *fuzzer, const struct call *call, const void *arg, long result, int error);
/** finding() - report a violation, with what is needed to reproduce it. */
void finding(struct fuzzer *fuzzer, const char *text);

/* cover.c: coverage of the module by calls, with KCOV */
/** cover_init() - false: this kernel has no KCOV. */
bool cover_init(void);
/** cover_begin() - record this thread. cover_clear() goes before a call, cover_look() after it. */
bool cover_begin(void);
void cover_clear(void);
/** cover_look() - whether the calls since cover_clear() reached code new to this process. */
bool cover_look(void);
/** cover_count() - distinct addresses of the module that any process reached. */
unsigned int cover_count(void);

#endif
