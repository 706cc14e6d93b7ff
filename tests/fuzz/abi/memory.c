// SPDX-License-Identifier: GPL-2.0-only
/* Memory for the arguments of calls: see fuzz.h. */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

static void *map(unsigned long addr, unsigned long len, int protection, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;

	return mmap((void *)addr, len, protection, flags | MAP_FIXED_NOREPLACE, fd, 0);
}

bool memory_init(void)
{
	int fd = memfd_create("argument", 0);
	const int both = PROT_READ | PROT_WRITE;

	if (fd < 0 || ftruncate(fd, 4096))
		return false;
	if (map(ARENA, 4096, both, fd) == MAP_FAILED ||
	    map(FIXED, 4096, PROT_READ, fd) == MAP_FAILED ||
	    map(EDGE_END - 0x10000, 0x10000, both, -1) == MAP_FAILED ||
	    map(MASK, 8192, both, -1) == MAP_FAILED ||
	    map(AREAS, BUFFER - AREAS + BUFFER_LEN, both, -1) == MAP_FAILED)
		return false;
	close(fd);
	memory_reset();
	return true;
}

static unsigned char *address_of(const struct call *call, uint32_t len)
{
	switch (call->place) {
	case PLACE_GOOD:
	case PLACE_RACED:
		return (void *)ARGUMENT;
	case PLACE_EDGE:
		return (void *)(EDGE_END - len);
	case PLACE_CUT:
		return (void *)(EDGE_END - call->area_seed % (len ? len : 1));
	case PLACE_FIXED:
		return (void *)(FIXED + (ARGUMENT - ARENA));
	case PLACE_LOW:
		return (void *)8;
	case PLACE_KERNEL:
		return (void *)0xffffffff81000000UL;
	case PLACE_TOP:
		return (void *)-8UL;
	default:
		return NULL;
	}
}

void *memory_argument(const struct call *call, uint32_t len)
{
	unsigned char *address = address_of(call, len);

	if (call->place == PLACE_CUT)
		memcpy(address, &call->arg, EDGE_END - (unsigned long)address);
	else if (call->place == PLACE_FIXED)
		memcpy((void *)ARGUMENT, &call->arg, len);
	else if (call->place <= PLACE_RACED)
		memcpy(address, &call->arg, len);
	return address;
}

static bool is_canary(unsigned long from, unsigned long to)
{
	const unsigned char *byte;

	for (byte = (void *)from; byte < (unsigned char *)to; byte++)
		if (*byte != CANARY)
			return false;
	return true;
}

bool memory_is_sound(const struct call *call, uint32_t len)
{
	unsigned long address = (unsigned long)address_of(call, len), end;
	bool is_sound = true;

	if (call->place == PLACE_GOOD)
		is_sound = is_canary(address - 64, address) &&
			is_canary(address + len, address + len + 64);
	else if (call->place == PLACE_EDGE || call->place == PLACE_CUT)
		is_sound = is_canary(address - 64, address);
	else if (call->place == PLACE_FIXED)
		is_sound = !memcmp((void *)ARGUMENT, &call->arg, len);
	if (call->place == PLACE_FIXED)
		address = ARGUMENT;
	else if (call->place > PLACE_RACED)
		return true;
	end = call->place == PLACE_EDGE || call->place == PLACE_CUT ? EDGE_END : address + len;
	memset((void *)address, CANARY, end - address);
	return is_sound;
}

bool memory_is_clean(uint32_t from)
{
	return is_canary(BUFFER + from, BUFFER + BUFFER_LEN);
}

void memory_reset(void)
{
	memset((void *)ARENA, CANARY, 4096);
	memset((void *)(EDGE_END - 4096), CANARY, 4096);
	memset((void *)MASK, 0, 8192);
	*(uint64_t *)MASK = ~0ULL;
	memory_clean();
}

void memory_clean(void)
{
	memset((void *)BUFFER, CANARY, BUFFER_LEN);
}
