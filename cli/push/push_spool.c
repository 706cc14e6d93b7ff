// SPDX-License-Identifier: GPL-2.0-only
/*
 * A directory with requests that are not delivered yet: see push_spool.h. A file is named
 * ORDER-SAMPLES-ID.ready, or .tried once an attempt has begun, and contains a line
 *	cpuprobe-push 1 CRC FORMAT[+8] TARGET-LENGTH BODY-LENGTH
 * then the target and the body, of which CRC is the checksum.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "push/push_spool.h"

#define NAME_LEN	160
#define HEAD_LEN	96
#define PACKED		8	/* added to the format: the body is compressed */

/** The first line of a file. */
struct head {
	u32 sum;
	enum push_format format;
	bool is_packed;
	size_t target_len, body_len;
	size_t len;		/* of the line */
};

static void name_entry(const struct push_spool_entry *entry, char name[NAME_LEN])
{
	snprintf(name, NAME_LEN, "%020llu-%llu-%s.%s", entry->order, entry->samples, entry->id,
		 entry->was_tried ? "tried" : "ready");
}

static bool parse_name(const char *name, struct push_spool_entry *entry)
{
	char again[NAME_LEN], end[8] = "";

	*entry = (struct push_spool_entry){ .order = 0 };
	if (sscanf(name, "%llu-%llu-%36[0-9a-f-].%7s", &entry->order, &entry->samples, entry->id, end) != 4)
		return false;
	entry->was_tried = !strcmp(end, "tried");
	name_entry(entry, again);
	return !strcmp(name, again) && entry->order < UINT64_MAX;
}

static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), end = strlen(ending);

	return len > end && !strcmp(name + len - end, ending);
}

static int compare_entries(const void *a, const void *b)
{
	const struct push_spool_entry *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

static int fail(const struct push_spool *spool, const char *action, int error, struct text_error *error_ret)
{
	return text_fail(error_ret, -error, "%s the spool %.300s: %s", action, spool->directory,
			 strerror(error));
}

static void forget_oldest(struct push_spool *spool)
{
	spool->bytes -= spool->list[0].bytes;
	memmove(spool->list, spool->list + 1, --spool->nr * sizeof(*spool->list));
}

static void unlink_oldest(struct push_spool *spool)
{
	char name[NAME_LEN];

	name_entry(&spool->list[0], name);
	unlinkat(spool->directory_fd, name, 0);
	forget_oldest(spool);
}

/* Drop the oldest files until @more bytes have room. */
static void make_room(struct push_spool *spool, u64 more)
{
	while (spool->nr && (spool->bytes + more > spool->bytes_max || spool->nr >= PUSH_SPOOL_FILES_MAX)) {
		spool->counts.dropped++;
		spool->counts.dropped_samples += spool->list[0].samples;
		unlink_oldest(spool);
	}
}

/* Look at one file of the directory. Unfinished and damaged ones of earlier processes are removed. */
static int take_file(struct push_spool *spool, const char *name)
{
	struct push_spool_entry entry;
	struct stat info;

	if (has_ending(name, ".new") || has_ending(name, ".damaged"))
		return unlinkat(spool->directory_fd, name, 0) ? -errno : 0;
	if (!parse_name(name, &entry) || fstatat(spool->directory_fd, name, &info, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(info.st_mode))
		return 0;
	if (!array_has_room(&spool->list, spool->nr, sizeof(*spool->list)))
		return -ENOMEM;
	entry.bytes = info.st_size;
	spool->bytes += entry.bytes;
	spool->list[spool->nr++] = entry;
	return 0;
}

static int read_directory(struct push_spool *spool)
{
	int fd = openat(spool->directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *file;

	if (!directory)
		return -errno;
	while (!error && (file = readdir(directory)))
		error = take_file(spool, file->d_name);
	closedir(directory);
	if (spool->nr)
		qsort(spool->list, spool->nr, sizeof(*spool->list), compare_entries);
	spool->next_order = spool->nr ? spool->list[spool->nr - 1].order + 1 : 1;
	spool->counts.found = spool->nr;
	return error;
}

/* Read a file of at most @max bytes, with a NUL after it. -errno: it cannot be read. */
static int read_file(const struct push_spool *spool, const char *name, u64 max, char **bytes_ret, size_t *len_ret)
{
	int fd = openat(spool->directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
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

/*
 * Refuse a directory with requests of another format, which could not be delivered. The oldest file with an intact head
 * decides: all files of a directory have one format, unless an earlier version wrote them.
 */
static int check_format(const struct push_spool *spool, enum push_format format, struct text_error *error_ret)
{
	char name[NAME_LEN], *bytes;
	bool is_intact = false;
	struct head head;
	size_t len;
	u32 i;

	for (i = 0; i < spool->nr && !is_intact; i++) {
		name_entry(&spool->list[i], name);
		if (read_file(spool, name, HEAD_LEN, &bytes, &len))
			continue;
		is_intact = parse_head(bytes, &head);
		free(bytes);
	}
	if (!is_intact || head.format == format)
		return 0;
	return text_fail(error_ret, -ENOMSG,
			 "use the spool %.160s: it has requests of -to %s: "
			 "deliver them first, or choose another -spool",
			 spool->directory, push_format_names[head.format]);
}

static int lock_directory(struct push_spool *spool, struct text_error *error_ret)
{
	spool->directory_fd = open(spool->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (spool->directory_fd < 0)
		return fail(spool, "open", errno, error_ret);
	spool->lock_fd = openat(spool->directory_fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (spool->lock_fd < 0)
		return fail(spool, "write", errno, error_ret);
	if (!flock(spool->lock_fd, LOCK_EX | LOCK_NB))
		return 0;
	return errno == EWOULDBLOCK ?
		text_fail(error_ret, -EBUSY, "use the spool %.300s: another process uses it",
			  spool->directory) :
		fail(spool, "lock", errno, error_ret);
}

int push_spool_open(struct push_spool *spool, const char *directory, u64 bytes_max, enum push_format format,
		    struct text_error *error_ret)
{
	int error;

	*spool = (struct push_spool){ .directory_fd = -1, .lock_fd = -1, .bytes_max = bytes_max };
	if ((size_t)snprintf(spool->directory, sizeof(spool->directory), "%s", directory) >=
	    sizeof(spool->directory))
		return text_fail(error_ret, -ENAMETOOLONG, "open the spool: its path is too long");
	if (mkdir(directory, 0700) && errno != EEXIST)
		return fail(spool, "make", errno, error_ret);
	error = lock_directory(spool, error_ret);
	if (!error) {
		error = read_directory(spool);
		if (error)
			fail(spool, "read", -error, error_ret);
	}
	if (!error)
		error = check_format(spool, format, error_ret);
	if (error)
		push_spool_close(spool);
	else
		make_room(spool, 0);
	return error;
}

void push_spool_close(struct push_spool *spool)
{
	if (spool->lock_fd >= 0)
		close(spool->lock_fd);
	if (spool->directory_fd >= 0)
		close(spool->directory_fd);
	spool->lock_fd = spool->directory_fd = -1;
	free(spool->list);
	spool->list = NULL;
	spool->nr = 0;
	spool->bytes = 0;
}

static u32 get_checksum(const char *target, const char *body, size_t len)
{
	return crc32_z(crc32_z(0, (const u8 *)target, strlen(target)), (const u8 *)body, len);
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

/* Write a file under the name @temporary, up to the disk. */
static int write_file(struct push_spool *spool, const struct push_request *request, const char *head,
		      const char *temporary)
{
	int fd = openat(spool->directory_fd, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0600);
	int error;

	if (fd < 0)
		return errno;
	error = write_all(fd, head, strlen(head));
	if (!error)
		error = write_all(fd, request->target, strlen(request->target));
	if (!error)
		error = write_all(fd, request->body, request->len);
	if (!error && fsync(fd))
		error = errno;
	if (close(fd) && !error)
		error = errno;
	return error;
}

int push_spool_add(struct push_spool *spool, const struct push_request *request, struct text_error *error_ret)
{
	struct push_spool_entry entry = { .order = spool->next_order, .samples = request->samples,
					  .was_tried = request->is_doubtful };
	char head[HEAD_LEN], name[NAME_LEN];
	int error;

	memcpy(entry.id, request->id, sizeof(entry.id));
	snprintf(head, sizeof(head), "cpuprobe-push 1 %08x %u %zu %zu\n",
		 get_checksum(request->target, request->body, request->len),
		 request->format | (request->is_packed ? PACKED : 0), strlen(request->target), request->len);
	entry.bytes = strlen(head) + strlen(request->target) + request->len;
	if (entry.bytes > spool->bytes_max)
		return fail(spool, "write", EFBIG, error_ret);
	make_room(spool, entry.bytes);
	if (!array_has_room(&spool->list, spool->nr, sizeof(*spool->list)))
		return fail(spool, "write", ENOMEM, error_ret);
	name_entry(&entry, name);
	error = write_file(spool, request, head, "request.new");
	if (!error && renameat(spool->directory_fd, "request.new", spool->directory_fd, name))
		error = errno;
	if (error) {
		unlinkat(spool->directory_fd, "request.new", 0);
		return fail(spool, "write", error, error_ret);
	}
	/* The name is on the disk too. Without it the file is lost with the power only. */
	fsync(spool->directory_fd);
	spool->list[spool->nr++] = entry;
	spool->bytes += entry.bytes;
	spool->next_order++;
	return 0;
}

/* Make a request of a file's bytes. NULL: out of memory. */
static struct push_request *copy_request(const char *bytes, const struct head *head,
					 const struct push_spool_entry *entry)
{
	struct push_request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	memcpy(request->id, entry->id, sizeof(request->id));
	request->format = head->format;
	request->samples = entry->samples;
	request->is_doubtful = entry->was_tried;
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

/* -EBADMSG: damaged; -ENOMSG: of another format; -ENOMEM. */
static int parse_file(const char *bytes, size_t len, const struct push_spool_entry *entry,
		      enum push_format format, struct push_request **request_ret)
{
	struct push_request *request;
	struct head head;
	int error = 0;

	if (!parse_head(bytes, &head) || head.target_len >= PUSH_TARGET_LEN || len < head.len + head.target_len ||
	    head.body_len != len - head.len - head.target_len)
		return -EBADMSG;
	request = copy_request(bytes, &head, entry);
	if (!request)
		return -ENOMEM;
	if (get_checksum(request->target, request->body, request->len) != head.sum)
		error = -EBADMSG;
	else if (request->format != format)
		error = -ENOMSG;
	if (error)
		push_request_destroy(request);
	else
		*request_ret = request;
	return error;
}

/* Wrong contents, or no regular file: another attempt would find the same. */
static bool is_damage(int error)
{
	return error == -EBADMSG || error == -ENOENT || error == -ELOOP || error == -EISDIR || error == -ENXIO;
}

static void set_aside(struct push_spool *spool)
{
	char name[NAME_LEN], aside[NAME_LEN + 16];

	name_entry(&spool->list[0], name);
	snprintf(aside, sizeof(aside), "%s.damaged", name);
	if (renameat(spool->directory_fd, name, spool->directory_fd, aside))
		unlinkat(spool->directory_fd, name, 0);
	spool->counts.damaged++;
	forget_oldest(spool);
}

/* Rename the oldest file, to say whether it is being tried. */
static void note_tried(struct push_spool *spool, bool is_tried)
{
	struct push_spool_entry *entry = &spool->list[0];
	char before[NAME_LEN], after[NAME_LEN];

	if (entry->was_tried == is_tried)
		return;
	name_entry(entry, before);
	entry->was_tried = is_tried;
	name_entry(entry, after);
	/* If this fails, the file is still found by its old name. */
	if (renameat(spool->directory_fd, before, spool->directory_fd, after))
		entry->was_tried = !is_tried;
}

static int read_oldest(const struct push_spool *spool, enum push_format format, struct push_request **request_ret)
{
	char name[NAME_LEN], *bytes;
	size_t len;
	int error;

	name_entry(&spool->list[0], name);
	error = read_file(spool, name, spool->list[0].bytes, &bytes, &len);
	if (error)
		return error;
	error = parse_file(bytes, len, &spool->list[0], format, request_ret);
	free(bytes);
	return error;
}

static void fail_read(const struct push_spool *spool, int error, struct text_error *error_ret)
{
	if (error == -ENOMSG)
		text_fail(error_ret, error, "read the spool %.160s: it has requests of another format (-to)",
			  spool->directory);
	else
		fail(spool, "read", -error, error_ret);
}

/* Let all others come before the oldest file, until the directory is opened again. */
static void postpone(struct push_spool *spool)
{
	struct push_spool_entry oldest = spool->list[0];

	memmove(spool->list, spool->list + 1, (spool->nr - 1) * sizeof(*spool->list));
	spool->list[spool->nr - 1] = oldest;
}

struct push_request *push_spool_read(struct push_spool *spool, enum push_format format, struct text_error *error_ret)
{
	struct push_request *request;
	u32 left;
	int error;

	for (left = spool->nr; left; left--) {
		error = read_oldest(spool, format, &request);
		if (!error) {
			note_tried(spool, true);
			return request;
		}
		if (is_damage(error)) {
			set_aside(spool);
		} else {
			fail_read(spool, error, error_ret);
			postpone(spool);
		}
	}
	return NULL;
}

void push_spool_untried(struct push_spool *spool)
{
	if (spool->nr)
		note_tried(spool, false);
}

void push_spool_remove(struct push_spool *spool)
{
	if (spool->nr)
		unlink_oldest(spool);
}
