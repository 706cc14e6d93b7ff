/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Containers, pods and units from the path of a control group, as systemd, docker, containerd,
 * cri-o, kubelet, podman, LXC and machined lay their groups out. Pure.
 */
#ifndef CONTAINER_H
#define CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#define CONTAINER_ID_LEN	80	/* id or name of a container, with its NUL */
#define CONTAINER_POD_LEN	80	/* id of a pod, with its NUL */
#define CONTAINER_UNIT_LEN	256	/* name of a unit, with its NUL */
#define CONTAINER_SHORT_LEN	13	/* first digits of an id, with the NUL */
#define CONTAINER_LABEL_LEN	236	/* name of a row, with its NUL */

enum container_runtime {
	CONTAINER_NONE,			/* not in a container */
	CONTAINER_DOCKER,
	CONTAINER_CONTAINERD,
	CONTAINER_CRIO,
	CONTAINER_PODMAN,
	CONTAINER_LXC,
	CONTAINER_NSPAWN,
	CONTAINER_MACHINE,		/* another machine registered with machined */
	CONTAINER_UNKNOWN,		/* an id is there, and nothing that names its runtime */
};

/** The place of a control group. Empty texts: not known, or none. */
struct container {
	enum container_runtime runtime;
	char id[CONTAINER_ID_LEN];	/* of the innermost container, in full; LXC, machines: the name */
	bool has_hash;			/* the id is made of hexadecimal digits */
	char pod[CONTAINER_POD_LEN];	/* kubernetes: uid of the pod, with '-'; podman: id of the pod */
	char unit[CONTAINER_UNIT_LEN];	/* unit of the system's systemd, outside any container */
	char user_unit[CONTAINER_UNIT_LEN];	/* unit of a user's systemd, below user@UID.service */
	char slice[CONTAINER_UNIT_LEN];	/* innermost slice of the unit, or of the group itself */
};

/**
 * container_parse() - find the place of a group.
 * @path: path below the mount point, as cgroup_name() gives it; or a line of /proc/PID/cgroup, of
 *	either version; or the last component alone, even cut, as the module names a group that is gone
 */
void container_parse(const char *path, struct container *container_ret);

/** container_runtime_name() - "docker", ...; "" for CONTAINER_NONE, "unknown" for CONTAINER_UNKNOWN. */
const char *container_runtime_name(enum container_runtime runtime);

/** container_short_id() - first 12 digits of a hexadecimal id; other ids in full, cut. Returns @text. */
const char *container_short_id(const struct container *container, char text[CONTAINER_ID_LEN]);

/**
 * container_label() - name of the row that a group belongs to: "docker 0123456789ab", or with @name
 * "docker web"; the pod's for a group of a pod outside its containers; a unit's,
 * "user@1000.service/app.service" for a user's; a path otherwise. Equal for all groups that -by container
 * counts together, and different for others: one that is too long is cut, and ends in '~' and a hash.
 * @path: of the group, as for container_parse()
 * @name: name of the container; NULL: not known
 */
void container_label(const struct container *container, const char *path, const char *name,
		     char label_ret[CONTAINER_LABEL_LEN]);

#endif
