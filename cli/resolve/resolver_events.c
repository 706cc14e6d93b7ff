// SPDX-License-Identifier: GPL-2.0-only
/* Follows forks, execs, mappings and ends of processes by their events: see resolver.h. */
#include "resolve/resolver_parts.h"
#include "run/procstat.h"

/* Reads the maps of a parent that was never seen: its child inherits the mappings. */
static void read_parent_maps(struct resolver *resolver, u32 pid)
{
	struct space *space = spaces_newest(resolver->spaces, pid);
	u64 id;

	if ((space && !space->has_ended && space->knowledge == SPACE_ALL) ||
	    resolver->nr_reads >= RESOLVER_READS_MAX || procstat_space(pid, &id))
		return;
	resolver->nr_reads++;
	if (!space || space->has_ended || (space->id && space->id != id))
		space = spaces_add(resolver->spaces, pid, id);
	if (!space)
		return;
	space->id = id;
	resolver_read_maps(resolver, space);
}

/* A parent that executed a program and was never sampled has no id yet: its root is that of its process. */
static void find_parent_root(struct resolver *resolver, struct space *space)
{
	u64 id;

	if (space->id) {
		resolver_is_foreign(resolver, space);
	} else if (!space->knows_root && !space->has_ended && !procstat_space(space->pid, &id)) {
		space->is_foreign = !procstat_shares_root(space->pid);
		space->knows_root = true;
	}
}

static void add_event_map(struct resolver *resolver, const struct sideband_event *event)
{
	struct space *space = spaces_newest(resolver->spaces, event->pid);

	if (!space || space->has_ended) {
		space = spaces_add(resolver->spaces, event->pid, 0);
		if (space)
			space->knowledge = SPACE_PART;
	}
	if (space)
		spaces_map(resolver->spaces, space, &event->map);
}

static void handle_process_event(const struct sideband_event *event, void *context)
{
	struct resolver *resolver = context;
	struct space *space, *before;

	switch (event->kind) {
	case SIDEBAND_FORK:
		read_parent_maps(resolver, event->parent);
		before = spaces_newest(resolver->spaces, event->parent);
		/* A child that ends before it is seen is taken to have the root of its parent. */
		if (before)
			find_parent_root(resolver, before);
		space = spaces_fork(resolver->spaces, event->pid, event->parent);
		if (space) {
			space->parent_pid = event->parent;
			space->told_round = resolver->spaces->round;
		}
		if (space && before)
			space->group = before->group;
		break;
	case SIDEBAND_EXEC:
		before = spaces_newest(resolver->spaces, event->pid);
		space = spaces_add(resolver->spaces, event->pid, 0);
		if (space) {
			space->knowledge = SPACE_ALL;
			space->told_round = resolver->spaces->round;
		}
		if (space && before) {
			space->parent_pid = before->parent_pid;
			space->group = before->group;
			space->group_round = before->group_round;
			space->group_wait = before->group_wait;
		}
		break;
	case SIDEBAND_EXIT:
		spaces_exit(resolver->spaces, event->pid);
		break;
	case SIDEBAND_MAP:
		add_event_map(resolver, event);
		break;
	case SIDEBAND_LOST:
		resolver->counts.events_lost += event->nr_lost;
		spaces_mark_incomplete(resolver->spaces);
		break;
	case SIDEBAND_OTHER:
		break;
	}
}

static void drop_binary(struct mapped_file *file, void *context)
{
	binaries_drop(file);
}

void resolver_follow(struct resolver *resolver)
{
	resolver->last_space = NULL;
	/* A bomb of processes must not take all room before the next harvest. */
	if (resolver->spaces->nr > SPACES_MAX / 2)
		spaces_begin_round(resolver->spaces, resolver->sideband != NULL);
	binaries_retire_changed(&resolver->binaries);
	if (resolver->sideband)
		sideband_read(resolver->sideband, handle_process_event, resolver);
}

void resolver_events(struct resolver *resolver)
{
	resolver->nr_reads = 0;
	spaces_begin_round(resolver->spaces, resolver->sideband != NULL);
	files_trim(&resolver->files, drop_binary, NULL);
	resolver_follow(resolver);
}
