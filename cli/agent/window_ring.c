// SPDX-License-Identifier: GPL-2.0-only
/* A ring of windows on disk: see window_ring.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/window_ring.h"
#include "base/outfile.h"
#include "run/record.h"

#define SUFFIX		".probe"
#define NUMBER_MAX	(1ULL << 53)	/* of a file that an agent has made */

void window_ring_path(const struct window_ring *ring, u64 number, char path[WINDOW_RING_PATH])
{
	snprintf(path, WINDOW_RING_PATH, "%s/%010llu" SUFFIX, ring->directory, number);
}

/* The number in the name of a file; 0: it is none of ours. @is_whole_ret: false: it was being written. */
static u64 parse_name(const char *name, bool *is_whole_ret)
{
	u64 number = strtoull(name, NULL, 10);
	char whole[64];
	size_t len = snprintf(whole, sizeof(whole), "%010llu" SUFFIX, number);

	*is_whole_ret = !name[len < strlen(name) ? len : strlen(name)];
	if (number > NUMBER_MAX || strncmp(name, whole, len))
		return 0;
	/* outfile_open() adds a dot and six characters. */
	return *is_whole_ret || (name[len] == '.' && strlen(name + len) == 7) ? number : 0;
}

/* Reads what a file says of itself. False: it is damaged, or another window's. */
static bool read_window(const struct window_ring *ring, u64 number, struct window *window_ret)
{
	char path[WINDOW_RING_PATH];
	struct record record;
	bool is_good;

	window_ring_path(ring, number, path);
	if (record_read(path, &record, NULL))
		return false;
	is_good = !record_get(&record, "WNDW", window_ret, sizeof(*window_ret), sizeof(*window_ret), NULL) &&
		window_is_valid(window_ret) && window_ret->number == number;
	record_deinit(&record);
	return is_good;
}

static void drop_oldest(struct window_ring *ring)
{
	char path[WINDOW_RING_PATH];

	window_ring_path(ring, ring->kept[0].window.number, path);
	unlink(path);
	ring->bytes -= ring->kept[0].bytes;
	ring->nr--;
	ring->nr_dropped++;
	memmove(ring->kept, ring->kept + 1, ring->nr * sizeof(*ring->kept));
}

/* Whether the oldest good window is too old. A damaged one is as old as the good one after it. */
static bool is_oldest_old(const struct window_ring *ring, const struct window_now *now)
{
	size_t nr, first;
	struct window *good = window_ring_good(ring, &nr);

	first = good ? window_first_since(good, nr, ring->seconds_max, now) : 0;
	free(good);
	return first > 0;
}

/* Removes what is too old, and what @more bytes and one file more need. */
static void make_room(struct window_ring *ring, u64 more, const struct window_now *now)
{
	while (ring->nr && (ring->bytes + more > ring->bytes_max || ring->nr >= WINDOW_RING_MAX ||
			    is_oldest_old(ring, now)))
		drop_oldest(ring);
}

static int compare_numbers(const void *a, const void *b)
{
	const struct kept_window *first = a, *second = b;

	return (first->window.number > second->window.number) -
	       (first->window.number < second->window.number);
}

/* Looks at one file. */
static void find_file(struct window_ring *ring, const char *name)
{
	char path[WINDOW_RING_PATH];
	struct kept_window *kept = &ring->kept[ring->nr];
	bool is_whole = false;
	u64 number = parse_name(name, &is_whole);
	struct stat info;

	if (!number || ring->nr == WINDOW_RING_MAX)
		return;
	snprintf(path, sizeof(path), "%s/%.31s", ring->directory, name);
	if (!is_whole) {
		unlink(path);
		return;
	}
	if (lstat(path, &info) || !S_ISREG(info.st_mode))
		return;
	*kept = (struct kept_window){ .bytes = info.st_size };
	kept->is_damaged = kept->bytes > ring->bytes_max || !read_window(ring, number, &kept->window);
	kept->window.number = number;
	ring->nr_damaged += kept->is_damaged;
	ring->bytes += kept->bytes;
	ring->nr++;
	if (number >= ring->next_number)
		ring->next_number = number + 1;
}

static int find_files(struct window_ring *ring, struct text_error *error_ret)
{
	DIR *directory = opendir(ring->directory);
	const struct dirent *entry;

	if (!directory)
		return text_fail(error_ret, -errno, "read %s: %s", ring->directory, strerror(errno));
	while ((entry = readdir(directory)))
		find_file(ring, entry->d_name);
	closedir(directory);
	qsort(ring->kept, ring->nr, sizeof(*ring->kept), compare_numbers);
	return 0;
}

static int lock_directory(struct window_ring *ring, struct text_error *error_ret)
{
	char path[WINDOW_RING_PATH];

	snprintf(path, sizeof(path), "%s/lock", ring->directory);
	ring->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (ring->lock_fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	if (!flock(ring->lock_fd, LOCK_EX | LOCK_NB))
		return 0;
	close(ring->lock_fd);
	text_fail(error_ret, 0, "use the ring in %s: another agent has it", ring->directory);
	text_hint(error_ret, "'probe status agent' shows it; -ring-dir chooses another directory");
	return -EBUSY;
}

int window_ring_open(struct window_ring *ring, const char *directory, u64 bytes_max, double seconds_max,
		     const struct window_now *now, struct text_error *error_ret)
{
	int error;

	*ring = (struct window_ring){
		.lock_fd = -1, .bytes_max = bytes_max, .seconds_max = seconds_max, .next_number = 1,
	};
	if (strlen(directory) >= sizeof(ring->directory))
		return text_fail(error_ret, -ENAMETOOLONG, "use the ring in %.99s: the path is too long",
				 directory);
	strcpy(ring->directory, directory);
	if (mkdir(directory, 0700) && errno != EEXIST)
		return text_fail(error_ret, -errno, "make %s: %s", directory, strerror(errno));
	error = lock_directory(ring, error_ret);
	if (error)
		return error;
	ring->kept = calloc(WINDOW_RING_MAX, sizeof(*ring->kept));
	error = ring->kept ? find_files(ring, error_ret) :
		text_fail(error_ret, -ENOMEM, "read %s: out of memory", directory);
	if (error)
		window_ring_close(ring);
	else
		make_room(ring, 0, now);
	return error;
}

void window_ring_limit(struct window_ring *ring, u64 bytes_max, double seconds_max,
		       const struct window_now *now)
{
	ring->bytes_max = bytes_max;
	ring->seconds_max = seconds_max;
	make_room(ring, 0, now);
}

int window_ring_add(struct window_ring *ring, const struct window *window, const void *bytes, size_t len,
		    const struct window_now *now, struct text_error *error_ret)
{
	char path[WINDOW_RING_PATH];
	struct outfile out;
	int error;

	ring->next_number = window->number + 1;
	window_ring_path(ring, window->number, path);
	if (len > ring->bytes_max)
		return text_fail(error_ret, -EFBIG, "write %s: its %zu bytes exceed the ring", path, len);
	make_room(ring, len, now);
	error = outfile_open(&out, path, error_ret);
	if (error)
		return error;
	fwrite(bytes, 1, len, out.file);
	error = outfile_commit(&out, error_ret);
	if (error)
		return error;
	ring->kept[ring->nr++] = (struct kept_window){ .window = *window, .bytes = len };
	ring->bytes += len;
	return 0;
}

struct window *window_ring_good(const struct window_ring *ring, size_t *nr_ret)
{
	struct window *good = calloc(ring->nr + 1, sizeof(*good));
	size_t i;

	*nr_ret = 0;
	for (i = 0; good && i < ring->nr; i++)
		if (!ring->kept[i].is_damaged)
			good[(*nr_ret)++] = ring->kept[i].window;
	return good;
}

void window_ring_close(struct window_ring *ring)
{
	free(ring->kept);
	ring->kept = NULL;
	ring->nr = 0;
	if (ring->lock_fd >= 0)
		close(ring->lock_fd);
	ring->lock_fd = -1;
}
