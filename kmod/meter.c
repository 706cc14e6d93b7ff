// SPDX-License-Identifier: GPL-2.0-only
/* The sampling instants of one CPU in events: see meter.h. */
#include "grid.h"
#include "meter.h"

/* The first instant that may be drawn in a period: event number 1 is in period 0. */
static u64 first_instant(const struct meter *meter, u64 index)
{
	return index * meter->period + (meter->period - meter->spread) / 2 + 1;
}

u64 meter_init(struct meter *meter, u64 period, u32 jitter, u64 seed, u32 stream)
{
	memset(meter, 0, sizeof(*meter));
	meter->period = period;
	meter->spread = jitter == CPUPROBE_JITTER_NONE ? 1 : period;
	meter->random = grid_seed(seed, stream) ?: 1;
	return first_instant(meter, 0) + meter_draw(meter);
}

/* Event number n, the first one 1, belongs to period (n - 1) / @period. */
struct meter_step meter_sample(struct meter *meter, u64 instant, u64 next)
{
	struct meter_step step = { .is_due = false };
	u64 index = div64_u64(instant - 1, meter->period);
	u64 after = div64_u64(next - 1, meter->period) + 1, target;
	bool is_on_time;

	if (index >= meter->index) {
		step.is_due = true;
		step.missed = index - meter->index;
		meter->index = index + 1;
	}
	/* The next overflow may come too early, after a late one: it is ignored, and the one after is early too. */
	is_on_time = after == meter->index + 1;
	if (after < meter->index)
		after = meter->index;
	target = first_instant(meter, after) + meter_draw(meter);
	meter->planned = is_on_time ? target : 0;
	meter->after = first_instant(meter, after + 1);
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
	meter->planned = 0;
	return pending;
}

u64 meter_go_on(struct meter *meter, u64 events)
{
	u64 index = meter_expected(meter, events), spread = meter->spread;
	u64 first = first_instant(meter, index), passed = events < first ? 0 : events + 1 - first;

	if (passed >= spread) {
		/* Without jitter: its only instant is over, so that it will be missed. */
		first += meter->period;
	} else {
		first += passed;
		spread -= passed;
	}
	return first + meter_draw_below(meter, spread) - events;
}
