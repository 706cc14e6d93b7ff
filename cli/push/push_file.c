// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file of a request in a spool: see push_file.h. It contains a line
 *	cpuprobe-push 1 CRC FORMAT[+8] TARGET-LENGTH BODY-LENGTH
 * then the target and the body, of which CRC is the checksum.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "push/push_file.h"

#define PACKED		8	/* added to the format: the body is compressed */

/** The first line of a file. */
struct head {
	u32 sum;
	enum push_format format;
	bool is_packed;
	size_t target_len, body_len;
	size_t len;		/* of the line */
};

static u32 get_checksum(const char *target, const char *body, size_t len)
{
	return crc32_z(crc32_z(0, (const u8 *)target, strlen(target)), (const u8 *)body, len);
}

void push_file_head(const struct push_request *request, char head_ret[PUSH_FILE_HEAD_LEN])
{
	snprintf(head_ret, PUSH_FILE_HEAD_LEN, "cpuprobe-push 1 %08x %u %zu %zu\n",
		 get_checksum(request->target, request->body, request->len),
		 request->format | (request->is_packed ? PACKED : 0), strlen(request->target), request->len);
}

/* Write everything; 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t len)
{
	ssize_t written;

	for (; len; bytes += written, len -= written) {
		written = write(fd, bytes, len);
		if (written < 0)
			return errno;
	}
	return 0;
}

int push_file_write(int directory_fd, const char *name, const char *head, const struct push_request *request)
{
	int fd = openat(directory_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	int error;

	if (fd < 0)
		return -errno;
	error = write_all(fd, head, strlen(head));
	if (!error)
		error = write_all(fd, request->target, strlen(request->target));
	if (!error)
		error = write_all(fd, request->body, request->len);
	if (!error && fsync(fd))
		error = errno;
	if (close(fd) && !error)
		error = errno;
	return -error;
}

/* Read a file of at most @max bytes, with a NUL after it. -errno: it cannot be read. */
static int read_bytes(int directory_fd, const char *name, u64 max, char **bytes_ret, size_t *len_ret)
{
	int fd = openat(directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	int error = fd < 0 ? errno : 0;
	char *bytes = error ? NULL : malloc(max + 1);
	ssize_t nr = 1;
	size_t len = 0;

	if (!error && !bytes)
		error = ENOMEM;
	for (; !error && len < max && nr > 0; len += nr > 0 ? nr : 0) {
		nr = read(fd, bytes + len, max - len);
		if (nr < 0)
			error = errno;
	}
	if (fd >= 0)
		close(fd);
	if (error) {
		free(bytes);
		return -error;
	}
	bytes[len] = '\0';
	*bytes_ret = bytes;
	*len_ret = len;
	return 0;
}

static bool parse_head(const char *bytes, struct head *head_ret)
{
	u32 number;
	int at = 0;

	if (sscanf(bytes, "cpuprobe-push 1 %8x %u %zu %zu%n", &head_ret->sum, &number, &head_ret->target_len,
		   &head_ret->body_len, &at) != 4 || bytes[at] != '\n')
		return false;
	head_ret->format = number & ~PACKED;
	head_ret->is_packed = number & PACKED;
	head_ret->len = at + 1;
	return head_ret->format == PUSH_PYROSCOPE || head_ret->format == PUSH_INGEST || head_ret->format == PUSH_PARCA;
}

/* Make a request of a file's bytes. NULL: out of memory. */
static struct push_request *copy_request(const char *bytes, const struct head *head)
{
	struct push_request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	request->format = head->format;
	request->is_packed = head->is_packed;
	request->target = strndup(bytes + head->len, head->target_len);
	request->body = malloc(head->body_len + 1);
	request->len = head->body_len;
	if (request->target && request->body) {
		memcpy(request->body, bytes + head->len + head->target_len, head->body_len);
		return request;
	}
	push_request_destroy(request);
	return NULL;
}

static int parse_file(const char *bytes, size_t len, struct push_request **request_ret)
{
	struct push_request *request;
	struct head head;

	if (!parse_head(bytes, &head) || head.target_len >= PUSH_TARGET_LEN || len < head.len + head.target_len ||
	    head.body_len != len - head.len - head.target_len)
		return -EBADMSG;
	request = copy_request(bytes, &head);
	if (!request)
		return -ENOMEM;
	if (get_checksum(request->target, request->body, request->len) != head.sum) {
		push_request_destroy(request);
		return -EBADMSG;
	}
	*request_ret = request;
	return 0;
}

int push_file_read(int directory_fd, const char *name, u64 max, struct push_request **request_ret)
{
	char *bytes;
	size_t len;
	int error = read_bytes(directory_fd, name, max, &bytes, &len);

	if (error)
		return error;
	error = parse_file(bytes, len, request_ret);
	free(bytes);
	return error;
}

int push_file_format(int directory_fd, const char *name)
{
	struct head head;
	char *bytes;
	size_t len;
	int error = read_bytes(directory_fd, name, PUSH_FILE_HEAD_LEN, &bytes, &len);

	if (error)
		return error;
	error = parse_head(bytes, &head) ? (int)head.format : -EBADMSG;
	free(bytes);
	return error;
}

bool push_file_is_damaged(int error)
{
	return error == -EBADMSG || error == -ENOENT || error == -ELOOP || error == -EISDIR || error == -ENXIO;
}
