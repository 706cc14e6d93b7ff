// SPDX-License-Identifier: GPL-2.0-only
/* Regular files: opens these and nothing else, see symbolizer.h; and how much of them is holes. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

/* Some file systems compress: a byte on the disk is at most so many bytes of the file. */
#define PACKED_MAX	8
#define HOLES_LEAST	(1UL << 20)

static int check_file(int fd, u64 inode)
{
	struct stat info;

	if (fstat(fd, &info))
		return -errno;
	if (!S_ISREG(info.st_mode))
		return -EINVAL;
	return inode && info.st_ino != inode ? -ESTALE : 0;
}

/* O_PATH finds a file without opening it. Links, absolute ones too, and ".." stay inside @root. */
static int find_inside(const char *root, const char *path, int flags)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_IN_ROOT };
	int directory, found;

	if (!root || !root[0]) {
		found = open(path, how.flags);
		return found < 0 ? -errno : found;
	}
	directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -errno;
	found = syscall(SYS_openat2, directory, path, &how, sizeof(how));
	if (found < 0)
		found = -errno;
	close(directory);
	return found;
}

/* The link of a found file in /proc leads to it, whatever its path names by now. */
static int open_regular(const char *root, const char *path, u64 inode, int flags)
{
	int found = find_inside(root, path, flags), fd;
	char link[32];

	if (found < 0)
		return found;
	fd = check_file(found, inode);
	if (!fd) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
		fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			fd = -errno;
	}
	close(found);
	return fd;
}

int sym_open_regular(const char *path, u64 inode)
{
	return open_regular(NULL, path, inode, 0);
}

int sym_open_inside(const char *root, const char *path, u64 inode)
{
	return open_regular(root, path, inode, 0);
}

/* O_PATH with O_NOFOLLOW finds a link itself, which is not a regular file. */
int sym_open_inside_nofollow(const char *root, const char *path)
{
	return open_regular(root, path, 0, O_NOFOLLOW);
}

u64 bytes_without_holes(const struct stat *info)
{
	u64 len = info->st_size, stored = (u64)info->st_blocks * 512 * PACKED_MAX;

	/* A file system that does not count has 0 blocks. */
	return stored && len > stored ? stored : len;
}

bool is_mostly_holes(const struct stat *info)
{
	u64 len = info->st_size;

	return len > HOLES_LEAST && len / 2 > bytes_without_holes(info);
}
