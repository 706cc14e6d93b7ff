// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/cpuprobe: copies arguments between user space and a session. Each open file is a session;
 * uapi/cpuprobe.h describes the calls.
 */
#include <linux/compat.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

#include "access.h"
#include "area_table.h"
#include "calls.h"
#include "chardev.h"
#include "cost.h"
#include "harvest.h"
#include "marks.h"
#include "quota.h"
#include "release.h"
#include "session.h"
#include "traces.h"
#include "unwinding.h"

/* Access rights are decided here, once, and stay with the descriptor. */
static int device_open(struct inode *inode, struct file *file)
{
	struct session *session;
	struct access access;
	int error = access_decide(file, &access);

	if (error)
		return error;
	session = session_create(&access);
	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	session_destroy(file->private_data);
	return 0;
}

static long do_info(const struct session *session, struct cpuprobe_info __user *arg)
{
	struct cpuprobe_info info = {
		.size = sizeof(info),
		.version = CPUPROBE_ABI_VERSION,
		.access = session->access.is_full ? 2 : 1,
		.nr_cpu_ids = nr_cpu_ids,
		.bytes_per_cpu = sizeof(struct cpu_sampler),
		.release = CPUPROBE_RELEASE,
	};
	u32 size;

	if (get_user(size, &arg->size))
		return -EFAULT;
	quota_describe(&info);
	cost_describe(&info);
	if (copy_to_user(arg, &info, min_t(size_t, size, sizeof(info))))
		return -EFAULT;
	return 0;
}

static long do_start(struct session *session, struct cpuprobe_start __user *arg)
{
	struct cpuprobe_start start;
	int error;

	if (copy_from_user(&start, arg, sizeof(start)))
		return -EFAULT;
	if (start.version != CPUPROBE_ABI_VERSION || start.size != sizeof(start))
		return -EPROTO;
	error = session_start(session, &start);
	if (!copy_to_user(arg, &start, sizeof(start)))
		return error;
	/* Without the answer the caller does not know the seed: end the session. */
	if (!error)
		session_stop(session);
	return -EFAULT;
}

static long do_areas(struct session *session, const struct cpuprobe_areas __user *arg)
{
	struct cpuprobe_areas request;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	return area_table_set(session, &request);
}

static long do_harvest(struct session *session, struct cpuprobe_harvest __user *arg)
{
	struct cpuprobe_harvest request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = harvest(session, &request);
	if (!error && copy_to_user(arg, &request, sizeof(request)))
		return -EFAULT;
	return error;
}

static long do_exe(struct session *session, const struct cpuprobe_open __user *arg)
{
	struct cpuprobe_open request;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	return harvest_open_exe(session, &request);
}

static long do_calls(struct session *session, struct cpuprobe_calls __user *arg)
{
	struct cpuprobe_calls request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = calls_start(session, &request);
	if (!copy_to_user(arg, &request, sizeof(request)))
		return error;
	if (!error)
		session_stop(session);
	return -EFAULT;
}

static long do_counts(struct session *session, struct cpuprobe_counts __user *arg)
{
	struct cpuprobe_counts request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = calls_copy(session, &request);
	if ((!error || error == -ENOSPC) && copy_to_user(arg, &request, sizeof(request)))
		return -EFAULT;
	return error;
}

static long do_times(struct session *session, struct cpuprobe_times __user *arg)
{
	struct cpuprobe_times request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = calls_copy_times(session, &request);
	if ((!error || error == -ENOSPC) && copy_to_user(arg, &request, sizeof(request)))
		return -EFAULT;
	return error;
}

static long do_trace(struct session *session, struct cpuprobe_trace __user *arg)
{
	struct cpuprobe_trace request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = traces_start(session, &request);
	if (!copy_to_user(arg, &request, sizeof(request)))
		return error;
	if (!error)
		session_stop(session);
	return -EFAULT;
}

static long do_events(struct session *session, struct cpuprobe_events __user *arg)
{
	struct cpuprobe_events request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = traces_copy(session, &request);
	if ((!error || error == -EBUSY) && copy_to_user(arg, &request, sizeof(request)))
		return -EFAULT;
	return error;
}

static long do_missed(struct session *session, struct cpuprobe_missed __user *arg)
{
	struct cpuprobe_missed request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	error = traces_copy_missed(session, &request);
	if ((!error || error == -ENOSPC) && copy_to_user(arg, &request, sizeof(request)))
		return -EFAULT;
	return error;
}

static bool has_unwinding(const struct session *session)
{
	return session_state(session) != SESSION_NEW && session->unwinding;
}

static long do_need(struct session *session, struct cpuprobe_need __user *arg)
{
	struct cpuprobe_need request;
	int error;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	if (!has_unwinding(session))
		return -EINVAL;
	request = (struct cpuprobe_need){ .size = request.size, .version = request.version, .fd = -1 };
	error = unwinding_name(session, &request);
	if ((error && error != -ENOENT) || !copy_to_user(arg, &request, sizeof(request)))
		return error;
	if (request.fd >= 0)
		close_fd(request.fd);
	return -EFAULT;
}

static long do_unwind(struct session *session, const struct cpuprobe_unwind __user *arg)
{
	struct cpuprobe_unwind request;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.version != CPUPROBE_ABI_VERSION || request.size != sizeof(request))
		return -EPROTO;
	return has_unwinding(session) ? unwinding_take(session, &request) : -EINVAL;
}

static long do_stop(struct session *session)
{
	if (!session_is_used(session))
		return -EINVAL;
	session_stop(session);
	return 0;
}

static bool differs_in_size(unsigned int command, unsigned int known)
{
	return !((command ^ known) & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT));
}

/*
 * A command's number includes the size of its struct, which may differ in another version of the
 * interface. INFO works with any size, so that each side can learn the other's version.
 */
static long do_other_size(struct session *session, unsigned int command, void __user *arg)
{
	if (differs_in_size(command, CPUPROBE_IOC_INFO))
		return do_info(session, arg);
	if (differs_in_size(command, CPUPROBE_IOC_START) ||
	    differs_in_size(command, CPUPROBE_IOC_AREAS) ||
	    differs_in_size(command, CPUPROBE_IOC_HARVEST) ||
	    differs_in_size(command, CPUPROBE_IOC_EXE) ||
	    differs_in_size(command, CPUPROBE_IOC_CALLS) ||
	    differs_in_size(command, CPUPROBE_IOC_COUNTS) ||
	    differs_in_size(command, CPUPROBE_IOC_TIMES) ||
	    differs_in_size(command, CPUPROBE_IOC_TRACE) ||
	    differs_in_size(command, CPUPROBE_IOC_EVENTS) ||
	    differs_in_size(command, CPUPROBE_IOC_MISSED) ||
	    differs_in_size(command, CPUPROBE_IOC_NEED) ||
	    differs_in_size(command, CPUPROBE_IOC_UNWIND))
		return -EPROTO;
	return -ENOTTY;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct session *session = file->private_data;
	void __user *arg = (void __user *)argument;
	long result;

	/* Tables have a lock of their own: a large one does not delay a harvest. */
	if (command == CPUPROBE_IOC_NEED)
		return do_need(session, arg);
	if (command == CPUPROBE_IOC_UNWIND)
		return do_unwind(session, arg);
	if (mutex_lock_interruptible(&session->lock))
		return -ERESTARTSYS;
	switch (command) {
	case CPUPROBE_IOC_INFO:
		result = do_info(session, arg);
		break;
	case CPUPROBE_IOC_START:
		result = do_start(session, arg);
		break;
	case CPUPROBE_IOC_AREAS:
		result = do_areas(session, arg);
		break;
	case CPUPROBE_IOC_STOP:
		result = do_stop(session);
		break;
	case CPUPROBE_IOC_HARVEST:
		result = do_harvest(session, arg);
		break;
	case CPUPROBE_IOC_EXE:
		result = do_exe(session, arg);
		break;
	case CPUPROBE_IOC_CALLS:
		result = do_calls(session, arg);
		break;
	case CPUPROBE_IOC_COUNTS:
		result = do_counts(session, arg);
		break;
	case CPUPROBE_IOC_TIMES:
		result = do_times(session, arg);
		break;
	case CPUPROBE_IOC_TRACE:
		result = do_trace(session, arg);
		break;
	case CPUPROBE_IOC_EVENTS:
		result = do_events(session, arg);
		break;
	case CPUPROBE_IOC_MISSED:
		result = do_missed(session, arg);
		break;
	default:
		result = do_other_size(session, command, arg);
	}
	mutex_unlock(&session->lock);
	return result;
}

/* Without session->lock: a harvest may hold the lock while its reader's memory is paged in. */
static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct session *session = file->private_data;

	poll_wait(file, &session->wait, table);
	switch (session_state(session)) {
	case SESSION_STOPPED:
		return EPOLLHUP;
	case SESSION_RUNNING:
		return harvest_is_due(session) || unwinding_is_due(session) ?
			EPOLLIN | EPOLLRDNORM : 0;
	default:
		return traces_poll(session);
	}
}

/* Without a session's lock: marks belong to no session. */
static ssize_t device_write(struct file *file, const char __user *text, size_t len, loff_t *offset)
{
	return marks_write(text, len);
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.write = device_write,
	.poll = device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = CPUPROBE_DEVICE,
	.mode = 0666,
	.fops = &device_operations,
};

int chardev_setup(void)
{
	return misc_register(&device);
}

void chardev_teardown(void)
{
	misc_deregister(&device);
}
