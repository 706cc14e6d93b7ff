/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables by which one session follows user frames: handed over by UNWIND, asked for by NEED.
 *
 * A sample reads the table of an object under RCU, in hard irq. If there is none yet, it marks the object
 * as needed, without a lock. NEED and UNWIND hold the mutex here, not session->lock: handing over a large
 * table does not delay a harvest. A table that gives way to another one is freed after a grace period,
 * which nobody waits for: its memory counts until then.
 */
#ifndef CPUPROBE_UNWINDING_H
#define CPUPROBE_UNWINDING_H

#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "cfi.h"
#include "epoch.h"
#include "session.h"
#include "address_spaces.h"

/** A table. Immutable, except @used. */
struct unwind_table {
	struct cfi cfi;
	u32 seq;		/* spaces_seq() of its object */
	u32 object;
	unsigned long used;	/* jiffies of the last sample, to UNWIND_USED_STEP */
	size_t bytes;
	unsigned long readers;	/* retired: cookie of its grace period */
	struct list_head link;	/* in the list of tables, or of retired ones */
};

/* Samples note the time of use no more often than this, to leave the cache line alone. */
#define UNWIND_USED_STEP (HZ / 4)

/** State of an object, with its spaces_seq() in the high half. */
enum slot_state {
	SLOT_UNASKED,		/* no sample has met it */
	SLOT_NEEDED,		/* NEED will name it */
	SLOT_NAMED,		/* the tool makes its table */
	SLOT_ABSENT,		/* it has none */
	SLOT_NO_BUDGET,	/* its table found no room */
};

#define UNWIND_MEMOS	256	/* a power of two */

/**
 * A rule that a sample of this CPU has found at an address of a process: callers repeat from sample to
 * sample. The rule is of a table that no epoch has ended.
 */
struct unwind_memo {
	unsigned long addr;
	const struct cpuprobe_rule *rule;
	u64 epoch;
	u32 map;		/* serial of the process's map; 0: free */
};

struct unwind_memos {
	struct unwind_memo memo[UNWIND_MEMOS];
};

struct unwind_slot {
	struct unwind_table __rcu *table;
	atomic64_t state;	/* spaces_seq() << 32 | enum slot_state */
	unsigned long refused;	/* jiffies when its table found no room */
};

struct unwinding {
	struct mutex lock;		/* of everything that samples do not write */
	u64 limit_bytes;
	u64 used_bytes;
	u32 nr_evicted;
	struct list_head tables;
	struct list_head retired;
	unsigned long scanned;		/* jiffies of the last spaces_scan() */
	/* written by samples */
	bool is_needed;			/* some object is needed: a hint for poll() */
	bool has_unknown;		/* a sample met a process without a map */
	struct unwind_memos __percpu *memos;	/* written by the samples of their CPU */
	u32 nr_retired;	/* tables: counted before a grace period begins; see unwinding_epoch() */
	DECLARE_BITMAP(needed, SPACES_OBJECTS);
	struct unwind_slot slot[SPACES_OBJECTS];
};

/** unwinding_allocate() - memory for one session, zeroed, without tables. May sleep. NULL: none. */
struct unwinding *unwinding_allocate(void);

/** unwinding_free() - free what unwinding_allocate() made. May sleep. */
void unwinding_free(struct unwinding *unwinding);

/**
 * unwinding_create() - begin to record mappings, without any table. May sleep; session->lock held.
 * @start: sets @start->reason on failure
 * -EOPNOTSUPP, -EBUSY, -EINTR, -ENOMEM. unwinding_destroy() frees, after the timers of the session.
 */
int unwinding_create(struct session *session, struct cpuprobe_start *start);

/** unwinding_destroy() - free everything; no sample reads it any more. May sleep. */
void unwinding_destroy(struct session *session);

/** unwinding_name() - NEED. May sleep; without session->lock. Errors: see struct cpuprobe_need. */
int unwinding_name(struct session *session, struct cpuprobe_need *need);

/** unwinding_take() - UNWIND. May sleep; without session->lock. Errors: see struct cpuprobe_unwind. */
int unwinding_take(struct session *session, const struct cpuprobe_unwind *request);

/** unwinding_is_due() - whether NEED has an object to name. Any context: a hint. */
static inline bool unwinding_is_due(const struct session *session)
{
	return session->unwinding && READ_ONCE(session->unwinding->is_needed);
}

/**
 * unwinding_miss() - find out why there is no table for an object, and ask for it if nobody has. Hard irq.
 * Returns CPUPROBE_STACK_NO_TABLE or _NO_BUDGET.
 */
u32 unwinding_miss(struct unwinding *unwinding, u32 object, u32 seq);

/**
 * unwinding_epoch() - memos of another epoch are forgotten. Hard irq. An epoch also ends after a quarter of a
 * second or so, lest the tables of remembered rules look idle.
 */
static __always_inline u64 unwinding_epoch(const struct unwinding *unwinding)
{
	/* All supported kernels have 64-bit jiffies: no reader sees half of a change. */
	BUILD_BUG_ON(sizeof(jiffies) != sizeof(u64));
	/* Pairs with retire_table(): whoever reads the new epoch finds the table gone. */
	return epoch_of(smp_load_acquire(&unwinding->nr_retired), jiffies, UNWIND_USED_STEP);
}

/**
 * unwinding_find() - the table of an object that the current process has mapped. Hard irq. NULL: none, and
 * *end_ret says why.
 */
static __always_inline const struct unwind_table *unwinding_find(struct unwinding *unwinding,
								 u32 object, u32 *end_ret)
{
	struct unwind_table *table = rcu_dereference_raw(unwinding->slot[object].table);
	u32 seq = spaces_seq(object);

	if (unlikely(!table || table->seq != seq)) {
		*end_ret = unwinding_miss(unwinding, object, seq);
		return NULL;
	}
	if (unlikely(jiffies - READ_ONCE(table->used) > UNWIND_USED_STEP))
		WRITE_ONCE(table->used, jiffies);
	return table;
}

/**
 * unwind_user_by_tables() - as unwind_user(), by tables, and by frame pointers where there is none.
 * @map: the mappings of the process; NULL: unknown
 * @nr_sure_ret: number of frames before the first one that is not due to a table
 */
u32 unwind_user_by_tables(struct unwinding *unwinding, const struct space_map *map,
			  struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret,
			  u32 *nr_sure_ret);

#endif
