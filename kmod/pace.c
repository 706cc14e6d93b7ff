// SPDX-License-Identifier: GPL-2.0-only
/* How often a counter may interrupt: see pace.h. */
#include "pace.h"

bool pace_admits(struct pace *pace, u64 now_ns, bool has_fast_path)
{
	u64 paid_ns = pace->prepaid * pace->claimed_ns;
	u64 full_ns = (pace->full_ns > now_ns + paid_ns ? pace->full_ns : now_ns + paid_ns) - paid_ns;
	u64 batch = has_fast_path && full_ns <= now_ns ? PACE_BURST : 1;
	bool is_full = full_ns > now_ns + PACE_BURST * pace->claimed_ns;

	pace->full_ns = full_ns + batch * pace->claimed_ns;
	pace->prepaid = batch - 1;
	if (is_full)
		pace->skip += pace->skip < PACE_SKIP_MAX;
	else
		pace->skip -= pace->skip > 0;
	return !is_full;
}

bool pace_slow(struct pace *pace)
{
	if (pace->claimed_ns > CPUPROBE_PERIOD_MAX_NS / 2)
		return false;
	pace->claimed_ns *= 2;
	return true;
}
