/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are mapped as code, each with a number: see address_spaces.h. A file is held open while some map names
 * it: its file system cannot be unmounted. A map may name a file that its process has unmapped, since that calls no
 * hook, until the process ends or maps code in its place. When the last map goes, the file is released at once, and
 * the object becomes idle: it keeps its number for the same file, which a program that is run again
 * and again maps each time. Another file gets the number of the object that has been idle for longest,
 * after a grace period: maps that readers still have may name it.
 *
 * The caller has the lock of space_maps.c, except for objects_create(), objects_destroy() and
 * spaces_seq().
 */
#ifndef CPUPROBE_SPACE_OBJECTS_H
#define CPUPROBE_SPACE_OBJECTS_H

#include <linux/fs.h>

#define OBJECT_VDSO	0	/* number of the vdso, which is no file */

/** objects_create() - begin without any object but the vdso. May sleep. -ENOMEM. */
int objects_create(void);

/** objects_destroy() - free the table: no object is in use. */
void objects_destroy(void);

/** objects_get() - the number of a file, with one more user. -ENOSPC: the files of others have all numbers. */
int objects_get(struct file *file);

/** objects_add_user() - one more user of an object that has some. */
void objects_add_user(u32 object);

/** objects_put() - one user less. Returns a file that the caller is to release without the lock, or NULL. */
struct file *objects_put(u32 object);

/** objects_is() - whether an object with users is this file. */
bool objects_is(u32 object, const struct file *file);

/** objects_file() - get a reference to the file of an object; NULL: idle, or @seq is not its own. */
struct file *objects_file(u32 object, u32 seq);

#endif
