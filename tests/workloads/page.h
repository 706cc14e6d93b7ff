/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes of pages: 4 KiB on x86, and 4, 16 or 64 KiB on arm64, as the kernel was built. */
#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>
#include <unistd.h>

/** PAGE_MAX_BYTES - the largest page of any kernel: addresses and lengths that are multiples suit all. */
#define PAGE_MAX_BYTES	0x10000UL

/** page_bytes - the size of this kernel's pages. */
static size_t page_bytes;

__attribute__((constructor)) static void page_init(void)
{
	page_bytes = sysconf(_SC_PAGESIZE);
}

#endif
