// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: the record of mapped code (kmod/spaces.h) by itself. Writing N to the parameter users makes
 * N users of the record, writing to scan scans, and writing "OBJECT SEQ" to open opens an object for
 * the writer, whose descriptor can then be read from it. /proc/atlas shows the record of its reader,
 * /proc/atlas_all of all processes: "PID unknown", or "PID known" and for each mapping
 * "START-END FIRST_PAGE OBJECT SEQ INODE", with inode 0 for the vdso.
 */
#include <linux/file.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>

#include "space_maps.h"

unsigned long atlas_pool_bytes = 4 << 20;
module_param_named(pool_bytes, atlas_pool_bytes, ulong, 0400);

static DEFINE_MUTEX(mutex);
static unsigned int nr_users;

static int set_users(const char *text, const struct kernel_param *param)
{
	unsigned int wanted;
	int error = kstrtouint(text, 0, &wanted);

	mutex_lock(&mutex);
	while (!error && nr_users < wanted) {
		error = spaces_get();
		nr_users += !error;
	}
	for (; !error && nr_users > wanted; nr_users--)
		spaces_put();
	mutex_unlock(&mutex);
	return error;
}

static int get_users(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%u\n", nr_users);
}

static const struct kernel_param_ops users_operations = { .set = set_users, .get = get_users };
module_param_cb(users, &users_operations, NULL, 0600);

static int set_scan(const char *text, const struct kernel_param *param)
{
	mutex_lock(&mutex);
	if (nr_users)
		spaces_scan();
	mutex_unlock(&mutex);
	return 0;
}

static const struct kernel_param_ops scan_operations = { .set = set_scan };
module_param_cb(scan, &scan_operations, NULL, 0200);

static int get_unrecorded(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%u\n", spaces_unrecorded());
}

static const struct kernel_param_ops unrecorded_operations = { .get = get_unrecorded };
module_param_cb(unrecorded, &unrecorded_operations, NULL, 0400);

static struct cpuprobe_need need;

static int set_open(const char *text, const struct kernel_param *param)
{
	int error = -EINVAL;

	mutex_lock(&mutex);
	if (nr_users && sscanf(text, "%u %u", &need.object, &need.seq) == 2)
		error = spaces_open(&need);
	mutex_unlock(&mutex);
	return error;
}

static int get_open(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%d %u\n", need.fd, need.flags);
}

static const struct kernel_param_ops open_operations = { .set = set_open, .get = get_open };
module_param_cb(open, &open_operations, NULL, 0600);

static unsigned long inode_number(u32 object)
{
	struct file *file = maps_file(object, spaces_seq(object));
	unsigned long number;

	if (!file)
		return 0;
	number = file_inode(file)->i_ino;
	fput(file);
	return number;
}

static void show_process(struct seq_file *out, pid_t pid, const struct mm_struct *mm)
{
	const struct space_map *map;
	u32 i;

	rcu_read_lock();
	map = spaces_find(mm);
	seq_printf(out, "%d %s\n", pid, map ? "known" : "unknown");
	for (i = 0; map && i < map->nr; i++)
		seq_printf(out, "%lx-%lx %x %u %u %lu\n", map->at[i].start, map->at[i].end,
			   map->at[i].first_page, map->at[i].object, spaces_seq(map->at[i].object),
			   inode_number(map->at[i].object));
	rcu_read_unlock();
}

static int show_own(struct seq_file *out, void *data)
{
	mutex_lock(&mutex);
	if (nr_users)
		show_process(out, task_tgid_nr(current), current->mm);
	mutex_unlock(&mutex);
	return 0;
}

static int show_all(struct seq_file *out, void *data)
{
	struct task_struct *process, *task;
	const struct mm_struct *mm;

	mutex_lock(&mutex);
	rcu_read_lock();
	for_each_process(process) {
		mm = NULL;
		for_each_thread(process, task)
			mm = mm ?: READ_ONCE(task->mm);
		if (nr_users && mm && !(process->flags & PF_KTHREAD))
			show_process(out, process->tgid, mm);
	}
	rcu_read_unlock();
	mutex_unlock(&mutex);
	return 0;
}

static void remove_files(void)
{
	remove_proc_entry("atlas", NULL);
	remove_proc_entry("atlas_all", NULL);
}

static int __init atlas_init(void)
{
	int error = spaces_setup();

	if (error)
		return error;
	proc_create_single("atlas", 0444, NULL, show_own);
	proc_create_single("atlas_all", 0400, NULL, show_all);
	return 0;
}

static void __exit atlas_exit(void)
{
	remove_files();
	for (; nr_users; nr_users--)
		spaces_put();
	spaces_teardown();
}

module_init(atlas_init);
module_exit(atlas_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The record of mapped code");
