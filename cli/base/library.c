// SPDX-License-Identifier: GPL-2.0-only
/* Libraries that are loaded when they are needed: see library.h. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/library.h"

int library_load(const char *const *files, const struct library_function *functions, void *self)
{
	void *handle = NULL, *function;

	for (; *files && !handle; files++)
		handle = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return -ENOENT;
	for (; functions->name; functions++) {
		function = dlsym(handle, functions->name);
		if (!function)
			return -ENOEXEC;
		memcpy((char *)self + functions->offset, &function, sizeof(function));
	}
	return 0;
}
