// SPDX-License-Identifier: GPL-2.0-only
/* Ascending ranges of addresses: see spans.h. */
#include <errno.h>
#include <stdlib.h>

#include "spans.h"

int spans_init(struct spans *spans, size_t nr_max)
{
	*spans = (struct spans){ .list = malloc((nr_max + 1) * sizeof(*spans->list)) };
	return spans->list ? 0 : -ENOMEM;
}

/* Begins a base. The number of bases is a power of two before the memory grows. */
static int add_base(struct spans *spans, u64 addr)
{
	size_t nr = spans->nr_bases;
	struct span_base *more;

	if (!(nr & (nr - 1))) {
		more = reallocarray(spans->bases, nr ? 2 * nr : 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		spans->bases = more;
	}
	spans->bases[spans->nr_bases++] = (struct span_base){ addr, spans->nr };
	return 0;
}

int spans_add(struct spans *spans, u64 start, u64 end)
{
	u64 len = end - start;

	if ((!spans->nr_bases || start - spans->bases[spans->nr_bases - 1].addr > UINT32_MAX) &&
	    add_base(spans, start))
		return -ENOMEM;
	spans->list[spans->nr++] = (struct span){
		.start = start - spans->bases[spans->nr_bases - 1].addr,
		.len = len < UINT32_MAX ? len : UINT32_MAX,
	};
	return 0;
}

/* Finds the last base at or below an address. The first one must be. */
static size_t find_base(const struct spans *spans, u64 addr)
{
	size_t low = 0, high = spans->nr_bases;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (spans->bases[middle].addr <= addr)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool spans_find(const struct spans *spans, u64 addr, size_t *at_ret, u64 *start_ret, u64 *end_ret)
{
	const struct span_base *base;
	const struct span *span;
	size_t low, high;
	u64 distance;

	if (!spans->nr_bases || addr < spans->bases[0].addr)
		return false;
	base = &spans->bases[find_base(spans, addr)];
	distance = addr - base->addr;
	low = base->first;
	high = base + 1 < spans->bases + spans->nr_bases ? base[1].first : spans->nr;
	/* The last span that begins at or below the address. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (spans->list[middle].start <= distance)
			low = middle;
		else
			high = middle;
	}
	span = &spans->list[low];
	if (distance - span->start >= span->len)
		return false;
	*at_ret = low;
	*start_ret = base->addr + span->start;
	*end_ret = *start_ret + span->len;
	return true;
}

size_t spans_bytes(const struct spans *spans)
{
	return spans->nr * sizeof(*spans->list) + spans->nr_bases * sizeof(*spans->bases);
}

void spans_deinit(struct spans *spans)
{
	free(spans->list);
	free(spans->bases);
	*spans = (struct spans){ 0 };
}
