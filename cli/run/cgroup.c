// SPDX-License-Identifier: GPL-2.0-only
/* Names of control groups: see cgroup.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "run/cgroup.h"

#define HANDLE_KERNFS	0xfe	/* FILEID_KERNFS of <linux/exportfs.h>: the handle is the id */

/** A file handle in the layout of open_by_handle_at(). */
union handle {
	struct file_handle head;
	char bytes[sizeof(struct file_handle) + sizeof(__u64)];
};

/* Mount point of cgroup2; "" if it is not mounted. */
static const char *find_mount(void)
{
	static char path[256];
	static bool is_known;
	struct mntent *entry;
	FILE *mounts;

	if (is_known)
		return path;
	is_known = true;
	mounts = setmntent("/proc/self/mounts", "re");
	while (mounts && !path[0] && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "cgroup2"))
			snprintf(path, sizeof(path), "%s", entry->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return path;
}

static int open_cgroup_id(__u64 id)
{
	union handle handle = { .head = { .handle_bytes = sizeof(id),
					  .handle_type = HANDLE_KERNFS } };
	int mount_fd = open(find_mount(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	if (mount_fd < 0)
		return -1;
	memcpy(handle.bytes + sizeof(struct file_handle), &id, sizeof(id));
	fd = open_by_handle_at(mount_fd, &handle.head, O_PATH | O_CLOEXEC);
	close(mount_fd);
	return fd;
}

void cgroup_name(const struct cpuprobe_record *record, char *name, size_t len)
{
	char link[64], path[4096];
	size_t prefix_len = strlen(find_mount());
	ssize_t got;
	int fd;

	name[0] = '\0';
	if (record->kind != CPUPROBE_KIND_CGROUP || !prefix_len)
		return;
	fd = open_cgroup_id(record->id[0]);
	if (fd < 0) {
		if (errno == ESTALE || errno == ENOENT)
			snprintf(name, len, "%.*s (gone)", CPUPROBE_NAME_LEN, record->name);
		return;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (got <= 0)
		return;
	path[got] = '\0';
	if (strstr(path, " (deleted)") || strncmp(path, find_mount(), prefix_len))
		snprintf(name, len, "%.*s (gone)", CPUPROBE_NAME_LEN, record->name);
	else
		snprintf(name, len, "%s", path[prefix_len] ? path + prefix_len : "/");
}

static bool is_cgroup(int fd)
{
	struct statfs info;

	return !fstatfs(fd, &info) && info.f_type == CGROUP2_SUPER_MAGIC;
}

/* @below: "", or the mount point. -1, and -1 with EISDIR if @path names another directory. */
static int open_below(const char *below, const char *path)
{
	char whole[4096];
	int fd;

	if (snprintf(whole, sizeof(whole), "%s%s%s", below, below[0] ? "/" : "", path) >= (int)sizeof(whole)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || is_cgroup(fd))
		return fd;
	close(fd);
	errno = EISDIR;
	return -1;
}

int cgroup_open(const char *path, struct text_error *error_ret)
{
	/* Names are shown without the mount point: "/" is the root of all, "." the directory of the user. */
	const char *const first = path[0] == '/' ? find_mount() : "";
	const char *const second = path[0] == '/' ? "" : find_mount();
	int fd = open_below(first, path), why = errno;

	if (fd < 0 && path[0] != '.')
		fd = open_below(second, path);
	if (fd >= 0)
		return fd;
	if (errno == EISDIR || why == EISDIR)
		return text_fail(error_ret, -EINVAL, "find control group %s: it is another directory", path);
	text_fail(error_ret, 0, "find control group %s: %s", path, strerror(errno));
	if (find_mount()[0])
		text_hint(error_ret, "a path below %s", find_mount());
	else
		text_hint(error_ret, "no cgroup2 file system is mounted");
	return -ENOENT;
}
