// SPDX-License-Identifier: GPL-2.0-only
/* Counts in slots: see slot_store.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/maps.h"
#include "bpf/programs.h"
#include "bpf/slot_store.h"

#define TASKS		512	/* with both turns 43 KB per CPU */
#define PLACES_MIN	2048	/* by address nearly every sample may have a key of its own ... */
#define PLACES_MAX	32768	/* ... but an element of a map has at most 4 MB */

struct slot_cpu {
	int area_fd;
	int program_fd;
	u32 part;		/* its part of a value */
	volatile struct counts_page *page;
};

struct slot_store {
	struct slot_cpu *cpus;
	size_t nr_cpus;
	u32 nr_slots;
};

u32 slot_store_room(const struct counts_spec *spec)
{
	u32 nr = PLACES_MIN;

	if (spec->by != COUNTS_BY_ADDRESS)
		return TASKS;
	while (nr < PLACES_MAX && nr < spec->rate_hz)
		nr *= 2;
	return nr;
}

static size_t area_len(const struct slot_store *store)
{
	return sizeof(struct counts_page) + 2 * programs_turn_len(store->nr_slots);
}

static int open_cpu(const struct slot_store *store, const struct counts_spec *spec, struct slot_cpu *cpu,
		    struct text_error *error_ret)
{
	const struct map_spec area = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32), .value_len = area_len(store), .nr = 1,
		.flags = BPF_F_MMAPABLE,
	};
	struct encode code = { .nr = 0 };
	void *page;

	cpu->area_fd = maps_create(&area, error_ret);
	if (cpu->area_fd < 0)
		return cpu->area_fd;
	page = mmap(NULL, area.value_len, PROT_READ | PROT_WRITE, MAP_SHARED, cpu->area_fd, 0);
	if (page == MAP_FAILED)
		return text_fail(error_ret, -errno, "map a BPF map: %s", strerror(errno));
	cpu->page = page;
	programs_count(&code, spec, cpu->area_fd, store->nr_slots);
	cpu->program_fd = maps_load(&code, error_ret);
	return cpu->program_fd < 0 ? cpu->program_fd : 0;
}

struct slot_store *slot_store_create(const struct counts_spec *spec, struct text_error *error_ret)
{
	struct slot_store *store = calloc(1, sizeof(*store));
	size_t at;

	if (store)
		store->cpus = calloc(spec->nr_cpus, sizeof(*store->cpus));
	if (!store || !store->cpus) {
		text_fail(error_ret, 0, "start sampling: out of memory");
		slot_store_destroy(store);
		return NULL;
	}
	store->nr_slots = slot_store_room(spec);
	for (; store->nr_cpus < spec->nr_cpus; store->nr_cpus++)
		store->cpus[store->nr_cpus] = (struct slot_cpu){
			.area_fd = -1, .program_fd = -1, .part = spec->parts[store->nr_cpus],
		};
	for (at = 0; at < store->nr_cpus; at++)
		if (open_cpu(store, spec, &store->cpus[at], error_ret)) {
			slot_store_destroy(store);
			return NULL;
		}
	return store;
}

void slot_store_destroy(struct slot_store *store)
{
	size_t at;

	if (!store)
		return;
	for (at = 0; at < store->nr_cpus; at++) {
		struct slot_cpu *cpu = &store->cpus[at];

		if (cpu->page)
			munmap((void *)cpu->page, area_len(store));
		if (cpu->area_fd >= 0)
			close(cpu->area_fd);
		if (cpu->program_fd >= 0)
			close(cpu->program_fd);
	}
	free(store->cpus);
	free(store);
}

volatile struct counts_page *slot_store_page(const struct slot_store *store, size_t at)
{
	return store->cpus[at].page;
}

int slot_store_program(const struct slot_store *store, size_t at)
{
	return store->cpus[at].program_fd;
}

/* A sample whose key finds all its slots taken is lost: at a third, less than one of 100,000. */
bool slot_store_is_due(const struct slot_store *store, u32 turn)
{
	size_t at;

	for (at = 0; at < store->nr_cpus; at++)
		if (store->cpus[at].page->nr_used[turn] > store->nr_slots / 3)
			return true;
	return false;
}

static void take_cpu(const struct slot_store *store, const struct slot_cpu *cpu, u32 turn, struct counts *counts)
{
	const u32 nr = store->nr_slots + COUNTS_PROBES - 1;
	struct counts_slot *slot = (struct counts_slot *)(cpu->page + 1) + (size_t)turn * nr;
	struct counts_key *keys = counts->keys;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!slot[i].hits)
			continue;
		keys[counts->nr] = slot[i].key;
		((u64 *)counts->values)[counts->nr] = slot[i].hits;
		counts->parts[counts->nr++] = cpu->part;
		memset(&slot[i], 0, sizeof(slot[i]));
	}
	cpu->page->nr_used[turn] = 0;
}

void slot_store_take(struct slot_store *store, u32 turn, struct counts *counts)
{
	size_t at;

	counts->nr = 0;
	for (at = 0; at < store->nr_cpus; at++)
		take_cpu(store, &store->cpus[at], turn, counts);
}
