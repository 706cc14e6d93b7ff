/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system table: 128 records found by hashing a process's identity, as in
 * Crowe's "system-wide CPU usage monitoring" (1992). One writer, its CPU's
 * sampler; read only after it has been retired (see session.h).
 */
#ifndef CPUPROBE_TABLE_H
#define CPUPROBE_TABLE_H

#include "cpuprobe.h"
#include "pure.h"

/** Whom a sample belongs to: see enum cpuprobe_kind for the meaning of id. */
struct identity {
	u64 id[2];
	u32 kind;
};

struct table {
	u64 lost[CPUPROBE_MODES];	/* samples that found no record */
	u32 nr_records;			/* read from afar by poll() */
	struct cpuprobe_record record[CPUPROBE_RECORDS];
};

/** table_hash() - XOR of the identity's bytes, top bit cleared: 0..127 (Crowe 1992). */
static inline u32 table_hash(const struct identity *who)
{
	u64 x = who->id[0] ^ who->id[1];

	x ^= x >> 32;
	x ^= x >> 16;
	x ^= x >> 8;
	return x & (CPUPROBE_RECORDS - 1);
}

/**
 * identity_of_number() - the identity of a process or thread.
 * @pid: its number
 * @hash: what tells programs or names under one number apart
 * @start_ns: when it began: tells users of the same number apart. The top byte is dropped, 2^56 ns
 *	being more than two years
 *
 * The top byte is chosen so that table_hash() = pid * 79 mod 128, whatever the rest is. 79 is 128 /
 * golden ratio: processes that are started one after the other spread over the table as evenly as
 * can be. The hash being the exclusive or of all bytes, the byte is that of the others, exclusive
 * or the wanted value; the bit that table_hash() clears is free, and 0.
 */
void identity_of_number(u32 pid, u32 hash, u64 start_ns, struct identity *who);

/** table_first() - the record at which the search for @who begins. */
static inline struct cpuprobe_record *table_first(struct table *table, const struct identity *who)
{
	return &table->record[table_hash(who)];
}

/** table_is_record() - whether this is the record of @who. */
static inline bool table_is_record(const struct cpuprobe_record *record,
				   const struct identity *who)
{
	return record->id[0] == who->id[0] && record->id[1] == who->id[1] &&
	       record->kind == who->kind;
}

/**
 * table_get() - the record of @who, made if need be.
 * Hard irq. Looks at CPUPROBE_SEARCH records at most.
 * @created: set when the record is new and wants a name, untouched otherwise
 *
 * NULL when no record is to be had; the caller then counts the sample as lost.
 */
struct cpuprobe_record *table_get(struct table *table, const struct identity *who,
				  bool *created);

/** table_hits() - samples in all records, the lost ones not among them. */
u64 table_hits(const struct table *table);

#endif
