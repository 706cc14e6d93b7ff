// SPDX-License-Identifier: GPL-2.0-only
/* One thread's event and its ring buffer: see thread_ring.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rings/thread_ring.h"

#define SAMPLE_LEN	24	/* header, address, process and thread */
#define RING_SECONDS	0.1	/* ten looks at the rings; a page lasts so long up to 1.7 kHz */
#define PAGES_MAX	64

/* The records that are read here, as the kernel writes them with the attributes below. */
union raw_record {
	struct perf_event_header header;
	struct { struct perf_event_header header; u64 pc; u32 pid, tid; } sample;
	struct { struct perf_event_header header; u32 pid, ppid, tid, ptid; u64 time; } task;
	struct { struct perf_event_header header; u32 pid, tid; char comm[THREAD_RING_COMM_LEN]; } comm;
	struct { struct perf_event_header header; u64 id, nr; } lost;
	char bytes[64];
};

u32 thread_ring_pages(u64 period_ns)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const double wanted = RING_SECONDS * 1e9 / period_ns * SAMPLE_LEN;
	u32 pages = 1;

	while (pages * page < wanted && pages < PAGES_MAX)
		pages *= 2;
	return pages;
}

static int map_ring(struct thread_ring *ring, u32 pages)
{
	const size_t page = sysconf(_SC_PAGESIZE);

	ring->map = mmap(NULL, (1 + pages) * page, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	ring->data_len = pages * page;
	if (ring->map != MAP_FAILED)
		return 0;
	ring->map = NULL;
	if (errno != EPERM && errno != ENOMEM)
		return -errno;
	return pages > 1 ? map_ring(ring, 1) : -ENOBUFS;
}

int thread_ring_open(struct thread_ring *ring, u32 tid, u64 period_ns, u32 pages)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING, .exclude_kernel = 1, .exclude_hv = 1,
		.task = 1, .comm = 1,
	};
	int error;

	*ring = (struct thread_ring){ .fd = -1 };
	ring->fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return -errno;
	error = map_ring(ring, pages);
	if (error)
		thread_ring_close(ring);
	return error;
}

static void copy_out(const struct thread_ring *ring, u64 at, void *to, size_t len)
{
	const char *data = (const char *)ring->map + sysconf(_SC_PAGESIZE);
	const size_t from = at & (ring->data_len - 1);
	const size_t first = ring->data_len - from < len ? ring->data_len - from : len;

	memcpy(to, data + from, first);
	memcpy((char *)to + first, data, len - first);
}

static void parse_record(const union raw_record *raw, struct ring_record *record)
{
	*record = (struct ring_record){ .kind = RING_OTHER };
	switch (raw->header.type) {
	case PERF_RECORD_SAMPLE:
		record->kind = RING_SAMPLE;
		record->pid = raw->sample.pid;
		record->tid = raw->sample.tid;
		record->pc = raw->sample.pc;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		record->kind = raw->header.type == PERF_RECORD_FORK ? RING_FORK : RING_EXIT;
		record->pid = raw->task.pid;
		record->tid = raw->task.tid;
		break;
	case PERF_RECORD_COMM:
		record->kind = RING_COMM;
		record->pid = raw->comm.pid;
		record->tid = raw->comm.tid;
		memcpy(record->comm, raw->comm.comm, strnlen(raw->comm.comm, sizeof(record->comm) - 1));
		break;
	case PERF_RECORD_LOST:
		record->kind = RING_LOST;
		record->nr_lost = raw->lost.nr;
		break;
	case PERF_RECORD_THROTTLE:
		record->kind = RING_THROTTLE;
		break;
	}
}

bool thread_ring_next(struct thread_ring *ring, struct ring_record *record_ret)
{
	struct perf_event_mmap_page *page = ring->map;
	/* Acquire: records that the kernel wrote before it moved the head are visible. */
	const u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	union raw_record raw = { .bytes = "" };

	if (head - page->data_tail < sizeof(raw.header))
		return false;
	copy_out(ring, page->data_tail, &raw, sizeof(raw.header));
	copy_out(ring, page->data_tail, &raw,
		 raw.header.size < sizeof(raw) ? raw.header.size : sizeof(raw));
	parse_record(&raw, record_ret);
	__atomic_store_n(&page->data_tail, page->data_tail + raw.header.size, __ATOMIC_RELEASE);
	return true;
}

int thread_ring_running(const struct thread_ring *ring, u64 *running_ns_ret)
{
	u64 value[2];	/* the count, which is the clock's, and the time */

	if (read(ring->fd, value, sizeof(value)) != sizeof(value))
		return -EIO;
	*running_ns_ret = value[1];
	return 0;
}

int thread_ring_set_period(const struct thread_ring *ring, u64 period_ns)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_PERIOD, &period_ns) ? -errno : 0;
}

void thread_ring_stop(const struct thread_ring *ring)
{
	ioctl(ring->fd, PERF_EVENT_IOC_DISABLE, 0);
}

void thread_ring_close(struct thread_ring *ring)
{
	if (ring->map)
		munmap(ring->map, ring->data_len + sysconf(_SC_PAGESIZE));
	ring->map = NULL;
	if (ring->fd >= 0)
		close(ring->fd);
	ring->fd = -1;
}
