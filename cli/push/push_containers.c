// SPDX-License-Identifier: GPL-2.0-only
/* Labels of containers: see push_containers.h. */
#include <stdio.h>
#include <string.h>

#include "containers/container_names.h"
#include "push/push_containers.h"

static void find_container(const struct profile_process *process, struct container *container_ret)
{
	memset(container_ret, 0, sizeof(*container_ret));
	if (process->cgroup[0])
		container_parse(process->cgroup, container_ret);
}

void push_container_group(const struct profile_process *process, char text_ret[PUSH_GROUP_LEN])
{
	struct container container;

	find_container(process, &container);
	snprintf(text_ret, PUSH_GROUP_LEN, "%s", container.runtime ? container.id : container.pod);
}

/* Sets the labels of a name. That of kubernetes is NAMESPACE/POD/CONTAINER. */
static void label_name(const char *name, struct push_labels *labels)
{
	const char *last = strrchr(name, '/');
	char pod[CONTAINER_NAME_LEN];

	push_labels_set(labels, "container", last ? last + 1 : name);
	if (!last)
		return;
	snprintf(pod, sizeof(pod), "%.*s", (int)(last - name), name);
	push_labels_set(labels, "pod", pod);
}

void push_container_label(const char *root, const struct profile_process *process, struct push_labels *labels)
{
	struct container container;
	char name[CONTAINER_NAME_LEN], id[CONTAINER_ID_LEN];

	find_container(process, &container);
	push_labels_set(labels, "pod_uid", container.pod);
	if (!container.runtime)
		return;
	push_labels_set(labels, "runtime", container_runtime_name(container.runtime));
	push_labels_set(labels, "container_id", container.id);
	label_name(container_find_name(root, &container, name) ? name : container_short_id(&container, id), labels);
}
