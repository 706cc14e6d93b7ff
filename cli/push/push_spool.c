// SPDX-License-Identifier: GPL-2.0-only
/*
 * A directory with requests that are not delivered yet: see push_spool.h. A file is named
 * ORDER-SAMPLES-ID.ready, or .tried once an attempt has begun; push_file.c has its contents.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "push/push_file.h"
#include "push/push_spool.h"

#define NAME_LEN	160

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

/*
 * Refuse a directory with requests of another format, which could not be delivered. The oldest file with an intact head
 * decides: all files of a directory have one format, unless an earlier version wrote them.
 */
static int check_format(const struct push_spool *spool, enum push_format format, struct text_error *error_ret)
{
	int found = -ENOENT;
	char name[NAME_LEN];
	u32 i;

	for (i = 0; i < spool->nr && found < 0; i++) {
		name_entry(&spool->list[i], name);
		found = push_file_format(spool->directory_fd, name);
	}
	if (found < 0 || (enum push_format)found == format)
		return 0;
	return text_fail(error_ret, -ENOMSG,
			 "use the spool %.160s: it has requests of -to %s: "
			 "deliver them first, or choose another -spool",
			 spool->directory, push_format_names[found]);
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

int push_spool_add(struct push_spool *spool, const struct push_request *request, struct text_error *error_ret)
{
	struct push_spool_entry entry = { .order = spool->next_order, .samples = request->samples,
					  .was_tried = request->is_doubtful };
	char head[PUSH_FILE_HEAD_LEN], name[NAME_LEN];
	int error;

	memcpy(entry.id, request->id, sizeof(entry.id));
	push_file_head(request, head);
	entry.bytes = strlen(head) + strlen(request->target) + request->len;
	if (entry.bytes > spool->bytes_max)
		return fail(spool, "write", EFBIG, error_ret);
	make_room(spool, entry.bytes);
	if (!array_has_room(&spool->list, spool->nr, sizeof(*spool->list)))
		return fail(spool, "write", ENOMEM, error_ret);
	name_entry(&entry, name);
	error = push_file_write(spool->directory_fd, "request.new", head, request);
	if (!error && renameat(spool->directory_fd, "request.new", spool->directory_fd, name))
		error = -errno;
	if (error) {
		unlinkat(spool->directory_fd, "request.new", 0);
		return fail(spool, "write", -error, error_ret);
	}
	/* The name is on the disk too. Without it the file is lost with the power only. */
	fsync(spool->directory_fd);
	spool->list[spool->nr++] = entry;
	spool->bytes += entry.bytes;
	spool->next_order++;
	return 0;
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

/* -errno; -ENOMSG: its request is of another format. */
static int read_oldest(const struct push_spool *spool, enum push_format format, struct push_request **request_ret)
{
	const struct push_spool_entry *entry = &spool->list[0];
	struct push_request *request;
	char name[NAME_LEN];
	int error;

	name_entry(entry, name);
	error = push_file_read(spool->directory_fd, name, entry->bytes, &request);
	if (error)
		return error;
	if (request->format != format) {
		push_request_destroy(request);
		return -ENOMSG;
	}
	memcpy(request->id, entry->id, sizeof(request->id));
	request->samples = entry->samples;
	request->is_doubtful = entry->was_tried;
	*request_ret = request;
	return 0;
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
		if (push_file_is_damaged(error)) {
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
