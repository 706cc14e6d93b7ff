/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls counted by arc: the caller and the function, as gprof names the pair (Graham, Kessler and
 * McKusick, 1982). One table per CPU; the handlers on that CPU write it, with preemption off. An
 * interrupt or an NMI may come in any step of a handler and count too. So a place is claimed by one
 * compare-and-exchange, and a count grows by one instruction; both are local to the CPU. Other
 * CPUs only read.
 */
#ifndef CPUPROBE_ARCS_H
#define CPUPROBE_ARCS_H

#include "cpuprobe.h"
#include "pure.h"

/** An arc and its calls. Those of processes come first: arm64's atomic instructions have no offset. */
struct arc {
	local_t calls[CPUPROBE_CONTEXTS];	/* by enum cpuprobe_context */
	local_t key;				/* arcs_key(); 0: free */
};

struct arcs {
	struct arc *place;
	u64 mask;	/* of the offsets of places, in bytes */
	local_t lost;	/* calls that found no place */
};

/** arcs_places() - number of places in @bytes of memory: a power of two, at most 2^24. */
u64 arcs_places(u64 bytes);

/**
 * arcs_init() - make an empty table.
 * @place: zeroed memory of @nr_places places; belongs to the caller
 * @nr_places: a power of two, from CPUPROBE_CALLS_SEARCH on
 */
void arcs_init(struct arcs *arcs, struct arc *place, u64 nr_places);

/** arcs_size() - number of places of a table. */
static inline u64 arcs_size(const struct arcs *arcs)
{
	return arcs->mask / sizeof(struct arc) + 1;
}

/**
 * arcs_key() - the key of an arc. Both addresses are in the last 4 GiB of the address space, as arch_pack_code()
 * makes them: their upper halves are all ones.
 */
static __always_inline u64 arcs_key(u64 function, u64 caller)
{
	return function ^ caller << 32;
}

/** arcs_function() - the function of a key; arch_unpack_code() gives its address. */
static inline u64 arcs_function(u64 key)
{
	return key | ~0ULL << 32;
}

/** arcs_caller() - the caller of a key; arch_unpack_code() gives its address. */
static inline u64 arcs_caller(u64 key)
{
	return ~(key >> 32);
}

/**
 * arcs_first() - the place at which the search for an arc begins, and usually ends. Multiplicative
 * hashing (Knuth, volume 3, section 6.4) by a factor that fits into an instruction: bits from 34 on
 * depend on both addresses.
 */
static __always_inline struct arc *arcs_first(const struct arcs *arcs, u64 key)
{
	u64 offset = key * 0x4f1bbcdd >> (34 - 5) & arcs->mask;

	return (struct arc *)((char *)arcs->place + offset);
}

/** arcs_is_first() - whether the first place is the arc's own. */
static __always_inline bool arcs_is_first(const struct arc *first, u64 key)
{
	return likely((u64)local_read(&first->key) == key);
}

/**
 * arcs_count() - count a call, or count it as lost. Any context, NMI too; preemption off. Searches
 * CPUPROBE_CALLS_SEARCH places at most.
 * @context: enum cpuprobe_context
 */
void arcs_count(struct arcs *arcs, u64 key, u32 context);

#endif
