// SPDX-License-Identifier: GPL-2.0-only
/* The sampling instants of one CPU in events: see meter.h. */
#include "grid.h"
#include "meter.h"

/* An instant of a period, 0 to @period - 1 events after its first one. */
static u64 draw_instant(struct meter *meter)
{
	/* The multiplier of grid_random(). */
	meter->random = meter->random * 0xd1342543de82ef95ULL + 1;
	if (meter->jitter == CPUPROBE_JITTER_NONE)
		return meter->period / 2;
	return ((meter->random >> 32) * meter->period) >> 32;
}

u64 meter_init(struct meter *meter, u64 period, u32 jitter, u64 seed, u32 stream)
{
	memset(meter, 0, sizeof(*meter));
	meter->period = period;
	meter->jitter = jitter;
	meter->random = grid_seed(seed, stream);
	return draw_instant(meter) + 1;
}

/* Event number n, the first one 1, belongs to period (n - 1) / @period. */
struct meter_step meter_sample(struct meter *meter, u64 instant, u64 next)
{
	struct meter_step step = { .is_due = false };
	u64 index = div64_u64(instant - 1, meter->period);
	u64 after = div64_u64(next - 1, meter->period) + 1, target;

	if (index >= meter->index) {
		step.is_due = true;
		step.missed = index - meter->index;
		meter->index = index + 1;
	}
	/* The next overflow may come too early, after a late one: it is ignored, and the one after is early too. */
	if (after < meter->index)
		after = meter->index;
	target = after * meter->period + draw_instant(meter) + 1;
	step.gap = target - next;
	return step;
}

u64 meter_expected(const struct meter *meter, u64 events)
{
	u64 passed = div64_u64(events, meter->period);

	return passed > meter->index ? passed : meter->index;
}

u64 meter_pending(const struct meter *meter, u64 events)
{
	return meter_expected(meter, events) - meter->index;
}

u64 meter_end(struct meter *meter, u64 events)
{
	u64 pending = meter_pending(meter, events);

	meter->index += pending;
	return pending;
}
