// SPDX-License-Identifier: GPL-2.0-only
/* Names of containers, from the files of their runtimes: see container_names.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "containers/container_names.h"
#include "containers/json_text.h"

#define FILE_MAX	(1 << 20)	/* bytes of a file that are read */

/** A file that names a container: its path with the id for "%s", and the keys of the parts of the name. */
struct name_file {
	enum container_runtime runtime;
	const char *path;
	const char *object;	/* object that has the keys; NULL: the document */
	const char *parts[3];	/* parts that are missing are left out */
};

#define CONTAINERD	"/run/containerd/io.containerd.runtime.v2.task/"

static const struct name_file files[] = {
	{ CONTAINER_DOCKER, "/var/lib/docker/containers/%s/config.v2.json", NULL, { "Name" } },
	{ CONTAINER_CONTAINERD, CONTAINERD "k8s.io/%s/config.json", "annotations",
	  { "io.kubernetes.cri.sandbox-namespace", "io.kubernetes.cri.sandbox-name",
	    "io.kubernetes.cri.container-name" } },
	{ CONTAINER_CONTAINERD, CONTAINERD "default/%s/config.json", "annotations", { "nerdctl/name" } },
	{ CONTAINER_CRIO, "/run/containers/storage/overlay-containers/%s/userdata/config.json", "annotations",
	  { "io.kubernetes.pod.namespace", "io.kubernetes.pod.name", "io.kubernetes.container.name" } },
	{ CONTAINER_NONE }
};

/* The file as a text to free. NULL: it is not a file, or cannot be read. */
static char *read_whole(const char *path)
{
	/* A pipe in the place of the file must not stop the sampling, nor a terminal become the tool's. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat info;
	char *text = NULL;
	ssize_t got;
	size_t len;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size > 0) {
		len = info.st_size < FILE_MAX ? info.st_size : FILE_MAX;
		text = malloc(len + 1);
		got = text ? read(fd, text, len) : 0;
		if (text)
			text[got > 0 ? got : 0] = '\0';
	}
	close(fd);
	return text;
}

static void add_part(char *name, const char *json, const struct name_file *file, const char *part)
{
	const char *const keys[] = { file->object ? file->object : part, file->object ? part : NULL, NULL };
	char text[CONTAINER_NAME_LEN];
	size_t used = strlen(name);

	if (!json_find_text(json, keys, text, sizeof(text)))
		return;
	/* Docker's names begin with a '/'. */
	snprintf(name + used, CONTAINER_NAME_LEN - used, "%s%s", used ? "/" : "", text + (text[0] == '/'));
}

bool container_find_name(const char *root, const struct container *container,
			 char name_ret[CONTAINER_NAME_LEN])
{
	const struct name_file *file;
	char path[4096];
	size_t i;

	name_ret[0] = '\0';
	/* Only a whole id of digits is put into a path. */
	if (!container->has_hash)
		return false;
	for (file = files; file->runtime && !name_ret[0]; file++) {
		int used = snprintf(path, sizeof(path), "%s", root);
		char *json;

		if (file->runtime != container->runtime && container->runtime != CONTAINER_UNKNOWN)
			continue;
		snprintf(path + used, sizeof(path) - used, file->path, container->id);
		json = read_whole(path);
		for (i = 0; json && i < 3 && file->parts[i]; i++)
			add_part(name_ret, json, file, file->parts[i]);
		free(json);
	}
	return name_ret[0];
}
