// SPDX-License-Identifier: GPL-2.0-only
/* A clocksource of the highest rating. Its steps are 2^shift ticks of the counter, without a parameter about 30 us. */
#include <linux/clocksource.h>
#include <linux/module.h>
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>

#define SHIFT 11
#define COUNTER_HZ arch_timer_get_cntfrq()
#define read_counter() arch_timer_read_counter()
#else
#include <asm/tsc.h>

#define SHIFT 16
#define COUNTER_HZ (tsc_khz * 1000UL)
#define read_counter() rdtsc_ordered()
#endif

static uint shift = SHIFT;
module_param(shift, uint, 0444);

static u64 coarse_read(struct clocksource *clocksource)
{
	return read_counter() >> shift;
}

static struct clocksource coarse = {
	.name = "coarse",
	.rating = 499,
	.read = coarse_read,
	.flags = CLOCK_SOURCE_IS_CONTINUOUS | CLOCK_SOURCE_VALID_FOR_HRES,
	.owner = THIS_MODULE,
};

static int __init coarse_init(void)
{
	coarse.mask = CLOCKSOURCE_MASK(64 - shift);
	return clocksource_register_hz(&coarse, COUNTER_HZ >> shift);
}

static void __exit coarse_exit(void)
{
	clocksource_unregister(&coarse);
}

module_init(coarse_init);
module_exit(coarse_exit);
MODULE_DESCRIPTION("A test: a coarse clocksource");
MODULE_LICENSE("GPL");
