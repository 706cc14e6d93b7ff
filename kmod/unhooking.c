// SPDX-License-Identifier: GPL-2.0-only
/* The end of sessions with hooks: see unhooking.h. */
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "quota.h"
#include "unhooking.h"

/* How long a session waits for the hooks of earlier ones to leave. */
#define UNHOOKING_WAIT	(5 * HZ)

static struct workqueue_struct *unhooker;
/* Sessions that have ended and whose hooks are still there. */
static atomic_t nr_unhooking;
/* All struct unhooking: unloading waits for the last one. */
static atomic_t nr_alive;
static DECLARE_WAIT_QUEUE_HEAD(unhooked);

void unhooking_put(struct unhooking *unhooking)
{
	if (!refcount_dec_and_test(&unhooking->users))
		return;
	unhooking->free(unhooking);
	if (atomic_dec_and_test(&nr_alive))
		wake_up_all(&unhooked);
}

static void unhook(struct work_struct *work)
{
	struct unhooking *unhooking = container_of(work, struct unhooking, work);

	unhooking->detach(unhooking);
	/* It may have queued this work and not have returned yet. */
	irq_work_sync(&unhooking->over);
	unhooking_put(unhooking);
	if (atomic_dec_and_test(&nr_unhooking))
		wake_up_all(&unhooked);
}

void unhooking_queue(struct unhooking *unhooking)
{
	atomic_inc(&nr_unhooking);
	queue_work(unhooker, &unhooking->work);
}

/* Hard irq: handlers have ended the session. */
static void unhook_over(struct irq_work *work)
{
	unhooking_queue(container_of(work, struct unhooking, over));
}

void unhooking_init(struct unhooking *unhooking)
{
	atomic_inc(&nr_alive);
	refcount_set(&unhooking->users, 1);
	INIT_WORK(&unhooking->work, unhook);
	unhooking->over = IRQ_WORK_INIT_HARD(unhook_over);
}

int unhooking_await(void)
{
	long left = wait_event_killable_timeout(unhooked, !atomic_read(&nr_unhooking),
						UNHOOKING_WAIT);

	if (left < 0)
		return -EINTR;
	return left ? 0 : -EBUSY;
}

int unhooking_claim(struct session *session, u32 *budget_ppm, struct cpuprobe_start *start)
{
	int error;

	session->holder_pid = task_tgid_nr(current);
	get_task_comm(session->holder_comm, current);
	cpumask_copy(&session->cpus, cpu_possible_mask);
	/* START may have been refused before. */
	session->rate_hz = session->cost_ns = 0;
	session->budget_ns = *budget_ppm * 1000ULL;
	error = quota_enter_budget(session, start);
	*budget_ppm = div_u64(session->budget_ns, 1000);
	return error;
}

int unhooking_setup(void)
{
	unhooker = alloc_workqueue("cpuprobe", WQ_UNBOUND, 0);
	return unhooker ? 0 : -ENOMEM;
}

void unhooking_teardown(void)
{
	wait_event(unhooked, !atomic_read(&nr_alive));
	destroy_workqueue(unhooker);
}
