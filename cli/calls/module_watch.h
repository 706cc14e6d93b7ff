/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The modules whose functions are hooked. A module that is unloaded takes its hooks along, and one that
 * is loaded again may have its functions at other addresses.
 */
#ifndef MODULE_WATCH_H
#define MODULE_WATCH_H

#include "calls/hookable.h"

/** Begins as all zeros. */
struct module_watch {
	struct watched_module {
		const char *name;
		u64 inode;		/* of its directory, new each time it is loaded; 0: none */
	} *list;
	u32 nr;
	const char *directory;
};

/**
 * module_watch_init() - note the modules of the functions, which must live as long as this does.
 * @directory: "/sys/module", or a directory like it
 * -ENOMEM.
 */
int module_watch_init(struct module_watch *watch, const struct hookables *functions,
		      const char *directory);

/** module_watch_changed() - a module that has been unloaded since, or NULL. */
const char *module_watch_changed(const struct module_watch *watch);

void module_watch_deinit(struct module_watch *watch);

#endif
