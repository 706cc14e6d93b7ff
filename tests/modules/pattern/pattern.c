// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: leaves a pattern in memory, which the next owner finds unless the memory is cleared.
 * Writing to the parameter heap fills memory of all kinds and sizes that a module may be given, and
 * frees it again; reading the parameter returns the percentage of new, uncleared memory that has
 * the pattern.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#define PATTERN		0xc3a5f1969b87d2e4ULL
#define SLAB_BYTES	(512UL << 10)	/* objects of each size */
#define PAGES_BYTES	(8UL << 20)	/* blocks of several pages, and single pages */
#define NR_TRIED	64

/* Allocated blocks form a list through their first words, which hold the pattern too when freed. */
struct held {
	struct held *next;
};

static struct held *hold(struct held *next, void *object, size_t size)
{
	struct held *held = object;

	memset64(object, PATTERN, size / sizeof(u64));
	held->next = next;
	return held;
}

static struct held *let_go(struct held *held)
{
	struct held *next = held->next;

	*(u64 *)held = PATTERN;
	kvfree(held);
	return next;
}

static void fill(size_t size, size_t total, gfp_t flags, bool is_virtual)
{
	struct held *all = NULL;
	size_t sum;
	void *object;

	for (sum = 0; sum < total; sum += size) {
		object = is_virtual ? __vmalloc(size, flags) : kmalloc(size, flags | __GFP_NOWARN);
		if (!object)
			break;
		all = hold(all, object, size);
	}
	while (all)
		all = let_go(all);
}

static int heap_set(const char *value, const struct kernel_param *param)
{
	size_t size;

	fill(PAGE_SIZE, PAGES_BYTES, GFP_KERNEL, true);
	fill(32768, PAGES_BYTES, GFP_KERNEL, false);
	for (size = 8; size <= KMALLOC_MAX_CACHE_SIZE; size *= 2) {
		fill(size, SLAB_BYTES, GFP_KERNEL, false);
		fill(size, SLAB_BYTES, GFP_KERNEL_ACCOUNT, false);
	}
	fill(96, SLAB_BYTES, GFP_KERNEL_ACCOUNT, false);
	fill(192, SLAB_BYTES, GFP_KERNEL_ACCOUNT, false);
	return 0;
}

static bool has_pattern(const u64 *object, size_t size)
{
	size_t i;

	for (i = 0; i < size / sizeof(u64); i++)
		if (object[i] == PATTERN)
			return true;
	return false;
}

static unsigned int percent_dirty(size_t size)
{
	void *object[NR_TRIED];
	unsigned int i, nr = 0;

	for (i = 0; i < NR_TRIED; i++) {
		object[i] = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		nr += object[i] && has_pattern(object[i], size);
	}
	for (i = 0; i < NR_TRIED; i++)
		kvfree(object[i]);
	return nr * 100 / NR_TRIED;
}

/* The smallest percentage over the sizes that sessions ask for. */
static int heap_get(char *buffer, const struct kernel_param *param)
{
	static const size_t sizes[] = { 64, 1024, 2048, 4096, 28000 };
	unsigned int least = 100, i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		least = min(least, percent_dirty(sizes[i]));
	return sysfs_emit(buffer, "%u\n", least);
}

static const struct kernel_param_ops heap_ops = { .set = heap_set, .get = heap_get };
module_param_cb(heap, &heap_ops, NULL, 0600);
MODULE_PARM_DESC(heap, "write: fill memory; read: percent of new memory that was filled");

static int __init pattern_init(void)
{
	return 0;
}

static void __exit pattern_exit(void)
{
}

module_init(pattern_init);
module_exit(pattern_exit);
MODULE_DESCRIPTION("leaves a pattern in freed memory, for tests");
MODULE_LICENSE("GPL");
