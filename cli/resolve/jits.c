// SPDX-License-Identifier: GPL-2.0-only
/* Names of code generated at run time: see jits.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/profile.h"
#include "resolve/jits.h"

static void clear_jit(struct jit *slot)
{
	sym_index_destroy(slot->index);
	memset(slot, 0, sizeof(*slot));
}

void jits_deinit(struct jits *jits)
{
	size_t i;

	for (i = 0; i < JITS_MAX; i++)
		clear_jit(&jits->slot[i]);
}

void jits_forget_objects(struct jits *jits)
{
	size_t i;

	for (i = 0; i < JITS_MAX; i++)
		jits->slot[i].object = PROFILE_NONE;
}

struct jit *jits_of_object(struct jits *jits, u32 object)
{
	size_t i;

	for (i = 0; i < JITS_MAX; i++)
		if (jits->slot[i].space && jits->slot[i].object == object)
			return &jits->slot[i];
	return NULL;
}

/* Returns the slot of a space; if it has none, a free slot or the least recently used one. */
static struct jit *get_jit_slot(struct jits *jits, u32 space)
{
	struct jit *oldest = &jits->slot[0];
	size_t i;

	for (i = 0; i < JITS_MAX; i++) {
		struct jit *slot = &jits->slot[i];

		if (slot->space == space)
			return slot;
		if (oldest->space && (!slot->space || slot->used < oldest->used))
			oldest = slot;
	}
	clear_jit(oldest);
	oldest->space = space;
	oldest->object = PROFILE_NONE;
	return oldest;
}

static void limit_jit_symbols(struct jits *jits, const struct jit *keep)
{
	struct jit *oldest;
	size_t i, nr;

	do {
		oldest = NULL;
		for (i = nr = 0; i < JITS_MAX; i++) {
			struct jit *slot = &jits->slot[i];

			nr += slot->index ? sym_index_size(slot->index) : 0;
			if (slot != keep && slot->index && (!oldest || slot->used < oldest->used))
				oldest = slot;
		}
		if (nr > JITS_SYMS_MAX && oldest)
			clear_jit(oldest);
	} while (nr > JITS_SYMS_MAX && oldest);
}

/* Whether there may be a map that was not opened: links in circles, or a kernel that cannot look into another root. */
static bool is_refusal(int error)
{
	return error == -EINVAL || error == -ELOOP || error == -ENOSYS || error == -EPERM;
}

/*
 * Opens the map in the process's root; if the process is gone and had our root, there. -1: none or untrusted.
 * The number of a process in a container is that of another one here. The root of a container can make a device
 * of this name: such a file is refused without being opened.
 */
static int open_perf_map(struct jits *jits, struct jit *jit, const struct space *space,
			 struct stat *info_ret)
{
	char root[32];
	int fd;

	if (space->is_foreign && !space->is_there)
		return -1;
	snprintf(jit->path, sizeof(jit->path), "/tmp/perf-%d.map", space->own_pid);
	snprintf(root, sizeof(root), "/proc/%u/root", space->pid);
	fd = sym_open_inside_nofollow(space->is_there ? root : NULL, jit->path);
	if (fd < 0 && !is_refusal(fd))
		return -1;
	if (fd >= 0 && !fstat(fd, info_ret) && (info_ret->st_uid == space->user || !info_ret->st_uid))
		return fd;
	if (fd >= 0)
		close(fd);
	jits->nr_refused += !jit->is_refused;
	jit->is_refused = true;
	return -1;
}

static void read_perf_map(struct jits *jits, struct jit *jit, const struct space *space, u32 round,
			  bool is_missing)
{
	struct sym_perfmap found;
	struct sym_index *index;
	struct stat info;
	int fd;

	/* A new process may have the same pid by now. */
	if (jit->index && !space->is_there)
		return;
	fd = open_perf_map(jits, jit, space, &info);
	if (fd < 0)
		return;
	if ((info.st_size != jit->len || info.st_mtim.tv_sec != jit->changed.tv_sec ||
	     info.st_mtim.tv_nsec != jit->changed.tv_nsec) &&
	    (is_missing || round - jit->read_round >= JITS_ROUNDS_MAX) &&
	    !sym_index_create_perfmap(fd, &index, &found, NULL)) {
		sym_index_destroy(jit->index);
		jit->index = index;
		jit->len = info.st_size;
		jit->changed = info.st_mtim;
		jit->read_round = round;
		jits->nr_odd += found.nr_odd;
		jits->nr_overwritten += found.nr_overwritten;
		limit_jit_symbols(jits, jit);
	}
	close(fd);
}

const struct sym *jits_find(struct jits *jits, const struct space *space, u64 addr, u32 round,
			    struct jit **jit_ret)
{
	struct jit *jit;
	const struct sym *sym;

	if (!space->has_user)
		return NULL;
	jit = get_jit_slot(jits, space->serial);
	jit->used = ++jits->clock;
	sym = jit->index ? sym_index_find(jit->index, addr) : NULL;
	if (jit->tried_round != round) {
		jit->tried_round = round;
		read_perf_map(jits, jit, space, round, !sym);
		sym = jit->index ? sym_index_find(jit->index, addr) : NULL;
	}
	*jit_ret = jit;
	return sym;
}
