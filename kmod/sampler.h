/* SPDX-License-Identifier: GPL-2.0-only */
/* The timer's handler: one sample, counted in place. */
#ifndef CPUPROBE_SAMPLER_H
#define CPUPROBE_SAMPLER_H

#include <linux/hrtimer.h>

struct cpu_sampler;

/**
 * sampler_fire_system(), sampler_fire_by(), sampler_fire_process(), sampler_fire_late(),
 * sampler_fire_stacks() - take one sample of this CPU and set the next instant: the timer's
 * function in system mode by executable and by anything else, in process mode, in late mode and for
 * stacks. Hard irq on the CPU sampled. No lock, no allocation, no loop but the five steps of
 * table_get() and late_place(), the 14 of areas_find(), the copying of a name, the few frames of
 * caller_outside_locks(), and of a stack the 2 x 64 frames and the 16 steps of stacks_get().
 */
enum hrtimer_restart sampler_fire_system(struct hrtimer *timer);
enum hrtimer_restart sampler_fire_by(struct hrtimer *timer);
enum hrtimer_restart sampler_fire_process(struct hrtimer *timer);
enum hrtimer_restart sampler_fire_late(struct hrtimer *timer);
enum hrtimer_restart sampler_fire_stacks(struct hrtimer *timer);

/**
 * sampler_count_idle() - count @nr samples that need not be taken: all find the CPU idle, or in
 * softirq work on top of idle. By the writer of the active bank: see session.h. Not in late mode.
 */
void sampler_count_idle(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr);

#endif
