/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile divided by service: the largest ones, and one for all others, so that the number of series is
 * bounded. The samples of all services together are those of the profile without samples of other
 * processes.
 */
#ifndef PUSH_SERVICES_H
#define PUSH_SERVICES_H

#include "profile/profile.h"
#include "push/push_containers.h"
#include "push/push_labels.h"

#define PUSH_SERVICES_MAX	100
#define PUSH_OTHER		"(other)"	/* the service of smaller ones, and of lost samples */

/** How processes become services. Callbacks are called with the profile's own processes. */
struct push_naming {
	/*
	 * The service of a process: any text, cut to PUSH_LABEL_VALUE_LEN; "": the process's name. Writes
	 * @text_ret.
	 */
	void (*name)(void *context, const struct profile_process *process,
		     char text_ret[PUSH_LABEL_VALUE_LEN]);
	/* Processes of one name in different groups are different services. NULL: no groups. */
	void (*group)(const struct profile_process *process, char text_ret[PUSH_GROUP_LEN]);
	/* Add labels of a service, of which @process is the largest. NULL: none. */
	void (*label)(void *context, const struct profile_process *process, struct push_labels *labels);
	void *context;
	bool is_program; /* all processes of a service have one executable, whose build-id is a label */
};

/** By the name of the executable or kernel thread, and by container. */
extern const struct push_naming push_by_exe;

struct push_service {
	char name[PUSH_LABEL_VALUE_LEN];
	char group[PUSH_GROUP_LEN];	/* "": none */
	u32 process;		/* position of its largest process; PROFILE_NONE: PUSH_OTHER */
	u64 hits;		/* PUSH_OTHER: with the lost ones */
	double ns;
};

struct push_services {
	const struct profile *profile;
	struct push_service *list;	/* the longest time first; PUSH_OTHER last, if it is needed */
	u32 nr;
	u32 *of_process;		/* position in the list; services without samples have none */
};

/**
 * push_services_init() - divide a profile, which must live longer.
 * @max: most services besides PUSH_OTHER, 1 to PUSH_SERVICES_MAX
 * -ENOMEM: nothing to deinit.
 */
int push_services_init(struct push_services *services, const struct profile *profile,
		       const struct push_naming *naming, u32 max);

void push_services_deinit(struct push_services *services);

/**
 * push_services_extract() - copy the part of the profile that belongs to service @at, with only the code
 * that occurs in it. PUSH_OTHER has the lost samples. NULL: out of memory.
 * @has_detail: keep addresses, source lines and process ids; otherwise functions and processes of one
 *	name are one, the process is called as the service is, and the stacks of a service with processes of
 *	several names begin with their names
 */
struct profile *push_services_extract(const struct push_services *services, u32 at, bool has_detail);

/** push_services_object() - object of the service's executable; NULL: unknown. */
const struct profile_object *push_services_object(const struct push_services *services, u32 at);

#endif
