// SPDX-License-Identifier: GPL-2.0-only
/* The system table: see table.h. */
#include "table.h"

void identity_of_number(u32 pid, u32 hash, u64 start_ns, struct identity *who)
{
	u32 wanted = pid * 79 & (CPUPROBE_RECORDS - 1);

	who->id[0] = (u64)pid << 32 | hash;
	who->id[1] = start_ns & ~0ULL >> 8;
	who->id[1] |= (u64)(table_hash(who) ^ wanted) << 56;
}

struct cpuprobe_record *table_get(struct table *table, const struct identity *who, bool *created)
{
	u32 hash = table_hash(who);
	u32 step;

	for (step = 0; step < CPUPROBE_SEARCH; step++) {
		struct cpuprobe_record *record =
			&table->record[(hash + step) & (CPUPROBE_RECORDS - 1)];

		if (likely(table_is_record(record, who)))
			return record;
		if (record->kind == CPUPROBE_KIND_FREE) {
			record->id[0] = who->id[0];
			record->id[1] = who->id[1];
			record->kind = who->kind;
			WRITE_ONCE(table->nr_records, table->nr_records + 1);
			*created = true;
			return record;
		}
	}
	return NULL;
}

u64 table_hits(const struct table *table)
{
	u64 hits = 0;
	u32 i, mode;

	for (i = 0; i < CPUPROBE_RECORDS; i++)
		for (mode = 0; mode < CPUPROBE_MODES; mode++)
			hits += table->record[i].hits[mode];
	return hits;
}
