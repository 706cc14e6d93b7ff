// SPDX-License-Identifier: GPL-2.0-only
/* probe version: print the version of the tool, and of the module if it is loaded. */
#include <unistd.h>

#include "command.h"
#include "release.h"
#include "run/device.h"

static int version_run(void *self, const struct options_rest *rest)
{
	struct device device;

	printf("probe %s\n", CPUPROBE_RELEASE);
	/* Do not load the module for this. */
	if (access("/dev/" CPUPROBE_DEVICE, F_OK) || device_open(&device, NULL))
		return 0;
	printf("module %.32s, interface %u, %u KB per CPU and session, %.1f us per interrupt\n",
	       device.info.release, device.info.version, (device.info.bytes_per_cpu + 1023) / 1024,
	       device.info.cost_ns / 1e3);
	device_close(&device);
	return 0;
}

const struct command command_version = {
	.name = "version",
	.arguments = "",
	.help = "print the version of this tool, and of the module if it is loaded",
	.run = version_run,
};
