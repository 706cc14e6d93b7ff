/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzzer of /dev/cpuprobe. A call is plain data, so that it can be kept, changed and made
 * again; what it points to lies at fixed addresses. One process runs one of these; all of them
 * share the table of what came of the calls.
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
	CALL_EXE, CALL_POLL, CALL_DUP, CALL_ODD, CALL_FILE, CALL_PASS, CALL_FORK, CALL_KINDS
};

/** Where the argument of a call lies. */
enum place {
	PLACE_GOOD,		/* amid bytes that must not change */
	PLACE_EDGE,		/* its last byte is the last of the memory */
	PLACE_CUT,		/* reaches into memory that is not there */
	PLACE_FIXED,		/* cannot be written */
	PLACE_RACED,		/* changed by another thread meanwhile */
	PLACE_NULL, PLACE_LOW, PLACE_KERNEL, PLACE_TOP, PLACES
};

struct call {
	uint8_t kind;		/* enum call_kind */
	uint8_t file;		/* which of the descriptors */
	uint8_t place;		/* enum place */
	uint8_t what;		/* CALL_FILE, CALL_DUP: which operation, which other descriptor */
	uint32_t command;	/* CALL_ODD */
	uint32_t area_seed;	/* CALL_AREAS: what areas there are */
	uint32_t area_flaw;	/* CALL_AREAS: what is wrong with them; 0: nothing */
	union {
		struct cpuprobe_info info;
		struct cpuprobe_start start;
		struct cpuprobe_areas areas;
		struct cpuprobe_harvest harvest;
		struct cpuprobe_open open;
		uint32_t word[64];
	} arg;
};

struct program {
	struct call call[PROGRAM_CALLS];
};

/** What the fuzzer knows of a session that nobody else can reach. */
struct model {
	bool is_known;		/* else: shared, and anything may have happened to it */
	enum session_state state;
	uint32_t what;
	struct cpuprobe_account last[CPUS_MAX];
	uint64_t expected[CPUS_MAX], accounted[CPUS_MAX];	/* summed up */
};

/** What all processes add to; each has one of its own. */
struct totals {
	uint64_t calls[CALL_KINDS][ERRNOS];
	uint64_t took_ns[CALL_KINDS];	/* waiting for the processor included */
	uint64_t nr_calls;
	uint64_t nr_starts;
	uint64_t nr_kept;	/* programs that reached something new */
	uint64_t nr_findings;
};

struct fuzzer {
	uint64_t random;
	uint64_t seed;
	unsigned int process;
	bool is_alone;		/* one process: no threads, no signals, all repeatable */
	int fd[FILES];		/* -1: none */
	int session[FILES];	/* index into model */
	struct model model[FILES];
	struct totals *totals;
	int exe, folder, path, pipe;	/* descriptors to name as executables */
	int cgroup;		/* of a control group, or -1 */
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

/* memory.c: addresses that are the same in every run */
#define ARENA		0x20000000UL
#define ARGUMENT	(ARENA + 0x800)		/* GOOD; canaries around it */
#define FIXED		(ARENA + 0x10000)	/* the same page, read-only */
#define EDGE_END	(ARENA + 0x21000)	/* the page before is there, that behind is not */
#define MASK		(ARENA + 0x30000)	/* 8192 bytes of CPU mask */
#define AREAS		(ARENA + 0x40000)	/* room for CPUPROBE_AREAS_MAX + 1 areas */
#define BUFFER		(ARENA + 0xb0000)	/* room for counts, and canaries behind it */
#define BUFFER_LEN	0xa000
#define COUNTS_LEN	40000	/* of BUFFER, for counts of any kind, and 80 KiB of stacks */
#define CANARY		0xa5

/** memory_init() - map it all; false: no memory. */
bool memory_init(void);
/** memory_argument() - the address for an argument of that length, which is copied there. */
void *memory_argument(const struct call *call, uint32_t len);
/** memory_is_sound() - no canary around the argument, just used, has changed. */
bool memory_is_sound(const struct call *call, uint32_t len);
/** memory_is_clean() - bytes of BUFFER from @from on are as they were filled. */
bool memory_is_clean(uint32_t from);
void memory_clean(void);
/** memory_reset() - fill all of it anew: a call may have written anywhere in it. */
void memory_reset(void);

/* call.c */
/** call_draw() - a new call, mostly right. call_change() - one that is there made different. */
void call_draw(struct fuzzer *fuzzer, struct call *call);
void call_change(struct fuzzer *fuzzer, struct call *call);
/** call_areas() - the areas of a CALL_AREAS, at AREAS. */
void call_areas(const struct call *call);

/* run.c */
/** run_call() - make the call, judge and count it. */
void run_call(struct fuzzer *fuzzer, const struct call *call);
/** run_end() - close what is open. */
void run_end(struct fuzzer *fuzzer);

/* other.c: what else happens in processes that are not alone */
/** other_begin() - have a thread that changes arguments and uses the descriptors; signals. */
void other_begin(struct fuzzer *fuzzer);
/** other_burst() - let it change arguments from now on; or no more, when this returns. */
void other_burst(bool is_on);

/* judge.c */
/** judge() - whether what a call returned is what the interface's header says. */
void judge(struct fuzzer *fuzzer, const struct call *call, const void *arg, long result, int error);
/** finding() - the kernel did what it must not; printed with what makes it happen again. */
void finding(struct fuzzer *fuzzer, const char *text);

/* cover.c: where in the module calls came, by KCOV */
/** cover_init() - false: this kernel cannot tell. */
bool cover_init(void);
/** cover_begin() - for this thread. cover_clear() before a call, cover_look() after it. */
bool cover_begin(void);
void cover_clear(void);
/** cover_look() - whether the calls since cover_clear() came where none of this process did. */
bool cover_look(void);
/** cover_count() - distinct places of the module that any process reached. */
unsigned int cover_count(void);

#endif
