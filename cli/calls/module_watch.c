// SPDX-License-Identifier: GPL-2.0-only
/* Modules that are unloaded during a run: see module_watch.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "calls/module_watch.h"

static u64 inode_of(const char *directory, const char *module)
{
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s", directory, module);
	return stat(path, &status) ? 0 : status.st_ino;
}

static bool is_watched(const struct module_watch *watch, const char *module)
{
	u32 i;

	/* Functions of a module follow each other. */
	for (i = watch->nr; i > 0; i--)
		if (!strcmp(watch->list[i - 1].name, module))
			return true;
	return false;
}

int module_watch_init(struct module_watch *watch, const struct hookables *functions,
		      const char *directory)
{
	u32 i;

	*watch = (struct module_watch){ .directory = directory };
	for (i = 0; i < functions->nr; i++) {
		const char *module = functions->list[i].module;
		u64 inode;

		if (!module[0] || is_watched(watch, module))
			continue;
		/* Generated code has the name of a module that is none, as bpf. */
		inode = inode_of(directory, module);
		if (!inode)
			continue;
		if (!array_has_room(&watch->list, watch->nr, sizeof(*watch->list)))
			return -ENOMEM;
		watch->list[watch->nr++] = (struct watched_module){ module, inode };
	}
	return 0;
}

const char *module_watch_changed(const struct module_watch *watch)
{
	u32 i;

	for (i = 0; i < watch->nr; i++)
		if (inode_of(watch->directory, watch->list[i].name) != watch->list[i].inode)
			return watch->list[i].name;
	return NULL;
}

void module_watch_deinit(struct module_watch *watch)
{
	free(watch->list);
	*watch = (struct module_watch){ .nr = 0 };
}
