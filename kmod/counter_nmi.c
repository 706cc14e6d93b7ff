// SPDX-License-Identifier: GPL-2.0-only
/* Counters that overflow by NMI: see counter_nmi.h. */
#include <linux/cred.h>
#include <linux/perf_event.h>
#include <linux/smp.h>

#include "arch_nmi.h"
#include "check.h"
#include "counter_nmi.h"

/* A CPU counts so many cycles in a small part of this time. */
#define PROOF_CYCLES	10000
#define PROOF_NS	(2 * NSEC_PER_MSEC)
/* An emulated counter overflows when its busy host finds time for it. */
#define PROOF_TRIES	20

static bool is_proven;		/* once is enough: the kernel's driver asks for NMIs when the machine boots */

/** Answer of a counter. */
struct proof {
	unsigned int cpu;
	bool has_overflowed;	/* in an NMI */
	bool is_in_time;	/* while interrupts were off */
};

static void on_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct proof *proof = event->overflow_handler_context;

	if (in_nmi())
		WRITE_ONCE(proof->has_overflowed, true);
}

/* On the counter's CPU, interrupts off. */
static void wait_for_nmi(void *data)
{
	u64 until_ns = ktime_get_mono_fast_ns() + PROOF_NS;
	struct proof *proof = data;

	WRITE_ONCE(proof->has_overflowed, false);
	while (!READ_ONCE(proof->has_overflowed) && ktime_get_mono_fast_ns() < until_ns)
		cpu_relax();
	proof->is_in_time = READ_ONCE(proof->has_overflowed);
}

int counter_nmi_check(const struct session *session, struct cpuprobe_start *start)
{
	/* The kernel's own counters overflow in whatever context causes the event. */
	if (start->event_type - 1 == PERF_TYPE_SOFTWARE || !arch_may_count_by_nmi())
		return check_refuse(start, CPUPROBE_REASON_NMI, -EOPNOTSUPP);
	return 0;
}

int counter_nmi_prove(const struct session *session, struct cpuprobe_start *start)
{
	struct proof proof = { .cpu = cpumask_any_and(&session->cpus, cpu_online_mask) };
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = PROOF_CYCLES,
	};
	const struct cred *caller;
	struct perf_event *event;
	unsigned int i;

	if (READ_ONCE(is_proven))
		return 0;
	if (proof.cpu >= nr_cpu_ids)
		return check_refuse(start, CPUPROBE_REASON_CPUS, -ENXIO);
	caller = override_creds(session->access.opener);
	event = perf_event_create_kernel_counter(&attr, proof.cpu, NULL, on_overflow, &proof);
	revert_creds(caller);
	if (IS_ERR(event))
		return check_refuse(start, CPUPROBE_REASON_EVENT, PTR_ERR(event));
	for (i = 0; i < PROOF_TRIES && !proof.is_in_time; i++)
		smp_call_function_single(proof.cpu, wait_for_nmi, &proof, true);
	perf_event_release_kernel(event);
	if (!proof.is_in_time)
		return check_refuse(start, CPUPROBE_REASON_NMI, -EOPNOTSUPP);
	WRITE_ONCE(is_proven, true);
	return 0;
}
