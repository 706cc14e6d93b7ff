/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds the stacks of one profile to another, with the code that they need and no more. */
#ifndef PROFILE_JOIN_H
#define PROFILE_JOIN_H

#include "profile/profile.h"

/** A profile that is added to another one, and where its parts are there. */
struct profile_join {
	struct profile *to;
	const struct profile *from;
	/* How the other profile gets an object and a process; NULL: profile_add_object(), profile_add_process(). */
	u32 (*add_object)(void *context, const struct profile_object *object);
	u32 (*add_process)(void *context, const struct profile_process *process);
	void *context;
	/* positions in the other profile; 0: not looked up, except marks, which are equal */
	u32 *functions;
	u32 *frames;
	u32 *processes;		/* plus one */
	u32 *list;		/* frames of the stack that is being added */
};

/** profile_join() - add all stacks and totals of @from. Parts of the same names are the same. -ENOMEM. */
int profile_join(struct profile *to, const struct profile *from);

/** profile_join_init() - make room for positions. -ENOMEM. Free with profile_join_deinit() in any case. */
int profile_join_init(struct profile_join *join, struct profile *to, const struct profile *from);

/** profile_join_all() - add all stacks and totals. -ENOMEM: some stacks were not added. */
int profile_join_all(struct profile_join *join);

/** profile_join_function() - find or add a function of .from, at position @at there. PROFILE_NONE: out of memory. */
u32 profile_join_function(struct profile_join *join, u32 at);

/** profile_join_deinit() - free the positions. */
void profile_join_deinit(struct profile_join *join);

#endif
