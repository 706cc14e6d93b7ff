// SPDX-License-Identifier: GPL-2.0-only
/* uring SECONDS: makes io_uring's workers read a large file in memory, at least once. */
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BYTES (4 << 20)

int main(int argc, char **argv)
{
	struct io_uring_params params = { 0 };
	int ring = syscall(SYS_io_uring_setup, 4, &params), fd = memfd_create("data", 0);
	char *buffer = malloc(BYTES), *sq, *cq;
	struct io_uring_sqe *sqes;
	time_t until = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);

	if (ring < 0 || fd < 0 || ftruncate(fd, BYTES))
		return 1;
	sq = mmap(NULL, params.sq_off.array + params.sq_entries * 4, PROT_READ | PROT_WRITE,
		  MAP_SHARED, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED,
		    ring, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
		return 1;
	do {
		uint32_t *tail = (uint32_t *)(sq + params.sq_off.tail), at = *tail;
		uint32_t mask = *(uint32_t *)(sq + params.sq_off.ring_mask);

		sqes[at & mask] = (struct io_uring_sqe){
			.opcode = IORING_OP_READ, .flags = IOSQE_ASYNC, .fd = fd,
			.addr = (uintptr_t)buffer, .len = BYTES,
		};
		((uint32_t *)(sq + params.sq_off.array))[at & mask] = at & mask;
		__atomic_store_n(tail, at + 1, __ATOMIC_RELEASE);
		if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
			return 1;
		__atomic_fetch_add((uint32_t *)(cq + params.cq_off.head), 1, __ATOMIC_RELEASE);
	} while (time(NULL) < until);
	return 0;
}
