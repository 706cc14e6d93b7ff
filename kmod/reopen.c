// SPDX-License-Identifier: GPL-2.0-only
/* Files that the module holds: see reopen.h. */
#include <linux/cred.h>
#include <linux/file.h>

#include "reopen.h"

int reopen(struct file *held)
{
	struct file *opened;
	int fd, error;

	/* The file was opened for execution, which does not require read permission. */
	error = file_permission(held, MAY_READ);
	if (error)
		return error;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	/* Whoever has a lease on the file must not delay the caller. */
	opened = dentry_open(&held->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, current_cred());
	if (IS_ERR(opened)) {
		put_unused_fd(fd);
		return PTR_ERR(opened);
	}
	fd_install(fd, opened);
	return fd;
}
