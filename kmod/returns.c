// SPDX-License-Identifier: GPL-2.0-only
/* Hooks at the beginning and at the end of calls: see returns.h. */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "gate.h"
#include "returns.h"
#include "rounds.h"
#include "session.h"

/* Calls that run at the same time: what all functions share, and the least and most of each. */
#define RETURNS_BYTES	SZ_8M
#define RETURNS_MIN	16
#define RETURNS_MAX	1024

DEFINE_PER_CPU(bool, returns_busy);

/* kprobes find the place of the hook, which is after the first instruction of some functions. */
static __always_inline unsigned long address_of(const struct hooked_function *function)
{
	return (unsigned long)function->probe.kp.addr;
}

/* The place of the function at @ip, or the empty one for it. */
static __always_inline struct hooked_function **place_of(const struct returns *returns, unsigned long ip)
{
	u32 mask = (1U << returns->place_bits) - 1, i = hash_64(ip, returns->place_bits);
	struct hooked_function *function;

	while ((function = READ_ONCE(returns->place[i])) && address_of(function) != ip)
		i = (i + 1) & mask;
	return &returns->place[i];
}

/*
 * The function of an unloaded module may be another one's address by now. The kretprobe's handler takes
 * memory for the call and replaces its return address, unless the handler of returns_add() refuses.
 */
static void notrace cpuprobe_begin_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
					struct ftrace_regs *regs)
{
	struct returns *returns = container_of(ops, struct returns, ops);
	struct hooked_function *function = *place_of(returns, ip);
	struct kprobe *probe = &function->probe.kp;

	if (unlikely(!function || kprobe_gone(probe)))
		return;
	preempt_disable_notrace();
	if (unlikely(this_cpu_read(returns_busy))) {
		if (gate_is_open(returns->gate))
			atomic_long_inc(&function->missed);
	} else {
		this_cpu_write(returns_busy, true);
		probe->pre_handler(probe, ftrace_get_regs(regs));
		this_cpu_write(returns_busy, false);
	}
	preempt_enable_notrace();
}

/* The calls of each function that may run at the same time. */
static u32 calls_at_once(u32 nr, u32 data_bytes)
{
	return clamp_t(u32, RETURNS_BYTES / (sizeof(struct kretprobe_instance) + data_bytes) / nr, RETURNS_MIN,
		       RETURNS_MAX);
}

u64 returns_memory(u32 nr, u32 data_bytes)
{
	u32 bytes = sizeof(struct kretprobe_instance) + data_bytes;

	if (!nr)
		return 0;
	return nr * (sizeof(struct hooked_function) + compat_kretprobe_bytes(calls_at_once(nr, data_bytes), bytes));
}

int returns_allocate(struct returns *returns, const struct gate *gate, u32 nr, u32 data_bytes)
{
	returns->gate = gate;
	returns->nr = nr;
	returns->data_bytes = data_bytes;
	returns->place_bits = order_base_2(nr) + 1;
	returns->function = __vmalloc(array_size(nr, sizeof(*returns->function)),
				      SESSION_GFP | __GFP_ZERO);
	returns->place = __vmalloc(sizeof(*returns->place) << returns->place_bits, SESSION_GFP | __GFP_ZERO);
	return returns->function && returns->place ? 0 : -ENOMEM;
}

int returns_add(struct returns *returns, u32 number, unsigned long address, void *owner,
		kretprobe_handler_t on_entry, kretprobe_handler_t on_return)
{
	struct hooked_function *function = &returns->function[number];
	int error;

	function->owner = owner;
	function->number = number;
	function->probe = (struct kretprobe){
		.kp.addr = (void *)address, .kp.flags = KPROBE_FLAG_DISABLED,
		.entry_handler = on_entry, .handler = on_return,
		.maxactive = calls_at_once(returns->nr, returns->data_bytes),
		.data_size = returns->data_bytes,
	};
	error = register_kretprobe(&function->probe);
	if (error)
		return error == -ENOMEM ? error : CPUPROBE_FUNCTION_UNTIMED;
	function->is_added = true;
	if (!kprobe_ftrace(&function->probe.kp))
		/* arm64's kprobes do without ftrace; elsewhere ftrace does not find the beginning of this one. */
		return IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) ? CPUPROBE_FUNCTION_UNTIMED :
							      CPUPROBE_FUNCTION_HOOKED;
	/* Hooks that are in place may look at it now. */
	smp_store_release(place_of(returns, address_of(function)), function);
	return CPUPROBE_FUNCTION_HOOKED;
}

static bool should_arm(const struct hooked_function *function)
{
	return function->is_added && !function->is_armed && !function->is_disarmed;
}

/* The places of hooks that are not armed yet, with room for one more. */
static u32 list_new(const struct returns *returns, unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i < returns->nr; i++) {
		struct hooked_function *function = &returns->function[i];
		struct kprobe *probe = &function->probe.kp;

		if (should_arm(function) && kprobe_ftrace(probe) && !kprobe_gone(probe))
			ips[nr++] = address_of(function);
	}
	/* It stays in the filter if all others leave it. */
	if (nr && !returns->is_attached)
		ips[nr++] = rounds_resting();
	return nr;
}

/* Let ftrace call the handler for new functions, without those of a module that has been unloaded since. */
static int set_filter(struct returns *returns, unsigned long *ips, u32 *nr_ret)
{
	u32 nr_before;
	int error;

	*nr_ret = list_new(returns, ips);
	do {
		error = *nr_ret ? ftrace_set_filter_ips(&returns->ops, ips, *nr_ret, 0, 0) : 0;
		if (error != -EINVAL)
			break;
		nr_before = *nr_ret;
		*nr_ret = list_new(returns, ips);
	} while (*nr_ret < nr_before);
	return error;
}

static bool should_be_in_place(struct hooked_function *function)
{
	return READ_ONCE(function->is_armed) && !kprobe_gone(&function->probe.kp);
}

/* Whether the function's own kprobe, which was armed, is not in place. */
static bool is_switched_off(struct hooked_function *function)
{
	struct kprobe *probe = &function->probe.kp;
	kprobe_opcode_t opcode;

	if (!should_be_in_place(function) || get_kernel_nofault(opcode, probe->addr) || opcode != probe->opcode)
		return false;
	/* The hook may be removed right now, or the function's module unloaded. Pairs with returns_unhook(). */
	smp_rmb();
	return should_be_in_place(function);
}

/*
 * Arm the function's own kprobe, where kprobes do without ftrace. While all of them are switched off (by
 * /sys/kernel/debug/kprobes/enabled) the kernel says that it has been armed, and leaves the instruction as it is.
 */
static int arm_alone(struct hooked_function *function)
{
	struct kprobe *probe = &function->probe.kp;

	if (kprobe_gone(probe))
		return 0;
	if (enable_kretprobe(&function->probe))
		return -ENODEV;
	function->is_armed = true;
	return is_switched_off(function) ? -ENODEV : 0;
}

int returns_arm(struct returns *returns)
{
	unsigned long *ips = __vmalloc(array_size(returns->nr + 1, sizeof(*ips)), SESSION_GFP);
	int error;
	u32 nr, i;

	if (!ips)
		return -ENOMEM;
	returns->ops.func = cpuprobe_begin_call;
	if (!returns->is_attached)
		/* Permanent: ftrace cannot be switched off while hooks are in place, so no call is missed. */
		returns->ops.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT;
	error = set_filter(returns, ips, &nr);
	vfree(ips);
	/* A filter of nothing would be one of everything. */
	if (!error && nr && !returns->is_attached) {
		error = register_ftrace_function(&returns->ops);
		returns->is_attached = !error;
		if (error)
			ftrace_free_filter(&returns->ops);
	}
	if (error)
		return error == -ENOMEM ? error : -ENODEV;
	for (i = 0; i < returns->nr; i++) {
		struct hooked_function *function = &returns->function[i];

		if (!should_arm(function))
			continue;
		if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) && arm_alone(function))
			return -ENODEV;
		function->is_armed = true;
	}
	return 0;
}

static void detach(struct returns *returns)
{
	if (!returns->is_attached)
		return;
	unregister_ftrace_function(&returns->ops);
	ftrace_free_filter(&returns->ops);
	returns->is_attached = false;
}

int returns_disarm(struct returns *returns, u32 number)
{
	struct hooked_function *function = &returns->function[number];

	if (!function->is_armed)
		return 0;
	function->is_disarmed = true;
	WRITE_ONCE(function->is_armed, false);
	if (!kprobe_ftrace(&function->probe.kp))
		return disable_kretprobe(&function->probe);
	return ftrace_set_filter_ip(&returns->ops, address_of(function), 1, 0);
}

bool returns_were_switched_off(struct returns *returns)
{
	u32 i;

	/* While hooks are in place, ftrace cannot be switched off: see returns_arm(). */
	if (IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) || READ_ONCE(returns->was_switched_off))
		return READ_ONCE(returns->was_switched_off);
	for (i = 0; i < returns->nr; i++)
		if (is_switched_off(&returns->function[i])) {
			WRITE_ONCE(returns->was_switched_off, true);
			return true;
		}
	return false;
}

void returns_unhook(struct returns *returns)
{
	struct kretprobe **added;
	u32 nr = 0, i;

	if (!returns->function)
		return;
	returns_were_switched_off(returns);
	detach(returns);
	added = kvmalloc_array(returns->nr, sizeof(*added), GFP_KERNEL | __GFP_NOWARN);
	for (i = 0; i < returns->nr; i++)
		WRITE_ONCE(returns->function[i].is_armed, false);
	/* is_switched_off() must not take a hook that is being removed for one that was switched off. */
	smp_wmb();
	for (i = 0; i < returns->nr; i++) {
		if (!returns->function[i].is_added)
			continue;
		/* All at once waits for the CPUs once. Without memory each one waits. */
		if (added)
			added[nr++] = &returns->function[i].probe;
		else
			unregister_kretprobe(&returns->function[i].probe);
		returns->function[i].is_added = false;
	}
	if (nr)
		unregister_kretprobes(added, nr);
	kvfree(added);
}

void returns_free(struct returns *returns)
{
	vfree(returns->function);
	vfree(returns->place);
	returns->function = NULL;
	returns->place = NULL;
}

u64 returns_missed(const struct returns *returns, u32 number)
{
	const struct hooked_function *function = &returns->function[number];
	const struct kretprobe *probe = &function->probe;

	return (u32)READ_ONCE(probe->nmissed) + READ_ONCE(probe->kp.nmissed) + atomic_long_read(&function->missed);
}
