// SPDX-License-Identifier: GPL-2.0-only
/* The record of mapped code, from the first session that needs it to the last: see address_spaces.h. */
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "reopen.h"
#include "space_hooks.h"
#include "space_maps.h"
#include "space_objects.h"
#include "address_spaces.h"

/* How long a session waits for the hooks of earlier ones to leave. */
#define UNHOOKING_WAIT	(5 * HZ)

static DEFINE_MUTEX(mutex);		/* protects the next two, and begin and end of the record */
static u32 nr_sessions;
static bool is_ending;			/* the worker has been queued and is not done */
static struct workqueue_struct *ender;
static DECLARE_WAIT_QUEUE_HEAD(ended);

static void end_record(struct work_struct *work)
{
	space_hooks_remove();
	maps_destroy();
	mutex_lock(&mutex);
	WRITE_ONCE(is_ending, false);
	mutex_unlock(&mutex);
	wake_up_all(&ended);
}

static DECLARE_WORK(end_work, end_record);

static int begin_record(void)
{
	int error = maps_create();

	if (error)
		return error;
	error = space_hooks_add();
	if (error)
		maps_destroy();
	return error;
}

/* Wait for the worker and lock the mutex. */
static int lock_record(void)
{
	long left = UNHOOKING_WAIT;

	do {
		left = wait_event_killable_timeout(ended, !READ_ONCE(is_ending), left);
		if (left < 0)
			return -EINTR;
		if (!left)
			return -EBUSY;
		if (mutex_lock_killable(&mutex))
			return -EINTR;
		if (!is_ending)
			return 0;
		mutex_unlock(&mutex);
	} while (true);
}

int spaces_get(void)
{
	bool is_first;
	int error = lock_record();

	if (error)
		return error;
	is_first = !nr_sessions;
	if (is_first)
		error = begin_record();
	nr_sessions += !error;
	mutex_unlock(&mutex);
	if (!error && is_first)
		spaces_scan();
	return error;
}

void spaces_put(void)
{
	mutex_lock(&mutex);
	if (!--nr_sessions) {
		WRITE_ONCE(is_ending, true);
		queue_work(ender, &end_work);
	}
	mutex_unlock(&mutex);
}

const struct space_map *spaces_find(const struct mm_struct *mm)
{
	const struct shared_map *shared = maps_find(mm);

	return shared ? &shared->map : NULL;
}

int spaces_open(struct cpuprobe_need *need)
{
	struct file *file;

	if (need->object == OBJECT_VDSO) {
		need->fd = -1;
		need->flags = CPUPROBE_NEED_VDSO;
		return 0;
	}
	file = need->object < SPACES_OBJECTS ? maps_file(need->object, need->seq) : NULL;
	if (!file)
		return -ESTALE;
	need->fd = reopen(file);
	need->flags = 0;
	fput(file);
	return need->fd == -ERESTARTSYS || need->fd == -EINTR ? -ERESTARTSYS : 0;
}

u32 spaces_unrecorded(void)
{
	return maps_unrecorded();
}

int spaces_setup(void)
{
	ender = alloc_workqueue("cpuprobe_spaces", WQ_UNBOUND, 0);
	return ender ? 0 : -ENOMEM;
}

void spaces_teardown(void)
{
	/* Waits for the work. */
	destroy_workqueue(ender);
}
