/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps of all processes, in memory of fixed size: spaces.h has the rules. Unless it says otherwise, a
 * function here may be called with preemption off, does not sleep, and takes the lock.
 */
#ifndef CPUPROBE_SPACE_MAPS_H
#define CPUPROBE_SPACE_MAPS_H

#include <linux/rcupdate.h>

#include "spaces.h"

/* Copying a map takes time with preemption off. A process with more mappings is not known. */
#define MAPPINGS_MAX	1024

/** A map and its users: processes share it after fork. */
struct shared_map {
	struct rcu_head rcu;
	u32 users;
	struct space_map map;
};

/** maps_create() - begin with no process known. May sleep. -ENOMEM. */
int maps_create(void);

/** maps_destroy() - forget all processes and free the memory: no hook is in place. May sleep. */
void maps_destroy(void);

/** maps_find() - the map of a process; NULL: unknown. RCU reader, or hard irq; takes no lock. */
const struct shared_map *maps_find(const struct mm_struct *mm);

/** maps_allocate() - an empty map with room for @nr mappings; NULL: no room, which is counted. */
struct shared_map *maps_allocate(u32 nr);

/**
 * maps_publish() - give a process a new map. Caller is an RCU reader since it found @old.
 * @old: NULL: the process is not known yet, and the users of @map's objects count its mappings. Else they
 *	are added here: @map's objects are @old's, and such that the caller is a user of
 * @map: from maps_allocate(); not the caller's any more
 * False: the process has another map than @old now, and keeps it; or there is no room, which is counted.
 */
bool maps_publish(const struct mm_struct *mm, const struct shared_map *old, struct shared_map *map);

/** maps_share() - make a new process known: its mappings are those of its parent, if that is known. */
void maps_share(const struct mm_struct *parent, const struct mm_struct *child);

/** maps_drop() - forget a process. */
void maps_drop(const struct mm_struct *mm);

/** maps_get_object() - the number of a file, with one more user; -ENOSPC: no room, which is counted. */
int maps_get_object(struct file *file);

/** maps_put_object() - one user less. */
void maps_put_object(u32 object);

/** maps_is_object() - whether an object with users is this file. */
bool maps_is_object(u32 object, const struct file *file);

/** maps_file() - get a reference to the file of an object; NULL: not mapped, or another @seq. */
struct file *maps_file(u32 object, u32 seq);

/** maps_unrecorded() - see spaces_unrecorded(). */
u32 maps_unrecorded(void);

#endif
