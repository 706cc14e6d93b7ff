// SPDX-License-Identifier: GPL-2.0-only
/* Process events from perf's dummy event: see sideband.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "resolve/sideband.h"
#include "run/cpus.h"

#define RECORD_MAX	65536	/* the size field has 16 bits */
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

struct event_ring {
	int fd;			/* -1: the CPU is offline, or its event could not be opened */
	struct perf_event_mmap_page *page;	/* the records follow in the next page */
	u64 tail;		/* end of what was read */
	u64 head;		/* end of what may be read */
};

struct sideband {
	struct event_ring *ring;	/* by CPU */
	size_t nr_rings;
	int poll_fd;
	char online[4096];	/* CPUs, in the kernel's list format */
	u64 record[RECORD_MAX / 8];
};

/* The first fields of the records, as in linux/perf_event.h. */
struct map_record {
	struct perf_event_header header;
	u32 pid, tid;
	u64 addr, len, offset;
	u32 dev_major, dev_minor;
	u64 inode, generation;
	u32 protection, flags;
	char path[];
};

struct task_record {
	struct perf_event_header header;
	u32 pid, parent;
	u32 tid, parent_tid;
	u64 time;
};

struct comm_record {
	struct perf_event_header header;
	u32 pid, tid;
};

struct lost_record {
	struct perf_event_header header;
	u64 id, nr;
};

static void parse_task_record(const struct task_record *record, struct sideband_event *event)
{
	event->pid = record->pid;
	event->parent = record->parent;
	/* A new thread has its own process as parent. Ends of single threads do not matter. */
	if (record->header.type == PERF_RECORD_FORK && record->pid != record->parent)
		event->kind = SIDEBAND_FORK;
	else if (record->header.type == PERF_RECORD_EXIT && record->pid == record->tid)
		event->kind = SIDEBAND_EXIT;
}

/* @len: bytes before the time at the end of the record. */
static bool parse_map_record(struct map_record *record, size_t len, struct sideband_event *event)
{
	static const char deleted[] = " (deleted)";
	size_t path_len = strnlen(record->path, len - sizeof(*record)), cut;

	if (path_len == len - sizeof(*record))
		return false;
	event->kind = SIDEBAND_MAP;
	event->pid = record->pid;
	event->map = (struct sym_map){
		.start = record->addr, .end = record->addr + record->len,
		.offset = record->offset, .path = record->path,
	};
	if (!(record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		event->map.inode = record->inode;
		event->map.dev_major = record->dev_major;
		event->map.dev_minor = record->dev_minor;
	}
	cut = path_len - (sizeof(deleted) - 1);
	if (path_len >= sizeof(deleted) && !strcmp(record->path + cut, deleted)) {
		record->path[cut] = '\0';
		event->map.is_deleted = true;
	}
	/* Memory without a file is identified by its address; the offset means nothing. */
	if (!event->map.inode)
		event->map.offset = 0;
	return event->map.start < event->map.end;
}

bool sideband_parse(void *record, size_t len, struct sideband_event *event_ret)
{
	struct sideband_event event = { .kind = SIDEBAND_OTHER };
	struct perf_event_header *header = record;
	size_t body;

	if (len < sizeof(*header) + sizeof(event.time_ns) || header->size != len)
		return false;
	body = len - sizeof(event.time_ns);
	memcpy(&event.time_ns, (char *)record + body, sizeof(event.time_ns));
	switch (header->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (body < sizeof(struct task_record))
			return false;
		parse_task_record(record, &event);
		break;
	case PERF_RECORD_COMM:
		if (body < sizeof(struct comm_record))
			return false;
		event.pid = ((struct comm_record *)record)->pid;
		if (header->misc & PERF_RECORD_MISC_COMM_EXEC)
			event.kind = SIDEBAND_EXEC;
		break;
	case PERF_RECORD_MMAP2:
		if (body <= sizeof(struct map_record) || !parse_map_record(record, body, &event))
			return false;
		break;
	case PERF_RECORD_LOST:
		if (body < sizeof(struct lost_record))
			return false;
		event.kind = SIDEBAND_LOST;
		event.nr_lost = ((struct lost_record *)record)->nr;
		break;
	}
	*event_ret = event;
	return true;
}

static int open_cpu_event(u32 cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1,
		.mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1,
		.watermark = 1, .wakeup_watermark = SIDEBAND_RING_BYTES / 2,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC, .exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* A ring's page of state and its records, as mmap() takes them. */
static size_t mapped_bytes(void)
{
	return sysconf(_SC_PAGESIZE) + SIDEBAND_RING_BYTES;
}

static void close_ring(struct event_ring *ring)
{
	if (ring->fd < 0)
		return;
	munmap(ring->page, mapped_bytes());
	close(ring->fd);
	ring->fd = -1;
}

static int open_ring(struct sideband *sideband, u32 cpu)
{
	struct event_ring *ring = &sideband->ring[cpu];
	struct epoll_event watch = { .events = EPOLLIN };
	int fd = open_cpu_event(cpu), error;
	void *page;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || epoll_ctl(sideband->poll_fd, EPOLL_CTL_ADD, fd, &watch)) {
		error = -errno;
		if (page != MAP_FAILED)
			munmap(page, mapped_bytes());
		close(fd);
		return error;
	}
	*ring = (struct event_ring){ .fd = fd, .page = page };
	return 0;
}

/* Opens and closes rings as CPUs come and go. Returns 0, or the error of the first failed CPU. */
static int follow_cpus(struct sideband *sideband)
{
	char online[sizeof(sideband->online)];
	struct cpus cpus = { 0 };
	size_t i, at = 0;
	int error = 0;

	if (sysfile_line("/sys/devices/system/cpu/online", online, sizeof(online)) ||
	    !strcmp(online, sideband->online) || cpus_parse(online, &cpus, NULL))
		return online[0] ? 0 : -ENOENT;
	memcpy(sideband->online, online, sizeof(online));
	for (i = 0; i < sideband->nr_rings; i++) {
		while (at < cpus.nr && cpus.number[at] < i)
			at++;
		if (at == cpus.nr || cpus.number[at] != i)
			close_ring(&sideband->ring[i]);
		else if (sideband->ring[i].fd < 0 && !error)
			error = open_ring(sideband, i);
	}
	cpus_deinit(&cpus);
	return error;
}

static int create_sideband(struct sideband **sideband_ret)
{
	struct sideband *sideband = calloc(1, sizeof(*sideband));
	struct cpus cpus = { 0 };
	size_t i;

	if (!sideband || cpus_parse("all", &cpus, NULL) || !cpus.nr) {
		free(sideband);
		return -ENOMEM;
	}
	sideband->nr_rings = cpus.number[cpus.nr - 1] + 1;
	cpus_deinit(&cpus);
	sideband->ring = calloc(sideband->nr_rings, sizeof(*sideband->ring));
	sideband->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; sideband->ring && i < sideband->nr_rings; i++)
		sideband->ring[i].fd = -1;
	*sideband_ret = sideband;
	return sideband->ring && sideband->poll_fd >= 0 ? 0 : -ENOMEM;
}

int sideband_open(struct sideband **sideband_ret, struct text_error *error_ret)
{
	struct sideband *sideband = NULL;
	char paranoid[16] = "";
	int error = create_sideband(&sideband);

	if (!error)
		error = follow_cpus(sideband);
	if (!error) {
		*sideband_ret = sideband;
		return 0;
	}
	sideband_close(sideband);
	if (error == -EACCES || error == -EPERM) {
		sysfile_line(PARANOID, paranoid, sizeof(paranoid));
		return text_fail(error_ret, error,
				 "follow processes: not allowed (perf_event_paranoid is %s)",
				 paranoid[0] ? paranoid : "unknown");
	}
	return text_fail(error_ret, error, "follow processes: %s", strerror(-error));
}

void sideband_close(struct sideband *sideband)
{
	size_t i;

	if (!sideband)
		return;
	for (i = 0; sideband->ring && i < sideband->nr_rings; i++)
		close_ring(&sideband->ring[i]);
	if (sideband->poll_fd >= 0)
		close(sideband->poll_fd);
	free(sideband->ring);
	free(sideband);
}

int sideband_fd(const struct sideband *sideband)
{
	return sideband->poll_fd;
}

/* Copies bytes out of a ring, also across its end. */
static void copy_bytes(const struct event_ring *ring, u64 from, void *to, size_t len)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	size_t at = from % SIDEBAND_RING_BYTES, first = SIDEBAND_RING_BYTES - at;

	if (first > len)
		first = len;
	memcpy(to, data + at, first);
	memcpy((char *)to + first, data, len - first);
}

/* Gets size and time of a ring's next record. A malformed record ends the ring's contents. */
static bool peek_record(struct event_ring *ring, u16 *len_ret, u64 *time_ret)
{
	struct perf_event_header header;

	if (ring->fd < 0 || ring->head - ring->tail < sizeof(header))
		return false;
	copy_bytes(ring, ring->tail, &header, sizeof(header));
	if (header.size < sizeof(header) + sizeof(*time_ret) ||
	    header.size > ring->head - ring->tail) {
		ring->tail = ring->head;
		__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
		return false;
	}
	copy_bytes(ring, ring->tail + header.size - sizeof(*time_ret), time_ret, sizeof(*time_ret));
	*len_ret = header.size;
	return true;
}

/* Returns the ring with the oldest next record. NULL: all are empty. */
static struct event_ring *find_oldest_ring(struct sideband *sideband, u16 *len_ret)
{
	struct event_ring *oldest = NULL;
	u64 time, least = 0;
	u16 len;
	size_t i;

	for (i = 0; i < sideband->nr_rings; i++) {
		if (!peek_record(&sideband->ring[i], &len, &time) || (oldest && time >= least))
			continue;
		oldest = &sideband->ring[i];
		least = time;
		*len_ret = len;
	}
	return oldest;
}

void sideband_read(struct sideband *sideband,
		   void (*take)(const struct sideband_event *event, void *context), void *context)
{
	struct sideband_event event;
	struct event_ring *ring;
	u16 len;
	size_t i;

	for (i = 0; i < sideband->nr_rings; i++) {
		ring = &sideband->ring[i];
		if (ring->fd < 0)
			continue;
		ring->tail = ring->page->data_tail;
		ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	}
	while ((ring = find_oldest_ring(sideband, &len))) {
		copy_bytes(ring, ring->tail, sideband->record, len);
		ring->tail += len;
		if (sideband_parse(sideband->record, len, &event))
			take(&event, context);
		/* Frees the record's room in the ring at once, for new events. */
		__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	}
	/* Last, because events of CPUs that just went offline had to be read first. */
	follow_cpus(sideband);
}
