/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory whose first access blocks: a page fault that userfaultfd never resolves. */
#ifndef HELD_H
#define HELD_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/** held_memory() - map @len bytes whose first access blocks for ever; NULL: no userfaultfd here. */
static inline void *held_memory(size_t len)
{
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register range = { .range = { (unsigned long)memory, len },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range))
		return NULL;
	return memory;
}

#endif
