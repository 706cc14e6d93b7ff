/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system table: 128 records, found by a hash of the identity, as in Crowe's
 * "system-wide CPU usage monitoring" (1992). One writer, its CPU's sampler;
 * readers wait until it is retired (see session.h).
 */
#ifndef CPUPROBE_TABLE_H
#define CPUPROBE_TABLE_H

#include "cpuprobe.h"
#include "pure.h"

/** Identity of a record: see enum cpuprobe_kind for the meaning of id. */
struct identity {
	u64 id[2];
	u32 kind;
};

struct table {
	u64 lost[CPUPROBE_MODES];	/* samples that found no record */
	u32 nr_records;			/* other CPUs read it, in poll() */
	u32 recent;			/* offset in bytes of the record that table_find_fast() found last */
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
 * identity_of_number() - make the identity of a process or thread.
 * @pid: its pid or thread id
 * @hash: distinguishes programs or names under one pid
 * @start_ns: start time; distinguishes users of one pid in turn. Its top byte is dropped: 2^56 ns
 *	is more than two years
 *
 * The top byte of the id is chosen so that table_hash() = pid * 79 mod 128. 79 is 128 / golden
 * ratio: processes started one after another spread evenly over the table. table_hash() is the
 * exclusive or of all bytes; so the top byte is the exclusive or of all other bytes and the wanted
 * hash. The bit that table_hash() clears is 0.
 */
void identity_of_number(u32 pid, u32 hash, u64 start_ns, struct identity *who);

/** table_first() - the record at which the search for @who begins. */
static inline struct cpuprobe_record *table_first(struct table *table, const struct identity *who)
{
	return &table->record[table_hash(who)];
}

/** table_is_record() - whether @record is the record of @who. */
static inline bool table_is_record(const struct cpuprobe_record *record,
				   const struct identity *who)
{
	return record->id[0] == who->id[0] && record->id[1] == who->id[1] &&
	       record->kind == who->kind;
}

/**
 * table_find_fast() - find the record of @who if it is the one found last, or where the search begins. Hard irq.
 * A program is sampled many times in a row: most samples need no hash. False: search for it.
 */
static __always_inline bool table_find_fast(struct table *table, const struct identity *who,
					    struct cpuprobe_record **record_ret)
{
	struct cpuprobe_record *record = (void *)table->record + table->recent;

	if (unlikely(!table_is_record(record, who))) {
		record = table_first(table, who);
		if (!table_is_record(record, who))
			return false;
		table->recent = (void *)record - (void *)table->record;
	}
	*record_ret = record;
	return true;
}

/**
 * table_get() - find or create the record of @who.
 * Hard irq. Searches CPUPROBE_SEARCH records at most.
 * @created: set to true if the record is new and needs a name, untouched otherwise
 *
 * NULL: no free record; the caller then counts the sample as lost.
 */
struct cpuprobe_record *table_get(struct table *table, const struct identity *who,
				  bool *created);

/** table_hits() - number of samples in all records, without lost ones. */
u64 table_hits(const struct table *table);

#endif
