/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of containers, from the files that their runtimes keep on this machine. */
#ifndef CONTAINER_NAMES_H
#define CONTAINER_NAMES_H

#include "containers/container.h"

#define CONTAINER_NAME_LEN	160	/* with its NUL */

/**
 * container_find_name() - read the name of a container: docker's own, "NAMESPACE/POD/CONTAINER" of
 * kubernetes with containerd or cri-o, nerdctl's. Reads at most a few small files, which root alone can read.
 * @root: directory that the absolute paths are below; "": the machine's own
 * Returns false, and an empty name: the runtime keeps no such file, or it cannot be read.
 */
bool container_find_name(const char *root, const struct container *container,
			 char name_ret[CONTAINER_NAME_LEN]);

#endif
