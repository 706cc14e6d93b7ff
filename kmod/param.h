/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module parameters with bounds. A value out of bounds makes the module fail to load, so that sums
 * of limits cannot overflow and a typing error cannot disable a limit.
 */
#ifndef CPUPROBE_PARAM_H
#define CPUPROBE_PARAM_H

#include <linux/moduleparam.h>

/** A number given at load. @value: initially the default; @least, @most: inclusive bounds. */
struct param {
	unsigned int value;
	const unsigned int least;
	const unsigned int most;
};

/** param_ops - reads and prints a struct param: for module_param_cb(). */
extern const struct kernel_param_ops param_ops;

/* The module parameter @name is the struct param of that name. */
#define PARAM(name, description)				\
	module_param_cb(name, &param_ops, &(name), 0444);	\
	__MODULE_PARM_TYPE(name, "uint");			\
	MODULE_PARM_DESC(name, description)

#endif
