// SPDX-License-Identifier: GPL-2.0-only
/* The areas of a session, replaced as a whole under RCU: see area_table.h. */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "area_table.h"
#include "quota.h"

/* Areas are sorted by pid, and the kernel's pid is 0. */
static bool has_kernel_area(const struct area_table *table)
{
	return table->nr && !table->area[0].pid;
}

static int check_areas(const struct session *session, const struct area_table *table,
		       u32 *nr_objects_ret)
{
	int error = areas_check(table->area, table->nr, nr_objects_ret);

	if (error)
		return error;
	/* Counts by area reveal kernel addresses. */
	return has_kernel_area(table) && access_kernel(&session->access) ? -EPERM : 0;
}

void area_table_update_fast_path(struct session *session)
{
	WRITE_ONCE(session->filter.fast_path_inode,
		   session->are_areas_exact || !session->access.is_full ? NULL :
		   session->filter.inode);
}

static u64 memory_of_areas(u32 nr)
{
	return quota_memory_of(sizeof(struct area_table) + nr * sizeof(struct cpuprobe_area));
}

/* NULL on failure, with the error in *error_ret. */
static struct area_table *create_area_table(struct session *session, u32 nr, int *error_ret)
{
	struct area_table *table;

	*error_ret = quota_charge(session, memory_of_areas(nr));
	if (*error_ret)
		return NULL;
	table = kvmalloc(struct_size(table, area, nr), SESSION_GFP);
	if (!table) {
		quota_uncharge(session, memory_of_areas(nr));
		*error_ret = -ENOMEM;
		return NULL;
	}
	table->nr = nr;
	return table;
}

/* NULL is allowed. */
static void destroy_area_table(struct session *session, struct area_table *table)
{
	if (!table)
		return;
	quota_uncharge(session, memory_of_areas(table->nr));
	kvfree(table);
}

/*
 * At most one table waits for its readers, however fast areas are replaced; kfree_rcu() would let
 * hundreds of tables pile up. Without running timers there are no readers.
 */
static void retire_area_table(struct session *session, struct area_table *old)
{
	if (session->state != SESSION_RUNNING) {
		destroy_area_table(session, old);
		return;
	}
	if (session->old_areas)
		cond_synchronize_rcu(session->old_areas_readers);
	destroy_area_table(session, session->old_areas);
	session->old_areas = old;
	session->old_areas_readers = start_poll_synchronize_rcu();
}

int area_table_set(struct session *session, const struct cpuprobe_areas *request)
{
	struct area_table *table, *old;
	u32 nr_objects;
	int error;

	if (request->flags & ~CPUPROBE_AREAS_EXACT || request->nr_areas > CPUPROBE_AREAS_MAX)
		return -EINVAL;
	table = create_area_table(session, request->nr_areas, &error);
	if (!table)
		return error;
	if (copy_from_user(table->area, u64_to_user_ptr(request->areas),
			   flex_array_size(table, area, table->nr)))
		error = -EFAULT;
	else
		error = check_areas(session, table, &nr_objects);
	if (error) {
		destroy_area_table(session, table);
		return error;
	}
	session->nr_objects = max(session->nr_objects, nr_objects);
	session->reveals_kernel |= has_kernel_area(table);
	old = rcu_replace_pointer(session->areas, table, lockdep_is_held(&session->lock));
	if (old)
		retire_area_table(session, old);
	session->are_areas_exact = request->flags & CPUPROBE_AREAS_EXACT;
	area_table_update_fast_path(session);
	return 0;
}

void area_table_release(struct session *session)
{
	/* No timer runs any more, so there are no readers. */
	destroy_area_table(session, rcu_dereference_protected(session->areas, true));
	destroy_area_table(session, session->old_areas);
}
