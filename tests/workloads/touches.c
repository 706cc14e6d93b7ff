// SPDX-License-Identifier: GPL-2.0-only
/*
 * touches PAGES [OTHER [PAUSE]]: touch() causes PAGES page faults, one for each page, PAUSE microseconds apart, and
 * rest() causes OTHER. Then it prints how many the kernel counted for this process, and how many of them before
 * main(): the process had other names then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "page.h"

static char *map_pages(long nr)
{
	char *pages = mmap(NULL, (nr + 1) * page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (pages == MAP_FAILED)
		exit(1);
	/* A huge page is one fault only. */
	madvise(pages, (nr + 1) * page_bytes, MADV_NOHUGEPAGE);
	return pages;
}

__attribute__((noinline)) static void touch(char *from, long nr)
{
	for (; nr--; from += page_bytes)
		*(volatile char *)from = 1;
}

__attribute__((noinline)) static void rest(char *from, long nr)
{
	for (; nr--; from += page_bytes)
		*(volatile char *)from = 2;
}

static long count_faults(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_minflt + use.ru_majflt;
}

int main(int argc, char **argv)
{
	long nr = argc > 1 ? atol(argv[1]) : 1000, nr_other = argc > 2 ? atol(argv[2]) : 0;
	long pause_us = argc > 3 ? atol(argv[3]) : 0, before = count_faults(), i;
	char *pages = map_pages(nr);

	for (i = 0; pause_us && i < nr; i++) {
		touch(pages + i * page_bytes, 1);
		usleep(pause_us);
	}
	touch(pages, nr);
	rest(map_pages(nr_other), nr_other);
	printf("faults %ld\nbefore %ld\n", count_faults(), before);
	return 0;
}
