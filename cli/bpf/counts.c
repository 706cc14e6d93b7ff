// SPDX-License-Identifier: GPL-2.0-only
/* Counts that a BPF program makes: see counts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/maps.h"
#include "bpf/programs.h"
#include "bpf/stack_program.h"
#include "bpf/stack_store.h"

#define ENTRIES_PER_CPU	256
#define ENTRIES_MIN	512
#define ENTRIES_MAX	3072	/* at 1 kHz: two maps of 8 bytes a CPU each are 48 KiB per CPU */
#define PLACES_MIN	4096	/* by address nearly every sample may have a key of its own ... */
#define PLACES_MAX	65536	/* ... for two seconds, twice as long as between two harvests */

static size_t page_len(const struct counts *counts)
{
	size_t page = sysconf(_SC_PAGESIZE), len = counts->nr_cpu_ids * sizeof(*counts->page);

	return (len + page - 1) / page * page;
}

static int create_hashes(struct counts *counts, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_PERCPU_HASH, .key_len = counts->key_len,
		.value_len = counts->value_len, .nr = counts->nr_entries,
	};
	int i;

	for (i = 0; i < 2; i++) {
		counts->map_fd[i] = maps_create(&spec, error_ret);
		if (counts->map_fd[i] < 0)
			return counts->map_fd[i];
	}
	return 0;
}

/*
 * A program by stack uses two maps of each turn, which must belong together. So the turn itself is what it
 * reads, once.
 */
static int create_numbers(struct counts *counts, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32), .value_len = sizeof(u32), .nr = 1,
	};
	const u32 zero = 0;
	u32 i;
	int error;

	for (i = 0; i < 2; i++) {
		counts->number_fd[i] = maps_create(&spec, error_ret);
		if (counts->number_fd[i] < 0)
			return counts->number_fd[i];
		error = maps_put(counts->number_fd[i], &zero, &i);
		if (error)
			return text_fail(error_ret, error, "fill a BPF map: %s", strerror(-error));
	}
	return 0;
}

/* The maps that take turns. */
static const int *turns(const struct counts *counts)
{
	return counts->stacks ? counts->number_fd : counts->map_fd;
}

static int create_turn(struct counts *counts, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY_OF_MAPS, .key_len = sizeof(u32),
		.value_len = sizeof(u32), .nr = 1, .inner_fd = turns(counts)[0],
	};
	const u32 zero = 0;
	int error;

	counts->turn_fd = maps_create(&spec, error_ret);
	if (counts->turn_fd < 0)
		return counts->turn_fd;
	error = maps_put(counts->turn_fd, &zero, &turns(counts)[0]);
	return error ? text_fail(error_ret, error, "fill a BPF map: %s", strerror(-error)) : 0;
}

static int create_page(struct counts *counts, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32),
		.value_len = sizeof(struct counts_page), .nr = counts->nr_cpu_ids,
		.flags = BPF_F_MMAPABLE,
	};
	void *page;

	counts->page_fd = maps_create(&spec, error_ret);
	if (counts->page_fd < 0)
		return counts->page_fd;
	page = mmap(NULL, page_len(counts), PROT_READ, MAP_SHARED, counts->page_fd, 0);
	if (page == MAP_FAILED)
		return text_fail(error_ret, -errno, "map a BPF map: %s", strerror(errno));
	counts->page = page;
	return 0;
}

static int load_program(struct counts *counts, const struct counts_spec *spec,
			struct text_error *error_ret)
{
	struct encode code = { .nr = 0 };

	if (counts->stacks) {
		counts->program_fd = stack_store_load(counts->stacks, counts, spec, error_ret);
		return counts->program_fd < 0 ? counts->program_fd : 0;
	}
	programs_count(&code, spec, counts->turn_fd, counts->page_fd);
	counts->program_fd = maps_load(&code, error_ret);
	return counts->program_fd < 0 ? counts->program_fd : 0;
}

static u32 count_entries(const struct counts_spec *spec)
{
	const bool has_places = spec->by == COUNTS_BY_ADDRESS;
	/* A harvest takes tens of milliseconds, in which more keys come at a higher rate. */
	const u32 times = spec->rate_hz > 1000 ? (spec->rate_hz + 999) / 1000 : 1;
	const u64 wanted = (u64)spec->nr_possible *
		(has_places ? 2 * spec->rate_hz : ENTRIES_PER_CPU * times);
	const u32 least = has_places ? PLACES_MIN : ENTRIES_MIN;
	const u32 most = has_places ? PLACES_MAX : ENTRIES_MAX * times;

	return wanted < least ? least : wanted > most ? most : wanted;
}

static int create_stacks(struct counts *counts, const struct counts_spec *spec,
			 struct text_error *error_ret)
{
	if (spec->by != COUNTS_BY_STACK)
		return 0;
	counts->stacks = stack_store_create(spec, counts->nr_entries, error_ret);
	return !counts->stacks ? -ENOMEM : create_numbers(counts, error_ret);
}

static size_t length_of_key(enum counts_by by)
{
	return by == COUNTS_BY_ADDRESS ? sizeof(struct counts_key) :
	       by == COUNTS_BY_STACK ? offsetof(struct counts_key, stack) + 2 * sizeof(s32) :
				       offsetof(struct counts_key, pc);
}

int counts_open(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret)
{
	int error;

	*counts = (struct counts){
		.turn_fd = -1, .map_fd = { -1, -1 }, .number_fd = { -1, -1 }, .page_fd = -1, .program_fd = -1,
		.nr_entries = spec->by == COUNTS_BY_STACK ? stack_store_room(spec) : count_entries(spec),
		.nr_possible = spec->nr_possible, .nr_cpu_ids = spec->nr_cpu_ids,
		.key_len = length_of_key(spec->by),
		.value_len = spec->by == COUNTS_BY_STACK ? sizeof(struct counts_stack) : sizeof(u64),
	};
	/* The last key may be read as a whole one. */
	counts->keys = calloc(counts->nr_entries + 1, sizeof(struct counts_key));
	counts->values = calloc((size_t)counts->nr_entries * spec->nr_possible,
				counts->value_len);
	if (!counts->keys || !counts->values)
		error = text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	else
		error = create_stacks(counts, spec, error_ret) ?: create_hashes(counts, error_ret) ?:
			create_turn(counts, error_ret) ?: create_page(counts, error_ret) ?:
			load_program(counts, spec, error_ret);
	if (error)
		counts_close(counts);
	return error;
}

static u64 sum_added(const struct counts *counts)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < counts->nr_cpu_ids; cpu++)
		sum += counts->page[cpu].nr_added;
	return sum;
}

bool counts_are_due(const struct counts *counts)
{
	return sum_added(counts) - counts->added_before > counts->nr_entries / 2 ||
		(counts->stacks && stack_store_is_due(counts->stacks));
}

int counts_take(struct counts *counts, struct text_error *error_ret)
{
	const u32 zero = 0;
	int old = counts->map_fd[counts->turn], nr, error;

	counts->turn = !counts->turn;
	error = maps_put(counts->turn_fd, &zero, &turns(counts)[counts->turn]);
	if (error) {
		counts->turn = !counts->turn;
		return text_fail(error_ret, error, "harvest: exchange the BPF maps: %s",
				 strerror(-error));
	}
	counts->added_before = sum_added(counts);
	nr = maps_take_all(old, counts->keys, counts->values, counts->nr_entries);
	counts->nr = nr < 0 ? 0 : nr;
	if (nr < 0)
		return text_fail(error_ret, nr, "harvest: read a BPF map: %s", strerror(-nr));
	return counts->stacks ? stack_store_take(counts->stacks, !counts->turn, error_ret) : 0;
}

u64 counts_lost(const struct counts *counts, u32 cpu, bool is_user)
{
	return counts->page[cpu].lost[is_user];
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void counts_close(struct counts *counts)
{
	if (counts->page)
		munmap((void *)counts->page, page_len(counts));
	/* All zero: it was never opened. */
	if (counts->nr_entries) {
		close_if_open(counts->program_fd);
		close_if_open(counts->turn_fd);
		close_if_open(counts->map_fd[0]);
		close_if_open(counts->map_fd[1]);
		close_if_open(counts->number_fd[0]);
		close_if_open(counts->number_fd[1]);
		close_if_open(counts->page_fd);
	}
	stack_store_destroy(counts->stacks);
	free(counts->keys);
	free(counts->values);
	memset(counts, 0, sizeof(*counts));
}
