// SPDX-License-Identifier: GPL-2.0-only
/* Counts that BPF programs make: see counts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/maps.h"
#include "bpf/slot_store.h"
#include "bpf/stack_program.h"
#include "bpf/stack_store.h"

#define LOOK_LEAST_NS	2000000ULL	/* a look reads a line of each CPU's page */
#define LOOK_MOST_NS	2000000000ULL

static size_t page_len(const struct counts *counts)
{
	size_t page = sysconf(_SC_PAGESIZE), len = counts->nr_cpu_ids * sizeof(struct counts_page);

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

static int create_page(struct counts *counts, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32),
		.value_len = sizeof(struct counts_page), .nr = counts->nr_cpu_ids,
		.flags = BPF_F_MMAPABLE,
	};
	void *page;
	u32 cpu;

	counts->page_fd = maps_create(&spec, error_ret);
	if (counts->page_fd < 0)
		return counts->page_fd;
	page = mmap(NULL, page_len(counts), PROT_READ | PROT_WRITE, MAP_SHARED, counts->page_fd, 0);
	if (page == MAP_FAILED)
		return text_fail(error_ret, -errno, "map a BPF map: %s", strerror(errno));
	counts->mapped = page;
	for (cpu = 0; cpu < counts->nr_cpu_ids; cpu++)
		counts->pages[cpu] = (struct counts_page *)page + cpu;
	return 0;
}

/* The maps and the program of counts by stack, which all CPUs share. */
static int open_stacks(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret)
{
	size_t at;
	int error;

	counts->stacks = stack_store_create(spec, counts->nr_entries, error_ret);
	if (!counts->stacks)
		return -ENOMEM;
	error = create_hashes(counts, error_ret) ?: create_page(counts, error_ret);
	if (error)
		return error;
	counts->program_fd = stack_store_load(counts->stacks, counts, spec, error_ret);
	for (at = 0; at < counts->nr_cpus; at++)
		counts->program_fds[at] = counts->program_fd;
	return counts->program_fd < 0 ? counts->program_fd : 0;
}

static int open_slots(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret)
{
	size_t at;

	counts->slots = slot_store_create(spec, error_ret);
	if (!counts->slots)
		return -ENOMEM;
	for (at = 0; at < counts->nr_cpus; at++) {
		counts->pages[spec->cpus[at]] = slot_store_page(counts->slots, at);
		counts->program_fds[at] = slot_store_program(counts->slots, at);
	}
	return 0;
}

/* A map whose update waits for the programs that run. */
static int create_wait(struct counts *counts, struct text_error *error_ret)
{
	struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32), .value_len = sizeof(u32), .nr = 1,
	};

	counts->inner_fd = maps_create(&spec, error_ret);
	if (counts->inner_fd < 0)
		return counts->inner_fd;
	spec.type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
	spec.inner_fd = counts->inner_fd;
	counts->wait_fd = maps_create(&spec, error_ret);
	return counts->wait_fd < 0 ? counts->wait_fd : 0;
}

static bool make_room(struct counts *counts, bool is_by_stack)
{
	counts->keys = calloc(counts->nr_entries + 1, sizeof(struct counts_key));
	counts->values = calloc((size_t)counts->nr_entries * (is_by_stack ? counts->nr_possible : 1),
				counts->value_len);
	counts->parts = is_by_stack ? NULL : calloc(counts->nr_entries, sizeof(*counts->parts));
	counts->pages = calloc(counts->nr_cpu_ids, sizeof(*counts->pages));
	counts->program_fds = calloc(counts->nr_cpus, sizeof(*counts->program_fds));
	return counts->keys && counts->values && (is_by_stack || counts->parts) && counts->pages &&
		counts->program_fds;
}

int counts_open(struct counts *counts, const struct counts_spec *spec, struct text_error *error_ret)
{
	const bool is_by_stack = spec->by == COUNTS_BY_STACK;
	int error;

	*counts = (struct counts){
		.wait_fd = -1, .inner_fd = -1, .map_fd = { -1, -1 }, .page_fd = -1, .program_fd = -1,
		.nr_entries = is_by_stack ? stack_store_room(spec) :
			spec->nr_cpus * (slot_store_room(spec) + COUNTS_PROBES - 1),
		.nr_possible = spec->nr_possible, .nr_cpu_ids = spec->nr_cpu_ids, .nr_cpus = spec->nr_cpus,
		.key_len = is_by_stack ? offsetof(struct counts_key, stack) + 2 * sizeof(s32) :
					 sizeof(struct counts_key),
		.value_len = is_by_stack ? sizeof(struct counts_stack) : sizeof(u64),
	};
	if (!make_room(counts, is_by_stack))
		error = text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	else
		error = create_wait(counts, error_ret) ?:
			(is_by_stack ? open_stacks : open_slots)(counts, spec, error_ret);
	if (error)
		counts_close(counts);
	return error;
}

static u64 sum_added(const struct counts *counts)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < counts->nr_cpu_ids; cpu++)
		sum += counts->pages[cpu]->nr_added;
	return sum;
}

bool counts_are_due(const struct counts *counts)
{
	if (counts->slots)
		return slot_store_is_due(counts->slots, counts->turn);
	return sum_added(counts) - counts->added_before > counts->nr_entries / 2 ||
		stack_store_is_due(counts->stacks);
}

u64 counts_look_ns(const struct counts *counts, u64 period_ns)
{
	u32 room = counts->nr_entries;
	u64 look_ns;

	/* Stores are due when they are a third or half full. Each sample may be a new key, or go to the ring. */
	if (!counts->slots && room > stack_store_spills())
		room = stack_store_spills();
	look_ns = room / 4 * period_ns / (counts->nr_cpus ?: 1);
	return look_ns < LOOK_LEAST_NS ? LOOK_LEAST_NS : look_ns > LOOK_MOST_NS ? LOOK_MOST_NS : look_ns;
}

/* Tells all programs the other turn, and waits until none uses this one any more. */
static int take_turns(struct counts *counts, struct text_error *error_ret)
{
	const u32 zero = 0;
	u32 cpu;
	int error;

	counts->turn = !counts->turn;
	for (cpu = 0; cpu < counts->nr_cpu_ids; cpu++)
		if (counts->pages[cpu])
			counts->pages[cpu]->turn = counts->turn;
	error = maps_put(counts->wait_fd, &zero, &counts->inner_fd);
	return error ? text_fail(error_ret, error, "harvest: wait for BPF programs: %s", strerror(-error)) : 0;
}

static int take_stacks(struct counts *counts, struct text_error *error_ret)
{
	int nr = maps_take_all(counts->map_fd[!counts->turn], counts->keys, counts->values, counts->nr_entries);

	counts->added_before = sum_added(counts);
	counts->nr = nr < 0 ? 0 : nr;
	if (nr < 0)
		return text_fail(error_ret, nr, "harvest: read a BPF map: %s", strerror(-nr));
	return stack_store_take(counts->stacks, counts, !counts->turn, error_ret);
}

int counts_take(struct counts *counts, struct text_error *error_ret)
{
	int error = take_turns(counts, error_ret);

	if (error)
		return error;
	if (!counts->slots)
		return take_stacks(counts, error_ret);
	slot_store_take(counts->slots, !counts->turn, counts);
	return 0;
}

u64 counts_lost(const struct counts *counts, u32 cpu, bool is_user)
{
	return counts->pages[cpu]->lost[is_user];
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void counts_close(struct counts *counts)
{
	if (counts->mapped)
		munmap(counts->mapped, page_len(counts));
	/* All zero: it was never opened. */
	if (counts->nr_entries) {
		close_if_open(counts->program_fd);
		close_if_open(counts->wait_fd);
		close_if_open(counts->inner_fd);
		close_if_open(counts->map_fd[0]);
		close_if_open(counts->map_fd[1]);
		close_if_open(counts->page_fd);
	}
	slot_store_destroy(counts->slots);
	stack_store_destroy(counts->stacks);
	free(counts->keys);
	free(counts->values);
	free(counts->parts);
	free(counts->pages);
	free(counts->program_fds);
	memset(counts, 0, sizeof(*counts));
}
