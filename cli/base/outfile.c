// SPDX-License-Identifier: GPL-2.0-only
/* A file being written: see outfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/outfile.h"

static int report_write_error(const char *path, struct text_error *error_ret)
{
	return text_fail(error_ret, -errno, "write %s: %s", path, strerror(errno));
}

/* Whether a path leads through a link such as /proc/self/fd/1, which is an open file and has no name to replace. */
static bool is_magic(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };
	int fd = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == ELOOP;
}

/*
 * The name to give to the complete file; a link stays, and its target is replaced. NULL: the path is written
 * directly. A pipe or a device must not be replaced by a file, and neither must /dev/stdout, a link to one.
 */
static char *find_target(const char *path)
{
	struct stat info;

	if (lstat(path, &info) || S_ISREG(info.st_mode))
		return strdup(path);
	if (S_ISLNK(info.st_mode) && !is_magic(path) && !stat(path, &info) && S_ISREG(info.st_mode))
		return realpath(path, NULL);
	return NULL;
}

static int open_directly(const char *path)
{
	int flags = O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC, fd = open(path, flags);

	/* The file that a link names may not exist yet. */
	return fd < 0 && errno == ENOENT ? open(path, flags | O_CREAT, 0666) : fd;
}

/* A name like mkostemp()'s, which would give the file another mode than others have. NULL: errno says why. */
static char *make_temporary_name(const char *target)
{
	unsigned int random = 0;
	char *name;

	getrandom(&random, sizeof(random), 0);
	if (asprintf(&name, "%s.%06x", target, random & 0xffffff) < 0)
		return NULL;
	if (strlen(text_base_name(name)) <= NAME_MAX)
		return name;
	free(name);
	errno = ENAMETOOLONG;
	return NULL;
}

/*
 * Opens a file that has no name yet, so that nothing is left whatever ends the process. On a file system without
 * such files, it has its temporary name at once. The mode is that of the file to be replaced.
 */
static int create_temporary(struct outfile *out)
{
	struct stat old;
	bool is_new = stat(out->target, &old);
	int flags = O_WRONLY | O_CLOEXEC, mode = is_new ? 0666 : old.st_mode & 0777, fd;
	char *copy = strdup(out->target);

	out->temporary = make_temporary_name(out->target);
	if (!copy || !out->temporary) {
		free(copy);
		return -1;
	}
	fd = open(dirname(copy), flags | O_TMPFILE, mode);
	free(copy);
	if (fd < 0) {
		fd = open(out->temporary, flags | O_CREAT | O_EXCL, mode);
		out->has_name = fd >= 0;
	}
	if (fd >= 0 && !is_new)
		fchmod(fd, mode);
	return fd;
}

/* Gives the file its temporary name: only a rename can replace a file. Returns an errno. */
static int name_temporary(struct outfile *out)
{
	char link[32];

	if (out->has_name)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(out->file));
	if (linkat(AT_FDCWD, link, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW))
		return errno;
	out->has_name = true;
	return 0;
}

int outfile_open(struct outfile *out, const char *path, struct text_error *error_ret)
{
	int fd, error;

	*out = (struct outfile){ .path = path, .target = find_target(path) };
	fd = out->target ? create_temporary(out) : open_directly(path);
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (out->file)
		return 0;
	error = report_write_error(path, error_ret);
	if (fd >= 0)
		close(fd);
	outfile_abandon(out);
	return error;
}

int outfile_error(const struct outfile *out)
{
	errno = 0;
	if (!fflush(out->file) && !ferror(out->file))
		return 0;
	/* An earlier write failed and its errno is gone: try again to get it. */
	if (!errno && write(fileno(out->file), "", 1) >= 0)
		errno = EIO;
	return errno;
}

/* A path without links, of a file that need not exist. NULL: its directory does not. */
static char *resolve_path(const char *path)
{
	char *full = realpath(path, NULL), *copy, *directory;

	if (full)
		return full;
	copy = strdup(path);
	directory = copy ? realpath(dirname(copy), NULL) : NULL;
	if (directory && asprintf(&full, "%s/%s", directory, text_base_name(path)) < 0)
		full = NULL;
	free(directory);
	free(copy);
	return full;
}

bool outfile_is_same(const char *a, const char *b)
{
	char *full_a = resolve_path(a), *full_b = resolve_path(b);
	bool is_same = !strcmp(a, b) || (full_a && full_b && !strcmp(full_a, full_b));

	free(full_a);
	free(full_b);
	return is_same;
}

static void forget_names(struct outfile *out)
{
	free(out->temporary);
	free(out->target);
	out->temporary = out->target = NULL;
	out->has_name = false;
}

int outfile_commit(struct outfile *out, struct text_error *error_ret)
{
	int error = outfile_error(out);

	if (!error && out->temporary && !out->is_volatile && fsync(fileno(out->file)))
		error = errno;
	if (!error && out->temporary)
		error = name_temporary(out);
	if (fclose(out->file) && !error)
		error = errno;
	out->file = NULL;
	if (!error && out->temporary && rename(out->temporary, out->target))
		error = errno;
	if (error) {
		outfile_abandon(out);
		errno = error;
		report_write_error(out->path, error_ret);
		return -EIO;
	}
	forget_names(out);
	return 0;
}

void outfile_abandon(struct outfile *out)
{
	if (out->file)
		fclose(out->file);
	out->file = NULL;
	if (out->has_name)
		unlink(out->temporary);
	forget_names(out);
}
