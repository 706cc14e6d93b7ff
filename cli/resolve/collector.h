/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the module's stacks of addresses into a profile: asks the resolver for the frame of each
 * address, ends stacks where they are no longer credible, and cuts them where an interrupt began.
 */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "profile/profile.h"
#include "resolve/resolver.h"
#include "run/device.h"
#include "run/receipt_stacks.h"

struct collector_options {
	bool by_pid;		/* count processes of one program separately */
	bool only_leaf;		/* drop the callers of user code */
	struct receipt_stacks *stacks;	/* counts how user stacks end; NULL: nobody asks */
	/* Whether no table can be made for a file of this name; NULL: for all files that lack one. */
	bool (*lacks_table)(void *context, const char *name);
	/* Called after samples of one of the profile's stacks were counted. */
	void (*counted)(void *context, u32 stack, u64 hits, double ns);
	void *context;
};

struct collector;

/** collector_create() - the caller keeps @profile and @resolver. NULL: out of memory. */
struct collector *collector_create(struct profile *profile, struct resolver *resolver,
				   const struct collector_options *options);

void collector_destroy(struct collector *collector);

/**
 * collector_add() - add the stacks of one account.
 * @device: opens executables of new processes; NULL: they cannot be opened
 *
 * If the profile has a limit, its last quarter is for stacks by function: new stacks then lose
 * instruction and line. Stacks that still find no room count as lost. -ENOMEM: some stacks of this
 * account were lost.
 */
int collector_add(struct collector *collector, const struct device *device, u32 cpu,
		  const struct cpuprobe_account *account, const void *entries);

/** collector_renew() - go on with another profile, which has no stacks yet. */
void collector_renew(struct collector *collector, struct profile *profile);

/** collector_spaces() - address spaces that were seen since the start or a renewal: each takes some memory. */
u32 collector_spaces(const struct collector *collector);

/** collector_forget_ends() - drop the counts of how user stacks ended. */
void collector_forget_ends(struct collector *collector);

#endif
