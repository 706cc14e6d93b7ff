/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the counts of BPF programs into the entries of accounts that the module would deliver. Each kind
 * of session has one of these structs, embedded in its own.
 */
#ifndef TALLY_H
#define TALLY_H

#include "bpf/counts.h"
#include "cpuprobe.h"

/** Code that is mapped: areas as described in uapi/cpuprobe.h. Belongs to the session. */
struct area_list {
	struct cpuprobe_area *area;
	u32 nr;
	u32 nr_objects;		/* at least CPUPROBE_OBJECT_FIRST */
	bool is_known;
};

/**
 * area_list_set() - replace the areas of a list, which is all zero before the first time.
 * @areas: copied. -EINVAL: not as described in uapi/cpuprobe.h.
 */
int area_list_set(struct area_list *list, const struct cpuprobe_area *areas, size_t nr_areas,
		  struct text_error *error_ret);

struct tally {
	/* New counts were taken: looks up whom they are about. */
	void (*begin)(struct tally *tally, const struct counts *counts);
	/*
	 * Fills in @account, which has nothing but the samples lost in the kernel, with one CPU's counts,
	 * the part @part of each value. Returns their sum. The entries are valid until the next call.
	 */
	u64 (*fill)(struct tally *tally, const struct counts *counts, u32 part,
		    struct cpuprobe_account *account, const void **entries_ret);
	void (*destroy)(struct tally *tally);
	/* Opens an executable of the accounts since begin(); NULL: they have none. */
	int (*open_exe)(struct tally *tally, u32 exe);
	/*
	 * Looks up a task before the first counts, because it may end before them; @key has its id and name.
	 * NULL: nothing is looked up early.
	 */
	void (*meet)(struct tally *tally, const struct counts_key *key);
};

/** tally_create_records() - for sessions of the system. NULL: out of memory. */
struct tally *tally_create_records(unsigned int by, u32 nr_entries);

/**
 * tally_create_addresses() - for sessions of a process. NULL: out of memory, or the range is empty.
 * @areas: read while counts are added
 */
struct tally *tally_create_addresses(const struct cpuprobe_start *start,
				     const struct area_list *areas);

/**
 * tally_create_stacks() - for sessions of stacks. NULL: out of memory, or the target cannot be examined.
 * @possible: numbers of the possible CPUs, by their part of a value; must outlive it
 */
struct tally *tally_create_stacks(const struct cpuprobe_start *start, const u32 *possible);

#endif
