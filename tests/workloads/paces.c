// SPDX-License-Identifier: GPL-2.0-only
/*
 * paces TURNS PAGES: in each turn causes PAGES page faults, one for each page, and sleeps once. It prints how many
 * faults and how many switches to another task the kernel counted for this process in these turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "page.h"

int main(int argc, char **argv)
{
	const struct timespec pause = { 0, 20000 };
	long nr = argc > 1 ? atol(argv[1]) : 1000, each = argc > 2 ? atol(argv[2]) : 1, turn, page;
	char *pages = mmap(NULL, (nr * each + 1) * page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct rusage before, use;

	if (pages == MAP_FAILED)
		return 1;
	/* A huge page is one fault only. */
	madvise(pages, (nr * each + 1) * page_bytes, MADV_NOHUGEPAGE);
	getrusage(RUSAGE_SELF, &before);
	for (turn = 0; turn < nr; turn++) {
		for (page = 0; page < each; page++)
			((volatile char *)pages)[(turn * each + page) * page_bytes] = 1;
		nanosleep(&pause, NULL);
	}
	getrusage(RUSAGE_SELF, &use);
	printf("faults %ld\nswitches %ld\n", use.ru_minflt + use.ru_majflt - before.ru_minflt - before.ru_majflt,
	       use.ru_nvcsw + use.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw);
	return 0;
}
