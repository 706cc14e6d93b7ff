/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of a request in a spool, with a checksum. Its name is the spool's: the id, the samples, and the attempts. */
#ifndef PUSH_FILE_H
#define PUSH_FILE_H

#include "push/push_request.h"

#define PUSH_FILE_HEAD_LEN	96

/** push_file_head() - make the first line of a request's file. */
void push_file_head(const struct push_request *request, char head_ret[PUSH_FILE_HEAD_LEN]);

/** push_file_write() - write a file, up to the disk. @head: of push_file_head(). -errno: a part may be there. */
int push_file_write(int directory_fd, const char *name, const char *head, const struct push_request *request);

/**
 * push_file_read() - read a file of at most @max bytes.
 * @request_ret: to be destroyed; without what the name says
 * -EBADMSG: wrong contents; -ENOMEM; -errno of the file system.
 */
int push_file_read(int directory_fd, const char *name, u64 max, struct push_request **request_ret);

/** push_file_format() - read which enum push_format a file has, from its head alone. -errno as push_file_read(). */
int push_file_format(int directory_fd, const char *name);

/**
 * push_file_is_damaged() - whether an error of push_file_read() means wrong contents or no regular file, so that another
 * attempt would find the same.
 */
bool push_file_is_damaged(int error);

#endif
