// SPDX-License-Identifier: GPL-2.0-only
/* The maps of all processes: see space_maps.h. */
#include <linux/file.h>
#include <linux/hash.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include "pool.h"
#include "space_maps.h"
#include "space_objects.h"

#ifndef SPACES_POOL_BYTES
#define SPACES_POOL_BYTES	SZ_4M
#endif
#define BUCKET_BITS		10
/* Files released at a time: these are without the lock. */
#define FILES_RELEASED		16

/** A process that is known. */
struct space {
	struct hlist_node in_bucket;
	const struct mm_struct *mm;
	struct shared_map *shared;
	struct rcu_head rcu;
};

static_assert(sizeof(struct space) <= POOL_UNIT);
static_assert(sizeof(struct shared_map) + MAPPINGS_MAX * sizeof(struct mapping) <= POOL_BLOCK_MAX);

/*
 * Memory of replaced maps comes back after a grace period. A process that maps code fast, and has long
 * maps, must not take what others need: when this part of the pool waits, long maps find no room.
 */
#define WAITING_MAX		(SPACES_POOL_BYTES / 2)
#define LONG_MAP_BYTES		SZ_2K

static DEFINE_RAW_SPINLOCK(lock);	/* protects everything here, and the objects */
static struct pool pool;
static void *memory;
static u8 *state;
static struct hlist_head buckets[1 << BUCKET_BITS];
static size_t bytes_waiting;		/* of maps that have no user any more */
static u32 nr_unrecorded;

int maps_create(void)
{
	size_t bytes = SPACES_POOL_BYTES;

	memory = __vmalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
	state = vzalloc(bytes / POOL_UNIT);
	if (!memory || !state || objects_create()) {
		vfree(state);
		vfree(memory);
		return -ENOMEM;
	}
	pool_init(&pool, memory, state, bytes);
	return 0;
}

static struct hlist_head *bucket_of(const struct mm_struct *mm)
{
	return &buckets[hash_ptr(mm, BUCKET_BITS)];
}

static struct space *find_space(const struct mm_struct *mm)
{
	struct space *space;

	hlist_for_each_entry_rcu(space, bucket_of(mm), in_bucket, true)
		if (space->mm == mm)
			return space;
	return NULL;
}

const struct shared_map *maps_find(const struct mm_struct *mm)
{
	const struct space *space = find_space(mm);

	return space ? READ_ONCE(space->shared) : NULL;
}

static size_t bytes_of(const struct space_map *map)
{
	return struct_size(map, at, map->nr);
}

static void free_map(struct rcu_head *rcu)
{
	struct shared_map *shared = container_of(rcu, struct shared_map, rcu);
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	bytes_waiting -= bytes_of(&shared->map);
	pool_free(&pool, shared);
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void free_space(struct rcu_head *rcu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	pool_free(&pool, container_of(rcu, struct space, rcu));
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void count_unrecorded(u32 nr)
{
	WRITE_ONCE(nr_unrecorded, nr_unrecorded + nr);
}

/* Serial of the last map. */
static atomic_t last_serial;

struct shared_map *maps_allocate(u32 nr)
{
	struct shared_map *shared = NULL;
	size_t bytes = struct_size(shared, map.at, nr);
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	if (nr <= MAPPINGS_MAX && (bytes < LONG_MAP_BYTES || bytes_waiting < WAITING_MAX))
		shared = pool_alloc(&pool, bytes);
	if (!shared)
		count_unrecorded(nr);
	raw_spin_unlock_irqrestore(&lock, flags);
	if (shared) {
		shared->users = 1;
		shared->map.nr = 0;
		shared->map.serial = atomic_inc_return(&last_serial) ?:
			atomic_inc_return(&last_serial);
	}
	return shared;
}

/*
 * Release the objects of a map that has no user any more, and then the map, which readers may still have.
 * Without the lock: releasing a file may take other locks.
 */
static void release_map(struct shared_map *shared)
{
	struct file *file[FILES_RELEASED];
	unsigned long flags;
	u32 nr = shared->map.nr, done = 0, i, nr_files;

	while (done < nr) {
		nr_files = 0;
		raw_spin_lock_irqsave(&lock, flags);
		for (i = 0; i < FILES_RELEASED && done < nr; i++, done++) {
			file[nr_files] = objects_put(shared->map.at[done].object);
			nr_files += !!file[nr_files];
		}
		raw_spin_unlock_irqrestore(&lock, flags);
		for (i = 0; i < nr_files; i++)
			fput(file[i]);
	}
	raw_spin_lock_irqsave(&lock, flags);
	bytes_waiting += bytes_of(&shared->map);
	raw_spin_unlock_irqrestore(&lock, flags);
	call_rcu(&shared->rcu, free_map);
}

/* Returns the map if it has no user any more. */
static struct shared_map *put_map(struct shared_map *shared)
{
	return --shared->users ? NULL : shared;
}

/* Make a process known. Returns false if there is no room. Under the lock. */
static bool add_space(const struct mm_struct *mm, struct shared_map *shared)
{
	struct space *space = pool_alloc(&pool, sizeof(*space));

	if (!space) {
		count_unrecorded(shared->map.nr);
		return false;
	}
	space->mm = mm;
	space->shared = shared;
	hlist_add_head_rcu(&space->in_bucket, bucket_of(mm));
	return true;
}

/* Forget a process. Returns its map if that has no user any more. Under the lock. */
static struct shared_map *remove_space(struct space *space)
{
	struct shared_map *shared = put_map(space->shared);

	hlist_del_rcu(&space->in_bucket);
	call_rcu(&space->rcu, free_space);
	return shared;
}

/* Under the lock. Returns the map that has no user any more: @old, or @map, which was not published. */
static struct shared_map *replace_map(struct space *space, struct shared_map *map)
{
	struct shared_map *old = space->shared;
	u32 i;

	for (i = 0; i < map->map.nr; i++)
		objects_add_user(map->map.at[i].object);
	/* Pairs with the dependency in maps_find(). */
	smp_store_release(&space->shared, map);
	return put_map(old);
}

bool maps_publish(const struct mm_struct *mm, const struct shared_map *old, struct shared_map *map)
{
	struct shared_map *released = map;
	bool is_published = false;
	struct space *space;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	space = find_space(mm);
	if (!old && !space && add_space(mm, map)) {
		released = NULL;
		is_published = true;
	} else if (old && space && space->shared == old) {
		released = replace_map(space, map);
		is_published = true;
	} else if (old) {
		/* Has no users of objects. */
		map->map.nr = 0;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	if (released)
		release_map(released);
	return is_published;
}

void maps_drop(const struct mm_struct *mm)
{
	struct shared_map *released = NULL;
	struct space *space;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	space = find_space(mm);
	if (space)
		released = remove_space(space);
	raw_spin_unlock_irqrestore(&lock, flags);
	if (released)
		release_map(released);
}

void maps_share(const struct mm_struct *parent, const struct mm_struct *child)
{
	struct space *space;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	space = find_space(parent);
	if (space && !find_space(child) && add_space(child, space->shared))
		space->shared->users++;
	raw_spin_unlock_irqrestore(&lock, flags);
}

void maps_destroy(void)
{
	struct space *space;
	struct hlist_node *next;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		hlist_for_each_entry_safe(space, next, &buckets[i], in_bucket)
			maps_drop(space->mm);
	rcu_barrier();
	objects_destroy();
	vfree(state);
	vfree(memory);
}

int maps_get_object(struct file *file)
{
	unsigned long flags;
	int object;

	raw_spin_lock_irqsave(&lock, flags);
	object = objects_get(file);
	if (object < 0)
		count_unrecorded(1);
	raw_spin_unlock_irqrestore(&lock, flags);
	return object;
}

void maps_put_object(u32 object)
{
	struct file *file;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	file = objects_put(object);
	raw_spin_unlock_irqrestore(&lock, flags);
	if (file)
		fput(file);
}

bool maps_is_object(u32 object, const struct file *file)
{
	unsigned long flags;
	bool is_object;

	raw_spin_lock_irqsave(&lock, flags);
	is_object = objects_is(object, file);
	raw_spin_unlock_irqrestore(&lock, flags);
	return is_object;
}

struct file *maps_file(u32 object, u32 seq)
{
	struct file *file;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	file = objects_file(object, seq);
	raw_spin_unlock_irqrestore(&lock, flags);
	return file;
}

u32 maps_unrecorded(void)
{
	return READ_ONCE(nr_unrecorded);
}
