/* SPDX-License-Identifier: GPL-2.0-only */
/* The timer's handler: one sample, counted in place. */
#ifndef CPUPROBE_SAMPLER_H
#define CPUPROBE_SAMPLER_H

#include <linux/hrtimer.h>

/**
 * sampler_fire_system(), sampler_fire_process() - take one sample of this CPU and set
 * the next instant: the timer's function in system and in process mode.
 * Hard irq on the CPU sampled. No lock, no allocation, no loop but the five steps of
 * table_get(), the 14 of areas_find() and the copying of a name.
 */
enum hrtimer_restart sampler_fire_system(struct hrtimer *timer);
enum hrtimer_restart sampler_fire_process(struct hrtimer *timer);

#endif
