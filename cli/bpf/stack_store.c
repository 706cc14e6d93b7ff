// SPDX-License-Identifier: GPL-2.0-only
/* The frames of stacks: see stack_store.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sysfile.h"
#include "bpf/maps.h"
#include "bpf/stack_store.h"

#define STACKS_MIN	128	/* fewer are full before the tool looks */
#define STACKS_MAX	65536
#define LEAST_BYTES	(2u << 20)	/* room for 1024 stacks on up to 4 CPUs, however little was asked for */
#define DEFAULT_MOST	(128ull << 20)	/* leaves as much to an agent, whose unit is limited to 256 MiB */
/* The kernel's memory for a stack: 16 bytes, two places in the table of the map, and the frames. */
#define FRAMES_BYTES	(16 + 2 * sizeof(void *) + STACK_FRAMES * sizeof(u64))
/* And for its counter: the element with its key and its place in the table, and a part for each possible CPU. */
#define COUNTER_BYTES	88
#define PART_BYTES	(sizeof(struct counts_stack) + 8)	/* and the bitmaps of the allocator */
#define RING_BYTES	(512u << 10)	/* of 4 KiB pages or larger ones, a power of two */

struct stack_store {
	int stacks_fd[2];
	int scratch_fd;
	int ring_fd;
	int cgroup_fd;
	u32 depth;		/* frames of a stack */
	bool takes_slowly;	/* see maps_take() */
	u32 nr_numbers;		/* numbers are below this */
	/* the ring: how far the tool has read, and the kernel written; the data is there twice, in a row */
	unsigned long *read_at;
	const unsigned long *written;
	size_t page;

	/* results of stack_store_take() */
	u32 *place;		/* by number: which frames, plus one; 0: none */
	u64 *frames;
	u32 nr;
	struct stack_spilled *spilled;
	u32 nr_spilled;
};

u64 stack_store_cost(u32 nr_possible)
{
	const u64 turn = FRAMES_BYTES + COUNTER_BYTES + (u64)nr_possible * PART_BYTES;
	const u64 harvest = sizeof(struct counts_key) + (u64)nr_possible * sizeof(struct counts_stack);

	return 2 * turn + harvest + 2 * sizeof(u32);
}

u64 stack_store_bytes(u64 kib, size_t nr_cpus)
{
	const u64 bytes = (kib ?: CPUPROBE_STACK_KIB) * 1024 * nr_cpus;

	return !kib && bytes > DEFAULT_MOST ? DEFAULT_MOST : bytes;
}

u32 stack_store_room(const struct counts_spec *spec)
{
	const u64 bytes = spec->stack_bytes > LEAST_BYTES ? spec->stack_bytes : LEAST_BYTES;
	const u64 wanted = bytes / stack_store_cost(spec->nr_possible);
	u32 nr = STACKS_MIN;

	while (nr < STACKS_MAX && 2ULL * nr <= wanted)
		nr *= 2;
	return nr;
}

/* The kernel may allow fewer frames. */
static u32 choose_depth(void)
{
	char line[32];
	u32 most;

	if (sysfile_line("/proc/sys/kernel/perf_event_max_stack", line, sizeof(line)))
		return STACK_FRAMES;
	most = strtoul(line, NULL, 10);
	return most && most < STACK_FRAMES ? most : STACK_FRAMES;
}

static int create_maps(struct stack_store *store, u32 nr, struct text_error *error_ret)
{
	/* One more than a power of two: there are twice as many numbers as stacks, for fewer collisions. */
	const struct map_spec stacks = {
		.type = BPF_MAP_TYPE_STACK_TRACE, .key_len = sizeof(u32),
		.value_len = store->depth * sizeof(u64), .nr = nr + 1,
	};
	const struct map_spec scratch = {
		.type = BPF_MAP_TYPE_PERCPU_ARRAY, .key_len = sizeof(u32),
		.value_len = sizeof(struct stack_spilled), .nr = 1,
	};
	const struct map_spec ring = { .type = BPF_MAP_TYPE_RINGBUF, .nr = RING_BYTES };

	store->nr_numbers = 2 * nr;
	store->stacks_fd[0] = maps_create(&stacks, error_ret);
	if (store->stacks_fd[0] >= 0)
		store->stacks_fd[1] = maps_create(&stacks, error_ret);
	if (store->stacks_fd[1] >= 0)
		store->scratch_fd = maps_create(&scratch, error_ret);
	if (store->scratch_fd >= 0)
		store->ring_fd = maps_create(&ring, error_ret);
	return store->ring_fd < 0 ? -EIO : 0;
}

static int map_ring(struct stack_store *store, struct text_error *error_ret)
{
	void *at;

	store->page = sysconf(_SC_PAGESIZE);
	at = mmap(NULL, store->page, PROT_READ | PROT_WRITE, MAP_SHARED, store->ring_fd, 0);
	if (at != MAP_FAILED) {
		store->read_at = at;
		at = mmap(NULL, store->page + 2 * RING_BYTES, PROT_READ, MAP_SHARED, store->ring_fd,
			  store->page);
	}
	if (at == MAP_FAILED)
		return text_fail(error_ret, -errno, "map a BPF ring: %s", strerror(errno));
	store->written = at;
	return 0;
}

static int create_group(struct stack_store *store, int cgroup_fd, struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_CGROUP_ARRAY, .key_len = sizeof(u32), .value_len = sizeof(u32), .nr = 1,
	};
	const u32 zero = 0;
	int error;

	if (cgroup_fd < 0)
		return 0;
	store->cgroup_fd = maps_create(&spec, error_ret);
	if (store->cgroup_fd < 0)
		return store->cgroup_fd;
	error = maps_put(store->cgroup_fd, &zero, &cgroup_fd);
	return error ? text_fail(error_ret, error, "choose the control group: %s", strerror(-error)) : 0;
}

struct stack_store *stack_store_create(const struct counts_spec *spec, u32 nr, struct text_error *error_ret)
{
	struct stack_store *store = calloc(1, sizeof(*store));

	if (!store) {
		text_fail(error_ret, 0, "start sampling: out of memory");
		return NULL;
	}
	*store = (struct stack_store){
		.stacks_fd = { -1, -1 }, .scratch_fd = -1, .ring_fd = -1, .cgroup_fd = -1,
		.depth = choose_depth(), .place = calloc(2 * nr, sizeof(u32)),
		.spilled = calloc(RING_BYTES / sizeof(struct stack_spilled), sizeof(struct stack_spilled)),
	};
	if (!store->place || !store->spilled)
		text_fail(error_ret, 0, "start sampling: out of memory");
	else if (!create_maps(store, nr, error_ret) && !map_ring(store, error_ret) &&
		 !create_group(store, spec->cgroup_fd, error_ret))
		return store;
	stack_store_destroy(store);
	return NULL;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void stack_store_destroy(struct stack_store *store)
{
	if (!store)
		return;
	if (store->read_at)
		munmap(store->read_at, store->page);
	if (store->written)
		munmap((void *)store->written, store->page + 2 * RING_BYTES);
	close_if_open(store->stacks_fd[0]);
	close_if_open(store->stacks_fd[1]);
	close_if_open(store->scratch_fd);
	close_if_open(store->ring_fd);
	close_if_open(store->cgroup_fd);
	free(store->place);
	free(store->frames);
	free(store->spilled);
	free(store);
}

int stack_store_load(const struct stack_store *store, const struct counts *counts,
		     const struct counts_spec *spec, struct text_error *error_ret)
{
	struct stack_program program = {
		.page_fd = counts->page_fd,
		.hash_fd = { counts->map_fd[0], counts->map_fd[1] },
		.stacks_fd = { store->stacks_fd[0], store->stacks_fd[1] },
		.scratch_fd = store->scratch_fd, .ring_fd = store->ring_fd, .cgroup_fd = store->cgroup_fd,
		.pid = spec->pid, .frames = spec->frames, .depth = store->depth, .finds_regs = true,
	};
	struct encode code = { .nr = 0 };
	int fd;

	if (getrandom(&program.factor, sizeof(program.factor), 0) < 0)
		return text_fail(error_ret, -errno, "draw a number: %s", strerror(errno));
	program.factor |= 1;
	stack_program_write(&code, &program);
	fd = maps_load(&code, error_ret);
	if (fd >= 0)
		return fd;
	/* Without BTF the ends of stacks are known in user mode only. */
	program.finds_regs = false;
	code = (struct encode){ .nr = 0 };
	stack_program_write(&code, &program);
	return maps_load(&code, error_ret);
}

u32 stack_store_spills(void)
{
	return RING_BYTES / (BPF_RINGBUF_HDR_SZ + sizeof(struct stack_spilled));
}

bool stack_store_is_due(const struct stack_store *store)
{
	return __atomic_load_n(store->written, __ATOMIC_RELAXED) -
		__atomic_load_n(store->read_at, __ATOMIC_RELAXED) > RING_BYTES / 2;
}

/* Reads the frames of a number, if there are any, and clears them. */
static int take_stack(struct stack_store *store, int fd, s32 number)
{
	const u32 key = number;
	u64 *frames;
	int error;

	if (number < 0 || key >= store->nr_numbers || store->place[key])
		return 0;
	if (!array_has_room(&store->frames, store->nr, STACK_FRAMES * sizeof(*frames)))
		return -ENOMEM;
	frames = store->frames + (size_t)store->nr * STACK_FRAMES;
	memset(frames, 0, STACK_FRAMES * sizeof(*frames));
	error = maps_take(fd, &key, frames, &store->takes_slowly);
	if (!error)
		store->place[key] = ++store->nr;
	return error == -ENOENT ? 0 : error;
}

/* Clears stacks that no key has: their samples found no place. */
static int clear_others(int fd)
{
	const u32 *last = NULL;
	u32 number, next;
	int error = 0;

	while (!error && !(error = maps_next(fd, last, &next))) {
		number = next;
		last = &number;
		error = maps_remove(fd, &number);
	}
	return error == -ENOENT ? 0 : error;
}

static int take_stacks(struct stack_store *store, const struct counts *counts, int fd, struct text_error *error_ret)
{
	int error = 0;
	u32 i;

	memset(store->place, 0, store->nr_numbers * sizeof(*store->place));
	store->nr = 0;
	for (i = 0; i < counts->nr && !error; i++) {
		const struct counts_stack *first = counts_first_stack(counts, i);

		error = take_stack(store, fd, first->stack[0]) ?: take_stack(store, fd, first->stack[1]);
	}
	error = error ?: clear_others(fd);
	return error ? text_fail(error_ret, error, "harvest: read stacks: %s", strerror(-error)) : 0;
}

/* Copies what programs have finished writing: records of others, still busy, are for the next time. */
static void take_ring(struct stack_store *store)
{
	const char *data = (const char *)store->written + store->page;
	unsigned long at = *store->read_at, end = __atomic_load_n(store->written, __ATOMIC_ACQUIRE);

	for (store->nr_spilled = 0; at < end;) {
		const u32 *header = (const u32 *)(data + (at & (RING_BYTES - 1)));
		u32 len = __atomic_load_n(header, __ATOMIC_ACQUIRE);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT) && len == sizeof(struct stack_spilled))
			memcpy(&store->spilled[store->nr_spilled++],
			       (const char *)header + BPF_RINGBUF_HDR_SZ, sizeof(struct stack_spilled));
		len &= ~BPF_RINGBUF_DISCARD_BIT;
		at += (len + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
		if (store->nr_spilled == RING_BYTES / sizeof(struct stack_spilled))
			break;
	}
	__atomic_store_n(store->read_at, at, __ATOMIC_RELEASE);
}

int stack_store_take(struct stack_store *store, const struct counts *counts, u32 turn,
		     struct text_error *error_ret)
{
	take_ring(store);
	return take_stacks(store, counts, store->stacks_fd[turn], error_ret);
}

const u64 *stack_store_frames(const struct stack_store *store, s32 number, u32 *nr_ret)
{
	const u64 *frames;
	u32 nr = 0;

	*nr_ret = 0;
	if (number < 0 || (u32)number >= store->nr_numbers || !store->place[number])
		return NULL;
	frames = store->frames + (size_t)(store->place[number] - 1) * STACK_FRAMES;
	while (nr < STACK_FRAMES && frames[nr])
		nr++;
	*nr_ret = nr;
	return frames;
}

u32 stack_store_depth(const struct stack_store *store)
{
	return store->depth;
}

const struct stack_spilled *stack_store_spilled(const struct stack_store *store, u32 *nr_ret)
{
	*nr_ret = store->nr_spilled;
	return store->spilled;
}
