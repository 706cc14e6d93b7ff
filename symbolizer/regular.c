// SPDX-License-Identifier: GPL-2.0-only
/* Regular files: opens these and nothing else, see symbolizer.h; and how much of them is holes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
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

/* O_PATH finds the file without opening it, and its link in /proc leads to it whatever its path names by now. */
static int open_regular(const char *path, u64 inode, int flags)
{
	int found = open(path, O_PATH | O_CLOEXEC | flags), fd;
	char link[32];

	if (found < 0)
		return -errno;
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
	return open_regular(path, inode, 0);
}

/* O_PATH with O_NOFOLLOW finds a link itself, which is not a regular file. */
int sym_open_regular_nofollow(const char *path)
{
	return open_regular(path, 0, O_NOFOLLOW);
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
