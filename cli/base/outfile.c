// SPDX-License-Identifier: GPL-2.0-only
/* A file being written: see outfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"

static int report_write_error(const char *path, struct text_error *error_ret)
{
	return text_fail(error_ret, -errno, "write %s: %s", path, strerror(errno));
}

int outfile_open(struct outfile *out, const char *path, struct text_error *error_ret)
{
	struct stat info;
	int fd;

	memset(out, 0, sizeof(*out));
	out->path = path;
	if (!stat(path, &info) && !S_ISREG(info.st_mode)) {
		/* A pipe or a device must not be replaced by a file. */
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		if ((size_t)snprintf(out->temporary, sizeof(out->temporary), "%s.XXXXXX", path) >=
		    sizeof(out->temporary)) {
			errno = ENAMETOOLONG;
			out->temporary[0] = '\0';
			return report_write_error(path, error_ret);
		}
		fd = mkostemp(out->temporary, O_CLOEXEC);
		if (fd < 0)
			out->temporary[0] = '\0';
		else
			fchmod(fd, 0644);
	}
	if (fd < 0)
		return report_write_error(path, error_ret);
	out->file = fdopen(fd, "w");
	if (!out->file) {
		close(fd);
		return report_write_error(path, error_ret);
	}
	return 0;
}

/* Returns the errno of writing the file; 0: no error. */
static int get_write_error(FILE *file)
{
	errno = 0;
	if (!fflush(file) && !ferror(file))
		return 0;
	/* An earlier write failed and its errno is gone: try again to get it. */
	if (!errno && write(fileno(file), "", 1) >= 0)
		errno = EIO;
	return errno;
}

int outfile_commit(struct outfile *out, struct text_error *error_ret)
{
	int error = get_write_error(out->file);

	if (!error && out->temporary[0] && !out->is_volatile && fsync(fileno(out->file)))
		error = errno;
	if (fclose(out->file) && !error)
		error = errno;
	out->file = NULL;
	if (!error && out->temporary[0] && rename(out->temporary, out->path))
		error = errno;
	if (error) {
		outfile_abandon(out);
		errno = error;
		report_write_error(out->path, error_ret);
		return -EIO;
	}
	out->temporary[0] = '\0';
	return 0;
}

void outfile_abandon(struct outfile *out)
{
	if (out->file)
		fclose(out->file);
	out->file = NULL;
	if (out->temporary[0])
		unlink(out->temporary);
	out->temporary[0] = '\0';
}
