// SPDX-License-Identifier: GPL-2.0-only
/* Kretprobes on many functions: see returns.h. */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "returns.h"
#include "session.h"

/* Memory for calls that run at the same time, for all functions together, and for each. */
#define RETURNS_BYTES	SZ_8M
#define RETURNS_MIN	16
#define RETURNS_MAX	1024

int returns_allocate(struct returns *returns, u32 nr, u32 data_bytes)
{
	returns->nr = nr;
	returns->data_bytes = data_bytes;
	returns->function = __vmalloc(array_size(nr, sizeof(*returns->function)),
				      SESSION_GFP | __GFP_ZERO);
	return returns->function ? 0 : -ENOMEM;
}

int returns_hook(struct returns *returns, u32 number, unsigned long address, void *owner,
		 kretprobe_handler_t on_entry, kretprobe_handler_t on_return)
{
	struct hooked_function *function = &returns->function[number];
	u32 nr = RETURNS_BYTES / (sizeof(struct kretprobe_instance) + returns->data_bytes) /
		returns->nr;
	int error;

	function->owner = owner;
	function->number = number;
	function->probe = (struct kretprobe){
		.kp.addr = (void *)address, .entry_handler = on_entry, .handler = on_return,
		.maxactive = clamp_t(u32, nr, RETURNS_MIN, RETURNS_MAX),
		.data_size = returns->data_bytes,
	};
	error = register_kretprobe(&function->probe);
	function->is_hooked = !error;
	if (error == -ENOMEM)
		return error;
	return function->is_hooked ? CPUPROBE_FUNCTION_HOOKED : CPUPROBE_FUNCTION_UNTIMED;
}

void returns_unhook(struct returns *returns)
{
	struct kretprobe **hooked;
	u32 nr = 0, i;

	if (!returns->function)
		return;
	hooked = kvmalloc_array(returns->nr, sizeof(*hooked), GFP_KERNEL | __GFP_NOWARN);
	for (i = 0; i < returns->nr; i++) {
		if (!returns->function[i].is_hooked)
			continue;
		/* All at once waits for the CPUs once. Without memory each one waits. */
		if (hooked)
			hooked[nr++] = &returns->function[i].probe;
		else
			unregister_kretprobe(&returns->function[i].probe);
		returns->function[i].is_hooked = false;
	}
	if (nr)
		unregister_kretprobes(hooked, nr);
	kvfree(hooked);
}

void returns_free(struct returns *returns)
{
	vfree(returns->function);
	returns->function = NULL;
}

u64 returns_missed(const struct returns *returns, u32 number)
{
	const struct kretprobe *probe = &returns->function[number].probe;

	return (u32)READ_ONCE(probe->nmissed) + READ_ONCE(probe->kp.nmissed);
}
