// SPDX-License-Identifier: GPL-2.0-only
/* Module parameters with bounds: see param.h. */
#include <linux/kernel.h>
#include <linux/module.h>

#include "param.h"

static int param_set(const char *text, const struct kernel_param *kernel_param)
{
	struct param *param = kernel_param->arg;
	unsigned int value;
	int error = kstrtouint(text, 0, &value);

	if (error)
		return error;
	if (value < param->least || value > param->most)
		return -ERANGE;
	param->value = value;
	return 0;
}

static int param_get(char *text, const struct kernel_param *kernel_param)
{
	const struct param *param = kernel_param->arg;

	return scnprintf(text, PAGE_SIZE, "%u\n", param->value);
}

const struct kernel_param_ops param_ops = { .set = param_set, .get = param_get };
