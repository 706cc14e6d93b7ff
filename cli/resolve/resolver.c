// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the address spaces of processes for the resolver: see resolver.h.
 *
 * A space is found by its pid and the bottom of its stack, which the module reports with each
 * sample. Events do not report the stack: a space that began with an exec has no id until its
 * process is seen. The id then goes to the only space that it can belong to.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/space_id.h"
#include "resolve/resolver_parts.h"
#include "run/procstat.h"

#define WAIT_MAX	32	/* useless readings double the wait only below this */
#define GROUP_WAIT_MAX	6	/* harvests between two readings of a control group */
#define ANCESTORS_MAX	16	/* that are asked for theirs */

struct resolver *resolver_create(struct profile *profile, const struct resolver_options *options,
				 struct text_error *error_ret)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));

	if (resolver) {
		resolver->profile = profile;
		resolver->options = *options;
		resolver->kernel_object = PROFILE_NONE;
		resolver->last_inlined = RESOLVER_NO_LINK;
		binaries_init(&resolver->binaries, options->debug_root);
		if (options->names_max)
			resolver->binaries.names_max = options->names_max;
		resolver->binaries.is_compact = options->is_compact;
		resolver->binaries.is_cheap = !options->lines &&
			options->inlined == RESOLVER_INLINE_CHEAP;
		kernel_names_init(&resolver->kernel, options->kallsyms, options->modules);
		resolver->kernel.is_compact = options->is_compact;
		resolver->cache.coarse = options->is_compact ? FRAME_CACHE_SMALL : 0;
		resolver->spaces = spaces_create(&resolver->files);
	}
	if (!resolver || !resolver->spaces)
		text_fail(error_ret, -ENOMEM, "resolve addresses: out of memory");
	else if (!options->vmlinux || !kernel_lines_open(&resolver->kernel_lines, options->vmlinux,
							 options->notes, error_ret))
		return resolver;
	resolver_destroy(resolver);
	return NULL;
}

void resolver_destroy(struct resolver *resolver)
{
	if (!resolver)
		return;
	sideband_close(resolver->sideband);
	spaces_destroy(resolver->spaces);
	binaries_deinit(&resolver->binaries);
	files_deinit(&resolver->files);
	cgroup_paths_deinit(&resolver->cgroups);
	jits_deinit(&resolver->jits);
	kernel_names_deinit(&resolver->kernel);
	kernel_lines_close(&resolver->kernel_lines);
	intern_deinit(&resolver->link_index);
	free(resolver->links);
	free(resolver);
}

void resolver_renew(struct resolver *resolver, struct profile *profile)
{
	resolver->profile = profile;
	resolver->kernel_object = PROFILE_NONE;
	resolver->nr_signals = 0;
	intern_deinit(&resolver->link_index);
	free(resolver->links);
	resolver->links = NULL;
	resolver->nr_links = 0;
	resolver->last_inlined = RESOLVER_NO_LINK;
	frame_cache_forget(&resolver->cache);
	files_forget_objects(&resolver->files);
	jits_forget_objects(&resolver->jits);
}

void resolver_begin(struct resolver *resolver)
{
	struct kernel_place place;
	struct text_error reason;

	/* Reading kernel symbols takes tenths of a second; later, it would be sampled. */
	kernel_names_find(&resolver->kernel, 0, false, 1, &place);
	if (resolver->options.sideband && sideband_open(&resolver->sideband, &reason))
		snprintf(resolver->note, sizeof(resolver->note), "%.160s; of processes that end "
			 "before they are seen, only the executable is known", reason.what);
}

const char *resolver_note(const struct resolver *resolver)
{
	return resolver->note;
}

int resolver_fd(const struct resolver *resolver)
{
	return resolver->sideband ? sideband_fd(resolver->sideband) : -1;
}

bool resolver_is_there(struct resolver *resolver, struct space *space)
{
	u32 round = resolver->spaces->round;
	u64 now;

	if (space->checked_round == round)
		return space->is_there;
	space->checked_round = round;
	space->is_there = space->id && !procstat_space(space->pid, &now) && now == space->id;
	return space->is_there;
}

bool resolver_is_foreign(struct resolver *resolver, struct space *space)
{
	if (!space->knows_root && resolver_is_there(resolver, space)) {
		space->is_foreign = !procstat_shares_root(space->pid);
		space->knows_root = true;
	}
	return space->is_foreign;
}

void resolver_read_maps(struct resolver *resolver, struct space *space)
{
	struct sym_maps maps;
	u64 after;
	int error = sym_maps_read(space->pid, &maps);

	space->read_round = resolver->spaces->round;
	space->is_denied = error == -EACCES || error == -EPERM;
	if (error)
		return;
	if (maps.nr && !procstat_space(space->pid, &after) && after == space->id)
		spaces_set_maps(resolver->spaces, space, &maps);
	sym_maps_deinit(&maps);
}

bool resolver_read_again(struct resolver *resolver, struct space *space)
{
	u32 nr = space->nr;

	if (resolver->nr_reads >= RESOLVER_READS_MAX || space->is_denied ||
	    resolver->spaces->round - space->read_round <= space->wait_rounds ||
	    !resolver_is_there(resolver, space))
		return false;
	resolver->nr_reads++;
	resolver_read_maps(resolver, space);
	/*
	 * Useless reads must become rare: stacks of code without frame pointers are full of
	 * addresses where nothing is mapped.
	 */
	if (space->nr != nr)
		space->wait_rounds = 0;
	else if (space->wait_rounds < WAIT_MAX)
		space->wait_rounds = 2 * space->wait_rounds + 1;
	return true;
}

/*
 * Reads the control group of a space's process, which may change at any time: at most once in a harvest, and more
 * seldom while it does not change.
 */
static void read_group(struct resolver *resolver, struct space *space)
{
	const struct cgroup_number before = space->group;
	struct cgroup_number group;

	if (!resolver->options.cgroups || space->has_ended || space->group_round == resolver->spaces->round ||
	    (cgroup_paths_get(&resolver->cgroups, before)[0] && space->group_round &&
	     resolver->spaces->round - space->group_round <= space->group_wait))
		return;
	group = cgroup_paths_read(&resolver->cgroups, space->pid);
	if (!group.number)
		return;
	space->group_wait = space->group_round ? 2 * space->group_wait + 1 : 0;
	space->group_round = resolver->spaces->round;
	space->group = group;
	if (group.number != before.number || group.generation != before.generation ||
	    space->group_wait > GROUP_WAIT_MAX)
		space->group_wait = 0;
}

void resolver_keep(struct resolver *resolver, u32 nr_harvests)
{
	resolver->spaces->rounds_kept = nr_harvests;
}

/* Returns the file of a descriptor, held for the caller. NULL: it cannot be determined. */
static struct mapped_file *get_file_of_fd(struct resolver *resolver, int fd)
{
	static const char deleted[] = " (deleted)";
	struct sym_map map = { 0 };
	char link[64], path[PATH_MAX];
	struct stat info;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (fstat(fd, &info) || len <= 0)
		return NULL;
	path[len] = '\0';
	if ((size_t)len >= sizeof(deleted) &&
	    !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		path[len - (sizeof(deleted) - 1)] = '\0';
	map.inode = info.st_ino;
	map.dev_major = major(info.st_dev);
	map.dev_minor = minor(info.st_dev);
	map.path = path;
	return files_get(&resolver->files, &map);
}

/* Finds the executable among a space's mapped files. NULL: it is not mapped. */
static struct mapped_file *find_mapped_exe(const struct space *space, const struct mapped_file *exe)
{
	u32 i;

	/*
	 * Some file systems show another device in maps than in stat; a file may have many paths.
	 */
	for (i = 0; i < space->nr; i++) {
		struct mapped_file *file = space->maps[i].file;

		if (file && file->inode == exe->inode &&
		    ((file->dev_major == exe->dev_major && file->dev_minor == exe->dev_minor) ||
		     !strcmp(file->path, exe->path)))
			return file;
	}
	return NULL;
}

/* Replaces a file in a space's mappings by the new file that now has its inode and path. */
static void replace_mapped_file(struct resolver *resolver, struct space *space,
				struct mapped_file *old, int exe_fd)
{
	struct mapped_file *new;
	u32 i;

	files_retire(old);
	new = get_file_of_fd(resolver, exe_fd);
	if (!new)
		return;
	for (i = 0; i < space->nr; i++)
		if (space->maps[i].file == old) {
			space->maps[i].file = files_hold(new);
			files_put(old);
		}
	spaces_touch(resolver->spaces, space);
	binaries_adopt(&resolver->binaries, new, exe_fd, space->is_foreign);
	files_put(new);
}

/*
 * Opens the executable by its descriptor, which stays valid whatever happens to its path. Inode
 * numbers are reused: a file with the same inode and path but other contents is another file.
 */
static void adopt_exe(struct resolver *resolver, struct space *space, struct mapped_file *exe,
		      int exe_fd)
{
	struct mapped_file *file = find_mapped_exe(space, exe);

	/* Without stack randomization, the next program of a pid may have the same id. */
	if (!file && resolver_read_again(resolver, space))
		file = find_mapped_exe(space, exe);
	if (!file)
		return;
	if (!file->binary)
		binaries_adopt(&resolver->binaries, file, exe_fd, space->is_foreign);
	else if (!binaries_is_it(file->binary, exe_fd))
		replace_mapped_file(resolver, space, file, exe_fd);
}

/* Adds mappings for the executable's segments, computed from the address of its code. */
static void map_exe(struct resolver *resolver, struct space *space, struct mapped_file *exe,
		    int exe_fd, u64 code_start)
{
	const u64 page_mask = 4095;
	struct sym_image image;
	size_t i;

	if (!code_start || sym_image_read(exe_fd, &image, NULL))
		return;
	for (i = 0; i < image.nr_segments; i++) {
		const struct sym_segment *segment = &image.segment[i];
		u64 start = segment->addr + (code_start - image.code_start);
		u64 before = segment->offset & page_mask;

		if (segment->len > UINT64_MAX / 4 || start < before)
			continue;
		spaces_map(resolver->spaces, space, &(struct sym_map){
			.start = start - before,
			.end = (start + segment->len + page_mask) & ~page_mask,
			.offset = segment->offset - before, .inode = exe->inode,
			.dev_major = exe->dev_major, .dev_minor = exe->dev_minor,
			.path = exe->path });
	}
	space->knowledge = SPACE_PART;
}

/* Finds or adds the space for a new id of a process, and sets its id. */
static struct space *find_space_for_id(struct resolver *resolver, u32 pid, u64 id,
				       const struct mapped_file *exe)
{
	struct spaces *spaces = resolver->spaces;
	struct space *space;
	u64 now;
	int error = procstat_space(pid, &now);

	if ((!error && now == id) || error == -EACCES) {
		space = spaces_newest(spaces, pid);
		if (!space || space->id || space->has_ended)
			space = spaces_add(spaces, pid, id);
		if (space)
			space->is_denied = error == -EACCES;
	} else {
		/* The space has ended. If the process lives, its newest space is another one. */
		space = spaces_find_nameless(spaces, pid, exe ? exe->inode : 0, !error);
		if (!space)
			space = spaces_add_past(spaces, pid, id);
	}
	if (space)
		space->id = id;
	return space;
}

void resolver_see(struct resolver *resolver, int pid, u64 id, int exe_fd, u64 code_start)
{
	struct mapped_file *exe;
	struct space *space;

	/* The number is made up: the space ended before it was seen, or there is none. */
	if (id & SPACE_UNTOLD)
		return;
	exe = exe_fd >= 0 ? get_file_of_fd(resolver, exe_fd) : NULL;
	space = spaces_find(resolver->spaces, pid, id);
	if (!space && id)
		space = find_space_for_id(resolver, pid, id, exe);
	if (space) {
		space->used_round = resolver->spaces->round;
		if (space->knowledge != SPACE_ALL && !space->is_denied &&
		    resolver_is_there(resolver, space))
			resolver_read_maps(resolver, space);
		if (space->knowledge == SPACE_NOTHING && exe)
			map_exe(resolver, space, exe, exe_fd, code_start);
		if (resolver_is_there(resolver, space))
			read_group(resolver, space);
		if (!space->has_user && resolver_is_there(resolver, space))
			space->has_user = !procstat_user(pid, &space->user, &space->own_pid);
		resolver_is_foreign(resolver, space);
		if (exe)
			adopt_exe(resolver, space, exe, exe_fd);
	}
	files_put(exe);
}

const char *resolver_cgroup(struct resolver *resolver, int pid, u64 id)
{
	struct space *space = spaces_find(resolver->spaces, pid, id);
	unsigned int i;

	/* All address spaces of a process are in one group, as an exec does not change it. */
	if (!space)
		space = spaces_newest(resolver->spaces, pid);
	if (space)
		read_group(resolver, space);
	/* A process that ended before its group was read has that of its nearest ancestor that still runs, if any does. */
	for (i = 0; i < ANCESTORS_MAX && space && !space->group_round && space->parent_pid; i++) {
		struct space *parent = spaces_newest(resolver->spaces, space->parent_pid);

		if (!parent)
			break;
		space = parent;
		read_group(resolver, space);
	}
	return space ? cgroup_paths_get(&resolver->cgroups, space->group) : "";
}

void resolver_trim_cgroups(struct resolver *resolver)
{
	cgroup_paths_trim(&resolver->cgroups);
}

const struct resolver_counts *resolver_counts(struct resolver *resolver)
{
	resolver->counts.spaces_left_out = resolver->spaces->nr_left_out +
		resolver->files.nr_left_out;
	resolver->counts.debug_left_out = resolver->binaries.nr_debug_left_out;
	resolver->counts.jits_refused = resolver->jits.nr_refused;
	resolver->counts.jits_odd = resolver->jits.nr_odd;
	resolver->counts.jits_overwritten = resolver->jits.nr_overwritten;
	return &resolver->counts;
}
