// SPDX-License-Identifier: GPL-2.0-only
/*
 * Coverage of the module: KCOV records the kernel addresses that this thread executes; only those
 * in the module are kept. Interrupt handlers and other threads are not recorded.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define KCOV_INIT_TRACE	_IOR('c', 1, unsigned long)
#define KCOV_ENABLE	_IO('c', 100)
#define KCOV_TRACE_PC	0
#define TRACE_WORDS	(64 << 10)
#define TEXT_MAX	(1 << 20)

static unsigned long text_start, text_end;
static unsigned char *by_anyone;		/* addresses reached, by all processes */
static unsigned char by_this[TEXT_MAX];	/* by this one */
static unsigned long *trace;

bool cover_init(void)
{
	char line[256];
	unsigned long size;
	FILE *file = fopen("/proc/modules", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "cpuprobe %lu %*s %*s %*s %lx", &size, &text_start) == 2)
			text_end = text_start + (size < TEXT_MAX ? size : TEXT_MAX);
	if (file)
		fclose(file);
	by_anyone = mmap(NULL, TEXT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return text_start && by_anyone != MAP_FAILED && !access("/sys/kernel/debug/kcov", R_OK);
}

bool cover_begin(void)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR);

	if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, TRACE_WORDS))
		return false;
	trace = mmap(NULL, TRACE_WORDS * sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (trace == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC)) {
		trace = NULL;
		return false;
	}
	return true;
}

void cover_clear(void)
{
	if (trace)
		__atomic_store_n(&trace[0], 0, __ATOMIC_RELAXED);
}

bool cover_look(void)
{
	unsigned long i, nr = trace ? __atomic_load_n(&trace[0], __ATOMIC_RELAXED) : 0;
	bool is_new = false;

	for (i = 1; i <= nr; i++) {
		unsigned long at = trace[i] - text_start;

		if (at >= text_end - text_start || by_this[at])
			continue;
		by_this[at] = 1;
		by_anyone[at] = 1;
		is_new = true;
	}
	return is_new;
}

unsigned int cover_count(void)
{
	unsigned int nr = 0, i;

	for (i = 0; i < TEXT_MAX; i++)
		nr += by_anyone[i];
	return nr;
}
