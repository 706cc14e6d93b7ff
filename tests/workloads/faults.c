// SPDX-License-Identifier: GPL-2.0-only
/* faults: reads zeros into new memory, again and again: nearly all page faults are the kernel's own, in read(). */
#include <err.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES	(1 << 20)

int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (;;) {
		char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED || read(fd, memory, BYTES) != BYTES)
			err(1, "read");
		munmap(memory, BYTES);
	}
}
