/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engines that a device can be: the module; BPF programs where no module may be loaded; and perf
 * events of the user's own threads for those who may use neither. All deliver the same accounts and
 * entries (cpuprobe.h), so that nothing above device.c can tell them apart. Only device.c calls these functions;
 * device.h documents what they promise.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "run/device.h"
#include "run/receipt_own.h"

struct engine {
	/* Fills in fd and info of a @device whose only other field in use is @engine. */
	int (*open)(struct device *device, struct text_error *error_ret);
	/* A need of the session that this engine cannot serve, in a few words; NULL: none. */
	const char *(*lacks)(const struct cpuprobe_start *start);
	/* @start, kind and CPUs of the device are set. After a failure it may be called again. */
	int (*start)(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		     size_t nr_cpus, struct text_error *error_ret);
	int (*set_areas)(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
			 bool is_exact, struct text_error *error_ret);
	/*
	 * The counts of a CPU of the session since the account @ack, which is not asked for again.
	 * CPUs are asked in the order of START. An account with the number @ack: nothing is new.
	 * The entries belong to the engine and are valid until its next call.
	 */
	int (*harvest)(struct device *device, u32 cpu, u64 ack, bool only_due,
		       struct cpuprobe_account *account_ret, const void **entries_ret,
		       struct text_error *error_ret);
	int (*open_exe)(const struct device *device, u32 cpu,
			const struct cpuprobe_account *account, u32 exe);
	/* Threads and time that were not sampled; NULL: only accounts tell. */
	void (*coverage)(const struct device *device, struct receipt_own *own_ret);
	/* Begins it anew; NULL: there is none. A session is running. */
	void (*restart_coverage)(struct device *device);
	int (*stop)(struct device *device, struct text_error *error_ret);
	/* May be called in any state, also twice. */
	void (*close)(struct device *device);
};

extern const struct engine engine_module, engine_bpf, engine_perf;

#endif
