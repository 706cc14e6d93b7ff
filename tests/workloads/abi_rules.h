/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules that the module must obey: which values a field may hold, and how a call ends. They
 * follow the text of uapi/cpuprobe.h, never the module's code. abi.c tries every rule at its
 * limits; the fuzzer (tests/fuzz/abi) judges random calls by the rules. A new field, limit or
 * command is one row here.
 */
#ifndef ABI_RULES_H
#define ABI_RULES_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "device.h"

/* Kinds of sessions with different fields, as bits. */
#define IN_UNKNOWN	1u		/* no such kind exists */
#define IN_SYSTEM	(1u << CPUPROBE_WHAT_SYSTEM)
#define IN_PROCESS	(1u << CPUPROBE_WHAT_PROCESS)	/* in user mode */
#define IN_LATE		(1u << CPUPROBE_WHAT_LATE)
#define IN_STACKS	(1u << CPUPROBE_WHAT_STACKS)
#define IN_KERNEL	(1u << 31)			/* process in kernel mode */
#define IN_ALL		~0u

/** REASON() - an enum cpuprobe_reason as a bit; is_reason() - whether @reason is among @reasons. */
#define REASON(name)	(1u << CPUPROBE_REASON_##name)

static inline bool is_reason(unsigned int reasons, __u32 reason)
{
	return reason < 32 && reasons >> reason & 1;
}

/** struct rule - values of a field: @none in all sessions; in some kinds also a range. */
struct rule {
	const char *field;
	size_t at, len;		/* its bytes in the argument */
	unsigned int reason;	/* START refuses other values with this enum cpuprobe_reason */
	unsigned int kinds;	/* kinds of sessions that allow the range */
	__u64 least, most;	/* inclusive; signed or not: modulo 2^(8 * len) */
	__u64 none;
	bool is_name;		/* names a file, a process or memory, which must exist too */
};

#define RULE(type, name, why, sessions, from, to, otherwise, ...) { .field = #name, \
	.at = offsetof(struct cpuprobe_##type, name), \
	.len = sizeof(((struct cpuprobe_##type *)0)->name), .reason = CPUPROBE_REASON_##why, \
	.kinds = sessions, .least = from, .most = to, .none = otherwise, __VA_ARGS__ }

/* Each row: field, reason, kinds of sessions, least, most, value in all other kinds. */
static const struct rule start_rules[] = {
	RULE(start, what, FIELD, IN_ALL, CPUPROBE_WHAT_SYSTEM, CPUPROBE_WHAT_STACKS,
	     CPUPROBE_WHAT_SYSTEM),
	RULE(start, jitter, FIELD, IN_ALL, CPUPROBE_JITTER_GRID, CPUPROBE_JITTER_NONE, 0),
	RULE(start, period_ns, PERIOD, IN_ALL, 50000, 1000000000, 50000),
	RULE(start, cpus, CPUS, IN_ALL, 0, ~0ULL, 0, .is_name = true),
	RULE(start, cpus_len, CPUS, IN_ALL, 0, 8192, 0),
	RULE(start, exe_fd, FIELD, IN_PROCESS | IN_KERNEL | IN_STACKS, INT_MIN, INT_MAX, -1,
	     .is_name = true),
	RULE(start, pid, FIELD, IN_PROCESS | IN_KERNEL | IN_STACKS, 0, ~0u, 0, .is_name = true),
	RULE(start, mode, FIELD, IN_PROCESS, CPUPROBE_MODE_USER, CPUPROBE_MODE_USER,
	     CPUPROBE_MODE_KERNEL),
	RULE(start, object, FIELD, IN_PROCESS, CPUPROBE_OBJECT_UNPLACED, CPUPROBE_OBJECTS - 1,
	     CPUPROBE_OBJECT_EXE),
	RULE(start, by, FIELD, IN_SYSTEM, CPUPROBE_BY_EXE, CPUPROBE_BY_CGROUP, 0),
	RULE(start, flags, FIELD, IN_ALL, 0,
	     CPUPROBE_START_EXCLUDE_DEFERRED | CPUPROBE_START_IDLE_SLEEP |
	     CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB | CPUPROBE_START_NMI, 0),
	RULE(start, low, FIELD, IN_PROCESS | IN_KERNEL, 0, ~0ULL, 0),
	RULE(start, high, FIELD, IN_PROCESS | IN_KERNEL, 0, ~0ULL, 0),
	RULE(start, code_start, FIELD, IN_PROCESS, 0, ~0ULL, 0),
	RULE(start, cgroup_fd, FIELD, IN_STACKS, -1, INT_MAX, -1, .is_name = true),
	RULE(start, frames, FIELD, IN_STACKS, CPUPROBE_FRAMES_USER,
	     CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL, 0),
	RULE(start, stack_kib, FIELD, IN_STACKS, CPUPROBE_STACK_KIB_MIN, CPUPROBE_STACK_KIB_MAX, 0),
	RULE(start, unwind_kib, FIELD, IN_STACKS, CPUPROBE_UNWIND_KIB_MIN, ~0u, 0),
	RULE(start, event_type, FIELD, IN_ALL & ~IN_LATE, 0, ~0u, 0, .is_name = true),
	RULE(start, event_flags, FIELD, IN_ALL & ~IN_LATE, 0, CPUPROBE_EVENT_NO_KERNEL, 0),
	RULE(start, reserved, FIELD, IN_ALL, 0, 0, 0),
	RULE(start, event_config, FIELD, IN_ALL & ~IN_LATE, 0, ~0ULL, 0, .is_name = true),
	RULE(start, event_config1, FIELD, IN_ALL & ~IN_LATE, 0, ~0ULL, 0, .is_name = true),
	RULE(start, event_period, FIELD, IN_ALL & ~IN_LATE, 0, CPUPROBE_EVENTS_MAX, 0),
};

static const struct rule harvest_rules[] = {
	RULE(harvest, flags, NONE, IN_ALL, 0, CPUPROBE_HARVEST_DUE, 0),
	RULE(harvest, reserved, NONE, IN_ALL, 0, 0, 0),
};

static const struct rule areas_rules[] = {
	RULE(areas, nr_areas, NONE, IN_ALL, 0, CPUPROBE_AREAS_MAX, 0),
	RULE(areas, flags, NONE, IN_ALL, 0, CPUPROBE_AREAS_EXACT, 0),
};

enum session_state { SESSION_NEW, SESSION_RUNNING, SESSION_STOPPED, SESSION_STATES };

/** struct command - a call of the device. */
struct command {
	unsigned int number;		/* ioctl number, which holds the size of the argument */
	int error[SESSION_STATES];	/* errno of a call with valid fields; 0: success */
	const struct rule *rules;	/* rules of its fields, except size and version */
	unsigned int nr_rules;
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define COMMAND(name) (&commands[_IOC_NR(CPUPROBE_IOC_##name)])
#define COMMAND_RULES(name, new, running, stopped, ...) [_IOC_NR(CPUPROBE_IOC_##name)] = \
	{ CPUPROBE_IOC_##name, { new, running, stopped }, __VA_ARGS__ }

static const struct command commands[] = {
	COMMAND_RULES(INFO, 0, 0, 0, NULL, 0),
	COMMAND_RULES(START, 0, EBUSY, EBUSY, start_rules, NR(start_rules)),
	COMMAND_RULES(STOP, EINVAL, 0, 0, NULL, 0),
	COMMAND_RULES(HARVEST, EINVAL, 0, 0, harvest_rules, NR(harvest_rules)),
	COMMAND_RULES(AREAS, 0, 0, 0, areas_rules, NR(areas_rules)),
	COMMAND_RULES(EXE, EINVAL, 0, 0, NULL, 0),	/* for sessions of stacks */
};

/** is_head_right() - check that an argument begins with its size and the version. */
static inline bool is_head_right(const struct command *command, const void *argument)
{
	const __u32 *head = argument;

	return head[0] == _IOC_SIZE(command->number) && head[1] == CPUPROBE_ABI_VERSION;
}

/** rule_allows() - check whether the field may hold @value in sessions of these kinds. */
static inline bool rule_allows(const struct rule *rule, __u64 value, unsigned int kinds)
{
	__u64 mask = ~0ULL >> (64 - 8 * rule->len);

	if (!((value - rule->none) & mask))
		return true;
	return kinds & rule->kinds &&
		((value - rule->least) & mask) <= ((rule->most - rule->least) & mask);
}

/** wrong_fields() - reasons to refuse an argument for a single field, as bits. */
static inline unsigned int wrong_fields(const struct command *command, const void *argument,
					unsigned int kinds)
{
	const struct rule *rule;
	unsigned int wrong = 0;

	for (rule = command->rules; rule < command->rules + command->nr_rules; rule++) {
		__u64 value = 0;

		memcpy(&value, (const char *)argument + rule->at, rule->len);
		if (!rule_allows(rule, value, kinds))
			wrong |= 1u << rule->reason;
	}
	return wrong;
}

/** start_kind() - kind of the session, as one bit. */
static inline unsigned int start_kind(const struct cpuprobe_start *start)
{
	if (start->what == CPUPROBE_WHAT_PROCESS && start->mode == CPUPROBE_MODE_KERNEL)
		return IN_KERNEL;
	return start->what <= CPUPROBE_WHAT_STACKS ? 1u << start->what : IN_UNKNOWN;
}

/** is_unwinding_right() - check that tables are asked for where there are user frames, and only there. */
static inline bool is_unwinding_right(const struct cpuprobe_start *start)
{
	if (!(start->flags & CPUPROBE_START_UNWIND))
		return !start->unwind_kib && !(start->flags & CPUPROBE_START_DISTURB);
	return start_kind(start) == IN_STACKS && start->frames & CPUPROBE_FRAMES_USER;
}

/** is_event_right() - check that an event is one that can be sampled, and complete. */
static inline bool is_event_right(const struct cpuprobe_start *start)
{
	enum { SOFTWARE = 1 + 1, TRACEPOINT = 2 + 1, BREAKPOINT = 5 + 1, CLOCKS = 2 };

	if (!start->event_type)
		return !start->event_flags && !start->event_config && !start->event_config1 &&
			!start->event_period;
	return start->event_period && start->event_type != TRACEPOINT &&
		start->event_type != BREAKPOINT && start->jitter != CPUPROBE_JITTER_POISSON &&
		!(start->flags & CPUPROBE_START_IDLE_SLEEP) &&
		(start->event_type != SOFTWARE || start->event_config >= CLOCKS) &&
		(start_kind(start) != IN_LATE || start->flags & CPUPROBE_START_NMI);
}

/** is_nmi_right() - check that NMIs are asked for where the CPU is not to sleep. */
static inline bool is_nmi_right(const struct cpuprobe_start *start)
{
	if (start_kind(start) == IN_LATE && start->flags & ~CPUPROBE_START_NMI)
		return false;
	return !(start->flags & CPUPROBE_START_NMI) ||
		!(start->flags & CPUPROBE_START_IDLE_SLEEP);
}

/** wrong_start() - all reasons to refuse START for the values of its fields, as bits. */
static inline unsigned int wrong_start(const struct cpuprobe_start *start)
{
	unsigned int kind = start_kind(start), wrong = wrong_fields(COMMAND(START), start, kind);

	if (start->flags & CPUPROBE_START_IDLE_SLEEP && start->jitter == CPUPROBE_JITTER_POISSON)
		wrong |= REASON(FIELD);
	if ((kind == IN_STACKS && !start->frames) || !is_unwinding_right(start) ||
	    !is_event_right(start) || !is_nmi_right(start))
		wrong |= REASON(FIELD);
	if (!start->cpus != !start->cpus_len)
		wrong |= REASON(CPUS);
	if (kind & (IN_PROCESS | IN_KERNEL) && start->low >= start->high)
		wrong |= REASON(RANGE);
	return wrong;
}

/** start_reasons() - reasons that START may give root with @error; 0: this error is wrong. */
static inline unsigned int start_reasons(const struct cpuprobe_start *start, int error)
{
	unsigned int wrong = wrong_start(start);

	/* The kernel's own errors for an event that it does not know. */
	if (start->event_type && !wrong && (error == EINVAL || error == ENOENT || error == EOPNOTSUPP))
		return REASON(EVENT) | (start->flags & CPUPROBE_START_NMI ? REASON(NMI) : 0);
	switch (error) {
	case EINVAL:
		return wrong;
	case ESRCH:
	case EBADF:
		return REASON(TARGET);
	case EBUSY:
		return REASON(NONE) | REASON(RATE) | REASON(OVERHEAD) | REASON(SLEEPERS) |
			REASON(CPU_SESSIONS) | REASON(UNHOOKING) | REASON(NMI_SESSIONS);
	case ENXIO:
		return start->flags & CPUPROBE_START_NMI ? REASON(NEIGHBOUR) : 0;
	case EOPNOTSUPP:
		return REASON(NO_HOOKS) | (start->flags & CPUPROBE_START_NMI ? REASON(NMI) : 0);
	case EFAULT:
	case ENOMEM:
		return REASON(NONE);
	default:
		return 0;
	}
}

/** is_only_answered() - check that START changed no field of the request except its outputs. */
static inline bool is_only_answered(const struct cpuprobe_start *asked,
				    struct cpuprobe_start answer)
{
	answer.seed = asked->seed;
	answer.reason = asked->reason;
	answer.holder_pid = asked->holder_pid;
	answer.holder_rate_hz = asked->holder_rate_hz;
	answer.used_rate_hz = asked->used_rate_hz;
	answer.used_overhead_ppm = asked->used_overhead_ppm;
	memcpy(answer.holder_comm, asked->holder_comm, sizeof(answer.holder_comm));
	return !memcmp(&answer, asked, sizeof(answer));
}

/** harvest_bytes() - minimum buffer_len of HARVEST for a session started with @start. */
static inline size_t harvest_bytes(const struct cpuprobe_start *start)
{
	switch (start->what) {
	case CPUPROBE_WHAT_SYSTEM:
		return CPUPROBE_RECORDS * sizeof(struct cpuprobe_record);
	case CPUPROBE_WHAT_PROCESS:
		return (CPUPROBE_OBJECTS + CPUPROBE_SLOTS) * sizeof(__u64);
	case CPUPROBE_WHAT_LATE:
		return sizeof(struct cpuprobe_lateness);
	default:
		return (start->stack_kib ? start->stack_kib : CPUPROBE_STACK_KIB) * 512;
	}
}

static inline bool is_area_right(const struct cpuprobe_area *area)
{
	if (area->start >= area->end || area->object >= CPUPROBE_OBJECTS)
		return false;
	if (!area->pid)		/* the kernel has one address space and no executable */
		return !area->space && area->object >= CPUPROBE_OBJECT_FIRST;
	return area->object == CPUPROBE_OBJECT_EXE || area->object >= CPUPROBE_OBJECT_FIRST;
}

/** are_areas_right() - check that each area is valid, and that they ascend without overlap. */
static inline bool are_areas_right(const struct cpuprobe_area *area, __u32 nr)
{
	__u32 i;

	for (i = 0; i < nr; i++) {
		if (!is_area_right(&area[i]))
			return false;
		if (i && (area[i].pid < area[i - 1].pid || (area[i].pid == area[i - 1].pid &&
							   area[i].start < area[i - 1].end)))
			return false;
	}
	return true;
}

#endif
