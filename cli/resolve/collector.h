/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the module's stacks of addresses to a profile: asks the resolver what each address is, ends
 * stacks where they can no longer be believed, and cuts them where an interrupt came in.
 */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "profile/profile.h"
#include "resolve/resolver.h"
#include "run/device.h"

struct collector_options {
	bool by_pid;		/* processes of a program apart */
	/* Samples of a stack of the profile have been counted. */
	void (*counted)(void *context, uint32_t stack, uint64_t hits, double ns);
	void *context;
};

struct collector;

/** collector_create() - both stay the caller's. NULL: out of memory. */
struct collector *collector_create(struct profile *profile, struct resolver *resolver,
				   const struct collector_options *options);

void collector_destroy(struct collector *collector);

/**
 * collector_add() - one account of stacks and what it came with.
 * @device: to open executables of processes not seen before; NULL: none can be
 * Of a profile that has a limit, the last quarter is for stacks by function: what is new then is
 * no longer told by instruction and line. What finds no room all the same is lost there. -ENOMEM:
 * so much that it should be told.
 */
int collector_add(struct collector *collector, const struct device *device, uint32_t cpu,
		  const struct cpuprobe_account *account, const void *entries);

#endif
