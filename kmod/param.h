/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module parameters with bounds: a value beyond them makes the loading of the module fail, so that
 * no sum of limits overflows and a slip of the finger does not take a limit away.
 */
#ifndef CPUPROBE_PARAM_H
#define CPUPROBE_PARAM_H

#include <linux/moduleparam.h>

/** A number given at load. @value: the default; @least, @most: the bounds, both allowed. */
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
