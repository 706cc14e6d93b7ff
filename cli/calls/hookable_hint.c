// SPDX-License-Identifier: GPL-2.0-only
/* Names that match nothing: see hookable_hint.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "calls/hookable_hint.h"

#define PART_MIN	4	/* shorter names are parts of too many others */

static bool is_of_module(const struct hookable *function, const char *module)
{
	return !module || !strcmp(module, function->module);
}

/* The shortest name that has @part in it, as __x64_sys_getppid has getppid; NULL: none. */
static const char *find_longer(const struct hookables *all, const char *module, const char *part)
{
	const char *best = NULL;
	u32 i;

	if (strlen(part) < PART_MIN)
		return NULL;
	for (i = 0; i < all->nr; i++) {
		const char *name = all->list[i].name;

		if (is_of_module(&all->list[i], module) && strstr(name, part) &&
		    (!best || strlen(name) < strlen(best)))
			best = name;
	}
	return best;
}

/* The nearest name by letters; NULL: none is near. */
static const char *find_similar(const struct hookables *all, const char *module, const char *name)
{
	const char **names = calloc(all->nr + 1, sizeof(*names)), *similar;
	u32 i, nr = 0;

	if (!names)
		return NULL;
	for (i = 0; i < all->nr; i++)
		if (is_of_module(&all->list[i], module))
			names[nr++] = all->list[i].name;
	similar = options_suggest(name, names, nr);
	free(names);
	return similar;
}

static bool has_module(const struct hookables *all, const char *module)
{
	u32 i;

	for (i = 0; i < all->nr; i++)
		if (!strcmp(all->list[i].module, module))
			return true;
	return false;
}

int hookable_refuse(const struct hookables *all, const char *module, const char *name,
		    struct text_error *error_ret)
{
	const char *near = NULL;

	text_fail(error_ret, 0, "find functions: none matches '%s%s%s'",
		  module ? module[0] ? module : "kernel" : "", module ? ":" : "", name);
	if (module && !has_module(all, module)) {
		text_hint(error_ret, "no module %s with functions is loaded; /proc/modules lists them",
			  module);
		return -ENOENT;
	}
	if (!strpbrk(name, "*?["))
		near = find_similar(all, module, name) ?: find_longer(all, module, name);
	if (near)
		text_hint(error_ret, "did you mean %s? Functions that are inlined everywhere have no "
			  "name", near);
	else if (all->file)
		text_hint(error_ret, "%s has %u functions with names; inlined functions have none",
			  all->file, all->nr);
	else
		text_hint(error_ret, "/proc/kallsyms lists the names; inlined functions have none");
	return -ENOENT;
}
