/* SPDX-License-Identifier: GPL-2.0-only */
/* The timer's handler: one sample, counted in place. */
#ifndef CPUPROBE_SAMPLER_H
#define CPUPROBE_SAMPLER_H

#include <linux/hrtimer.h>

/**
 * sampler_fire() - take one sample of this CPU and set the next instant.
 * Hard irq on the CPU sampled. No lock, no allocation, no loop but the five
 * steps of table_get() and the copying of a name.
 */
enum hrtimer_restart sampler_fire(struct hrtimer *timer);

#endif
