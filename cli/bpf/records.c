// SPDX-License-Identifier: GPL-2.0-only
/* Counts by task as records of the system: see tally.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "bpf/identities.h"
#include "bpf/tally.h"

struct records {
	struct tally tally;
	struct identities *identities;
	/* the records of all CPUs, without counts, and the index of each key's */
	struct cpuprobe_record *records;
	u32 nr_records;
	struct intern record_index;
	u32 *record_of_key;
	struct cpuprobe_record *entries;	/* those of one CPU */
};

static bool is_record(const void *owner, u32 position, const void *key)
{
	const struct cpuprobe_record *record = &((const struct records *)owner)->records[position];
	const struct cpuprobe_record *wanted = key;

	return !memcmp(record->id, wanted->id, sizeof(record->id)) && record->kind == wanted->kind;
}

/* Index of the record with the same identity, which is added if new. INTERN_NONE: out of memory. */
static u32 get_record(struct records *records, const struct cpuprobe_record *record)
{
	const u64 hash = intern_hash(record->kind, record->id, sizeof(record->id));
	u32 at = intern_find(&records->record_index, hash, is_record, records, record);

	if (at != INTERN_NONE)
		return at;
	at = records->nr_records;
	if (!array_has_room(&records->records, at, sizeof(*records->records)) ||
	    intern_add(&records->record_index, hash, at))
		return INTERN_NONE;
	records->nr_records++;
	records->records[at] = *record;
	return at;
}

/* Finds out whom each key of this harvest counts. */
static void name_keys(struct tally *tally, const struct counts *counts)
{
	struct records *records = (struct records *)tally;
	u32 i;

	free(records->records);
	intern_deinit(&records->record_index);
	records->records = NULL;
	records->nr_records = 0;
	records->record_index = (struct intern){ .nr = 0 };
	identities_begin(records->identities);
	for (i = 0; i < counts->nr; i++)
		records->record_of_key[i] = get_record(records, identities_find(records->identities,
								counts_key_at(counts, i)));
}

static void meet_task(struct tally *tally, const struct counts_key *key)
{
	identities_find(((struct records *)tally)->identities, key);
}

/* Adds the samples of a CPU to copies of the records. */
static u64 fill_records(struct tally *tally, const struct counts *counts, u32 part,
			struct cpuprobe_account *account, const void **entries_ret)
{
	struct records *records = (struct records *)tally;
	struct cpuprobe_record *entry = records->entries;
	u32 i, nr = 0;
	u64 sum = 0;

	if (records->nr_records)
		memcpy(entry, records->records, records->nr_records * sizeof(*entry));
	for (i = 0; i < counts->nr; i++) {
		u64 hits = counts_value_at(counts, i, part);
		const u32 mode = counts_mode(counts_key_at(counts, i));

		sum += hits;
		if (records->record_of_key[i] == INTERN_NONE)
			account->lost[mode] += hits;
		else
			entry[records->record_of_key[i]].hits[mode] += hits;
	}
	for (i = 0; i < records->nr_records; i++)
		if (entry[i].hits[CPUPROBE_MODE_USER] || entry[i].hits[CPUPROBE_MODE_KERNEL] ||
		    entry[i].hits[CPUPROBE_MODE_SOFTIRQ])
			entry[nr++] = entry[i];
	account->entries = nr;
	*entries_ret = entry;
	return sum;
}

static void destroy_records(struct tally *tally)
{
	struct records *records = (struct records *)tally;

	identities_destroy(records->identities);
	free(records->records);
	intern_deinit(&records->record_index);
	free(records->record_of_key);
	free(records->entries);
	free(records);
}

struct tally *tally_create_records(unsigned int by, u32 nr_entries)
{
	struct records *records = calloc(1, sizeof(*records));

	if (!records)
		return NULL;
	records->tally = (struct tally){
		.begin = name_keys, .fill = fill_records, .destroy = destroy_records, .meet = meet_task
	};
	records->identities = identities_create(by);
	records->record_of_key = calloc(nr_entries, sizeof(u32));
	records->entries = calloc(nr_entries, sizeof(*records->entries));
	if (records->identities && records->record_of_key && records->entries) {
		/* The round of tasks that are met before the first harvest. */
		identities_begin(records->identities);
		return &records->tally;
	}
	destroy_records(&records->tally);
	return NULL;
}
