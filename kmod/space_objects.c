// SPDX-License-Identifier: GPL-2.0-only
/* Files that are mapped as code: see space_objects.h. */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/nospec.h>
#include <linux/rcupdate.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "space_objects.h"
#include "spaces.h"

#define BUCKET_BITS	10

/** Tells the content of a file from others that have its inode after it. */
struct object_key {
	u64 ino;
	dev_t dev;
	u32 generation;
	loff_t size;
	time64_t changed_s;
	long changed_ns;
};

struct object {
	struct hlist_node in_bucket;
	struct list_head when_idle;	/* in the order of becoming idle */
	struct object_key key;
	struct file *file;		/* NULL: idle, or the vdso */
	u32 users;			/* mappings in all maps */
	unsigned long grace;		/* the grace period that began when it became idle */
};

/** All objects. */
struct objects {
	u32 nr;				/* objects that have ever been used */
	struct list_head idle;
	struct hlist_head bucket[1 << BUCKET_BITS];
	struct object object[SPACES_OBJECTS];
};

static struct objects *objects;

u32 spaces_seqs[SPACES_OBJECTS];

int objects_create(void)
{
	objects = vzalloc(sizeof(*objects));
	if (!objects)
		return -ENOMEM;
	INIT_LIST_HEAD(&objects->idle);
	objects->nr = 1;
	return 0;
}

void objects_destroy(void)
{
	vfree(objects);
	objects = NULL;
}

/* A file may be written to right now: then it has no stable content. */
static struct object_key key_of(const struct file *file)
{
	const struct inode *inode = file_inode(file);
	struct timespec64 changed = data_race(compat_mtime(inode));

	return (struct object_key){
		.ino = inode->i_ino, .dev = inode->i_sb->s_dev, .generation = inode->i_generation,
		.size = data_race(i_size_read(inode)),
		.changed_s = changed.tv_sec, .changed_ns = changed.tv_nsec,
	};
}

static bool are_keys_equal(const struct object_key *a, const struct object_key *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->generation == b->generation &&
		a->size == b->size && a->changed_s == b->changed_s && a->changed_ns == b->changed_ns;
}

static struct hlist_head *bucket_of(const struct object_key *key)
{
	return &objects->bucket[hash_64(key->ino ^ (u64)key->dev << 32, BUCKET_BITS)];
}

/* Two file systems may have all numbers in common: of a file that is held, compare the inode too. */
static struct object *find_object(const struct object_key *key, const struct file *file)
{
	struct object *object;

	hlist_for_each_entry(object, bucket_of(key), in_bucket)
		if (are_keys_equal(&object->key, key) &&
		    (!object->file || file_inode(object->file) == file_inode(file)))
			return object;
	return NULL;
}

/* Take a number that no file has; NULL: none is left. */
static struct object *take_object(void)
{
	struct object *object;

	if (objects->nr < SPACES_OBJECTS)
		return &objects->object[objects->nr++];
	object = list_first_entry_or_null(&objects->idle, struct object, when_idle);
	if (!object || !poll_state_synchronize_rcu(object->grace))
		return NULL;
	list_del(&object->when_idle);
	hlist_del(&object->in_bucket);
	return object;
}

static void count_up(u32 *seq)
{
	WRITE_ONCE(*seq, *seq + 1);
}

int objects_get(struct file *file)
{
	struct object_key key = key_of(file);
	struct object *object = find_object(&key, file);

	if (!object) {
		object = take_object();
		if (!object)
			return -ENOSPC;
		object->key = key;
		hlist_add_head(&object->in_bucket, bucket_of(&key));
		count_up(&spaces_seqs[object - objects->object]);
	} else if (!object->file) {
		list_del(&object->when_idle);
	}
	if (!object->file)
		object->file = get_file(file);
	object->users++;
	return object - objects->object;
}

void objects_add_user(u32 number)
{
	if (number != OBJECT_VDSO)
		objects->object[number].users++;
}

struct file *objects_put(u32 number)
{
	struct object *object = &objects->object[number];
	struct file *file = object->file;

	if (number == OBJECT_VDSO || --object->users)
		return NULL;
	object->file = NULL;
	object->grace = get_state_synchronize_rcu();
	list_add_tail(&object->when_idle, &objects->idle);
	return file;
}

bool objects_is(u32 number, const struct file *file)
{
	struct object_key key = key_of(file);

	return number != OBJECT_VDSO &&
		file_inode(objects->object[number].file) == file_inode(file) &&
		are_keys_equal(&objects->object[number].key, &key);
}

struct file *objects_file(u32 number, u32 seq)
{
	struct object *object;

	number = array_index_nospec(number, SPACES_OBJECTS);
	object = &objects->object[number];
	return object->file && spaces_seqs[number] == seq ? get_file(object->file) : NULL;
}
