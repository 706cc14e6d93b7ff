// SPDX-License-Identifier: GPL-2.0-only
/* Marks: see marks.h. */
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/uaccess.h>

#include "marks.h"
#include "tracer.h"

static DEFINE_MUTEX(join_lock);
/* Written under join_lock, read under RCU. */
static LIST_HEAD(links);

void marks_join(struct marks_link *link)
{
	mutex_lock(&join_lock);
	list_add_tail_rcu(&link->list, &links);
	mutex_unlock(&join_lock);
}

void marks_leave(struct marks_link *link)
{
	if (!link->list.next)
		return;
	mutex_lock(&join_lock);
	list_del_rcu(&link->list);
	mutex_unlock(&join_lock);
}

ssize_t marks_write(const char __user *text, size_t len)
{
	char copy[CPUPROBE_MARK_MAX];
	struct marks_link *link;

	if (len > sizeof(copy))
		return -EMSGSIZE;
	if (copy_from_user(copy, text, len))
		return -EFAULT;
	if (!len)
		return 0;
	rcu_read_lock();
	list_for_each_entry_rcu(link, &links, list)
		tracer_mark(link->tracer, copy, len);
	rcu_read_unlock();
	return len;
}
