// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds unwinding tables to the module: see feeder.h. The lock protects the queue and the counts; the
 * cache belongs to the thread, and between sessions to the caller.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/worker.h"
#include "run/device_unwind.h"
#include "run/feeder.h"
#include "run/unwind_cache.h"
#include "run/vdso.h"

#define QUEUE_MAX	128	/* files that wait, each with a descriptor */
#define FEED_NICE	-5	/* until a table is there, stacks end early */
#define LACKING_MAX	256	/* names kept of files without call frame information */
#define LACKING_LEN	64
#define AGAIN_MS	2	/* until the device is asked again */
#define AGAIN_TRIES	500

/** A file that waits for its table. */
struct waiting {
	struct cpuprobe_need need;
	struct unwind_key key;
	bool has_key;		/* false: unreadable */
	u32 limit_kib;		/* of the session's tables, and of the cache */
};

struct feeder {
	const struct device *device;
	pthread_t thread;
	bool has_thread;
	atomic_bool is_ending;
	int wake_fd;		/* an eventfd: files wait, or the thread is to end */
	pthread_mutex_t lock;
	struct waiting queue[QUEUE_MAX];
	u32 nr_waiting;
	struct feeder_counts counts;
	char lacking[LACKING_MAX][LACKING_LEN];
	u32 nr_lacking;
	u32 evicted_before;	/* in earlier sessions */
	struct unwind_cache *cache;
};

struct feeder *feeder_create(void)
{
	struct feeder *feeder = calloc(1, sizeof(*feeder));

	if (!feeder)
		return NULL;
	feeder->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	feeder->cache = unwind_cache_create();
	pthread_mutex_init(&feeder->lock, NULL);
	if (feeder->wake_fd >= 0 && feeder->cache)
		return feeder;
	feeder_destroy(feeder);
	return NULL;
}

static void wake_thread(const struct feeder *feeder)
{
	const u64 one = 1;

	/* A full counter wakes the thread as well. */
	(void)!write(feeder->wake_fd, &one, sizeof(one));
}

/* Identifies a file by its contents as far as stat() tells. */
static void identify_file(struct waiting *waiting)
{
	struct stat stat;

	if (waiting->need.flags & CPUPROBE_NEED_VDSO) {
		waiting->has_key = true;
	} else if (waiting->need.fd >= 0 && !fstat(waiting->need.fd, &stat)) {
		waiting->has_key = true;
		waiting->key = (struct unwind_key){
			.device = stat.st_dev, .inode = stat.st_ino, .len_bytes = stat.st_size,
			.mtime_ns = stat.st_mtim.tv_sec * 1000000000ULL + stat.st_mtim.tv_nsec,
		};
	}
}

/* Moves the module's needs into the queue. Returns how many there were. The lock is held. */
static u32 take_needs(struct feeder *feeder)
{
	struct feeder_counts *counts = &feeder->counts;
	u32 nr = 0;

	while (feeder->nr_waiting < QUEUE_MAX) {
		struct waiting waiting = { .has_key = false };
		int error = device_need(feeder->device, &waiting.need);

		/* Both answers have these numbers. */
		if (!error || error == -ENOENT) {
			counts->used_kib = waiting.need.used_kib;
			counts->limit_kib = waiting.need.limit_kib;
			counts->nr_evicted = feeder->evicted_before + waiting.need.nr_evicted;
			counts->nr_unrecorded = waiting.need.nr_unrecorded;
		}
		if (error)
			break;
		waiting.limit_kib = waiting.need.limit_kib;
		identify_file(&waiting);
		feeder->queue[feeder->nr_waiting++] = waiting;
		nr++;
	}
	return nr;
}

void feeder_take(struct feeder *feeder)
{
	u32 nr;

	if (!feeder->has_thread)
		return;
	pthread_mutex_lock(&feeder->lock);
	nr = take_needs(feeder);
	pthread_mutex_unlock(&feeder->lock);
	if (nr)
		wake_thread(feeder);
}

/* Takes the smallest file out of the queue: a large one must not delay many small ones. */
static bool get_next(struct feeder *feeder, struct waiting *waiting_ret)
{
	u32 i, best = 0;

	pthread_mutex_lock(&feeder->lock);
	take_needs(feeder);
	for (i = 1; i < feeder->nr_waiting; i++)
		if (feeder->queue[i].key.len_bytes < feeder->queue[best].key.len_bytes)
			best = i;
	if (feeder->nr_waiting) {
		*waiting_ret = feeder->queue[best];
		feeder->queue[best] = feeder->queue[--feeder->nr_waiting];
	} else {
		best = UINT32_MAX;
	}
	pthread_mutex_unlock(&feeder->lock);
	return best != UINT32_MAX;
}

/* Compiles the table of a file. NULL: there is no call frame information, or no memory. */
static struct sym_unwind *compile(const struct waiting *waiting)
{
	struct sym_unwind *table = NULL;
	struct sym_error error;
	const void *image;
	size_t len;

	if (!(waiting->need.flags & CPUPROBE_NEED_VDSO))
		return sym_unwind_create(waiting->need.fd, &table, &error) ? NULL : table;
	image = vdso_image(&len);
	if (!image || sym_unwind_create_memory(image, len, &table, &error))
		return NULL;
	return table;
}

/* Notes the name of a file for which there is no table. */
static void note_lacking(struct feeder *feeder, int fd)
{
	char link[64], path[4096];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = fd < 0 ? -1 : readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return;
	path[len] = '\0';
	if (feeder_lacks_table(feeder, text_base_name(path)))
		return;
	pthread_mutex_lock(&feeder->lock);
	if (feeder->nr_lacking < LACKING_MAX)
		snprintf(feeder->lacking[feeder->nr_lacking++], LACKING_LEN, "%s",
			 text_base_name(path));
	pthread_mutex_unlock(&feeder->lock);
}

bool feeder_lacks_table(struct feeder *feeder, const char *name)
{
	bool is_found = false;
	u32 i;

	pthread_mutex_lock(&feeder->lock);
	for (i = 0; i < feeder->nr_lacking && !is_found; i++)
		is_found = !strncmp(feeder->lacking[i], name, LACKING_LEN - 1);
	pthread_mutex_unlock(&feeder->lock);
	return is_found;
}

static void count_handed(struct feeder *feeder, int error, bool is_compiled)
{
	pthread_mutex_lock(&feeder->lock);
	feeder->counts.nr_compiled += is_compiled;
	if (!error)
		feeder->counts.nr_tables++;
	else if (error == -ESTALE)
		feeder->counts.nr_stale++;
	else
		feeder->counts.nr_refused++;
	pthread_mutex_unlock(&feeder->lock);
}

/* The memory of tables that gave way is still being read for some milliseconds. */
static int hand_over(struct feeder *feeder, const struct waiting *waiting,
		     const struct sym_unwind *table)
{
	int tries = AGAIN_TRIES, error;

	do {
		error = device_unwind(feeder->device, &waiting->need, table);
		if (error == -EAGAIN)
			poll(NULL, 0, AGAIN_MS);
	} while (error == -EAGAIN && --tries && !atomic_load(&feeder->is_ending));
	return error;
}

/* Hands over the table of a file. An empty one says that there is none: it is not asked for again. */
static void feed_file(struct feeder *feeder, const struct waiting *waiting)
{
	const struct sym_unwind *table = NULL;
	struct sym_unwind *made = NULL;
	bool is_cached = !waiting->has_key ||
		unwind_cache_find(feeder->cache, &waiting->key, &table);
	int error;

	if (!is_cached)
		table = made = compile(waiting);
	error = hand_over(feeder, waiting, table);
	/* A table that the module takes for invalid is as good as none. */
	if (error == -EINVAL && table)
		device_unwind(feeder->device, &waiting->need, NULL);
	if (table || error)
		count_handed(feeder, error, !is_cached);
	else
		note_lacking(feeder, waiting->need.fd);
	if (!is_cached)
		unwind_cache_add(feeder->cache, &waiting->key, made,
				 (u64)waiting->limit_kib << 10);
	if (waiting->need.fd >= 0)
		close(waiting->need.fd);
}

/* Waits for a need, or for the end. Returns whether the device can still be asked. */
static bool wait_for_needs(struct feeder *feeder, bool *is_harvest_due)
{
	struct pollfd fds[] = {
		{ .fd = feeder->wake_fd, .events = POLLIN },
		/* The measuring thread harvests soon: until then poll() would return at once. */
		{ .fd = *is_harvest_due ? -1 : feeder->device->fd, .events = POLLIN },
	};
	u64 nr;

	poll(fds, 2, *is_harvest_due ? AGAIN_MS : -1);
	if (fds[0].revents)
		(void)!read(feeder->wake_fd, &nr, sizeof(nr));
	*is_harvest_due = fds[1].revents & POLLIN;
	return !(fds[1].revents & (POLLHUP | POLLERR | POLLNVAL));
}

static void *feed(void *context)
{
	struct feeder *feeder = context;
	struct waiting waiting;
	bool is_harvest_due = false;

	setpriority(PRIO_PROCESS, gettid(), FEED_NICE);
	while (!atomic_load(&feeder->is_ending)) {
		if (get_next(feeder, &waiting)) {
			feed_file(feeder, &waiting);
			is_harvest_due = false;
		} else if (!wait_for_needs(feeder, &is_harvest_due)) {
			break;
		}
	}
	return NULL;
}

int feeder_begin(struct feeder *feeder, const struct device *device)
{
	int error;

	feeder->device = device;
	feeder->evicted_before = feeder->counts.nr_evicted;
	atomic_store(&feeder->is_ending, false);
	error = worker_create_thread(&feeder->thread, feed, feeder);
	feeder->has_thread = !error;
	return error;
}

void feeder_stop(struct feeder *feeder)
{
	atomic_store(&feeder->is_ending, true);
	wake_thread(feeder);
}

void feeder_end(struct feeder *feeder)
{
	if (!feeder->has_thread)
		return;
	feeder_stop(feeder);
	pthread_join(feeder->thread, NULL);
	feeder->has_thread = false;
	/* The last numbers; what is needed now is needed no more. */
	take_needs(feeder);
	while (feeder->nr_waiting)
		if (feeder->queue[--feeder->nr_waiting].need.fd >= 0)
			close(feeder->queue[feeder->nr_waiting].need.fd);
}

void feeder_count(struct feeder *feeder, struct feeder_counts *counts_ret)
{
	pthread_mutex_lock(&feeder->lock);
	*counts_ret = feeder->counts;
	pthread_mutex_unlock(&feeder->lock);
}

void feeder_destroy(struct feeder *feeder)
{
	if (!feeder)
		return;
	unwind_cache_destroy(feeder->cache);
	if (feeder->wake_fd >= 0)
		close(feeder->wake_fd);
	pthread_mutex_destroy(&feeder->lock);
	free(feeder);
}
