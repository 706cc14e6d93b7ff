// SPDX-License-Identifier: GPL-2.0-only
/* Keeps sessions within their limits while they run: see guard.h. */
#include <linux/moduleparam.h>

#include "cost.h"
#include "guard.h"
#include "quota.h"

static bool slow_down = true;
module_param(slow_down, bool, 0444);
MODULE_PARM_DESC(slow_down, "halve a rate that misses over a quarter of its periods in 10 s, "
		 "or costs more than calibrated (on)");

#define WINDOW_NS	(10ULL * NSEC_PER_SEC)

static u64 handler_limit_ns(const struct cpu_sampler *sampler)
{
	return (u64)cost_of_handler_ns(sampler->session->cost_ns) << sampler->cost_shift;
}

static void begin_guard_window(struct cpu_sampler *sampler)
{
	sampler->guard_expected = 0;
	sampler->guard_missed = 0;
	sampler->guard_timed = 0;
	sampler->guard_clipped_ns = 0;
}

/* False: not now. The period of an event stays as it is: at most half as many samples are taken in a second. */
static bool halve_rate(struct cpu_sampler *sampler, u64 now_ns)
{
	if (sampler->session->counts_events)
		return pace_slow(&sampler->counter.pace);
	if (!grid_slow(&sampler->grid, now_ns))
		return false;
	sampler->account.flags |= CPUPROBE_ACCOUNT_SLOWED;
	return true;
}

/*
 * Halve the rate. If the reason is cost, let each sample cost twice as much: rate times cost stays
 * the same.
 */
static void slow_sampler(struct cpu_sampler *sampler, u64 now_ns)
{
	struct cpuprobe_account *account = &sampler->account;

	/* If that is refused now, the next swap tries again. */
	if (!halve_rate(sampler, now_ns))
		return;
	if (sampler->is_over_claim) {
		account->flags |= CPUPROBE_ACCOUNT_COSTLY;
		sampler->is_over_claim = false;
		sampler->cost_shift++;
		sampler->handler_limit_ns = handler_limit_ns(sampler);
	}
	begin_guard_window(sampler);
}

void guard_look(struct cpu_sampler *sampler, const struct bank *bank, u64 now_ns)
{
	struct cpuprobe_account *account = &sampler->account;
	bool counts_events = sampler->session->counts_events, is_over, misses_much;

	if (sampler->session->state != SESSION_RUNNING)
		return;
	/* Events come as they come: a session of events is judged once it has used its claim for 10 s. */
	sampler->guard_expected += counts_events ? account->taken : account->expected;
	sampler->guard_missed += account->missed - bank->lost_time;
	sampler->guard_timed += bank->timed;
	sampler->guard_clipped_ns += bank->clipped_ns;
	is_over = sampler->guard_expected * sampler->grid.period_ns >= WINDOW_NS;
	misses_much = is_over && !counts_events && sampler->guard_missed * 4 > sampler->guard_expected;
	if (slow_down && (misses_much || sampler->is_over_claim)) {
		slow_sampler(sampler, now_ns);
		return;
	}
	if (!is_over)
		return;
	sampler->is_costly = sampler->guard_clipped_ns >
		sampler->guard_timed * sampler->handler_limit_ns;
	begin_guard_window(sampler);
}

void guard_settle(struct session *session, struct cpu_sampler *sampler)
{
	if (!sampler->is_costly)
		return;
	sampler->is_costly = false;
	/* Another CPU of the session may have raised the claim already. */
	if (sampler->handler_limit_ns >= handler_limit_ns(sampler))
		sampler->is_over_claim = quota_raise(session) != 0;
	WRITE_ONCE(sampler->handler_limit_ns, handler_limit_ns(sampler));
}
