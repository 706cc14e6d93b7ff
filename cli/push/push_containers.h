/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of the container that a process runs in, by the path of its control group. */
#ifndef PUSH_CONTAINERS_H
#define PUSH_CONTAINERS_H

#include "profile/profile.h"
#include "push/push_labels.h"

#define PUSH_GROUP_LEN	96	/* id of a container or pod, with its NUL */

/** push_container_group() - id of a process's container, or of its pod outside containers; "": none, or unknown. */
void push_container_group(const struct profile_process *process, char text_ret[PUSH_GROUP_LEN]);

/**
 * push_container_label() - set runtime, container_id, container (its name, or the beginning of its id), pod and
 * pod_uid of a process's container, as far as they are known. Reads the names from the files of runtimes.
 * @root: as for container_find_name()
 */
void push_container_label(const char *root, const struct profile_process *process, struct push_labels *labels);

#endif
