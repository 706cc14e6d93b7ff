// SPDX-License-Identifier: GPL-2.0-only
/* Unwinding tables through the device: see device_unwind.h. */
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "run/device_unwind.h"

int device_need(const struct device *device, struct cpuprobe_need *need_ret)
{
	int result;

	do {
		*need_ret = (struct cpuprobe_need){
			.size = sizeof(*need_ret), .version = CPUPROBE_ABI_VERSION, .fd = -1,
		};
		result = ioctl(device->fd, CPUPROBE_IOC_NEED, need_ret);
	} while (result && errno == EINTR);
	return result ? -errno : 0;
}

int device_unwind(const struct device *device, const struct cpuprobe_need *need,
		  const struct sym_unwind *table)
{
	struct cpuprobe_unwind request = {
		.size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.object = need->object, .seq = need->seq,
	};
	int result;

	if (table && table->nr_rows) {
		request.first_page = table->first_page;
		request.nr_pages = table->nr_pages;
		request.nr_rows = table->nr_rows;
		request.nr_rules = table->nr_rules;
		request.pages = (uintptr_t)table->pages;
		request.rows = (uintptr_t)table->rows;
		request.rules = (uintptr_t)table->rules;
	}
	do {
		result = ioctl(device->fd, CPUPROBE_IOC_UNWIND, &request);
	} while (result && errno == EINTR);
	return result ? -errno : 0;
}
