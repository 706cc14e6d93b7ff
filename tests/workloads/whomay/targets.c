// SPDX-License-Identifier: GPL-2.0-only
/* Processes to be seen or not, each different from a member's process in one respect. */
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/xattr.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "whomay.h"

/* A change of ids makes a process undumpable; undo that, so that only the ids decide. */
static void live_with_ids(uid_t real, uid_t effective, uid_t saved, gid_t gid_real,
			  gid_t gid_effective, gid_t gid_saved)
{
	need(!setgroups(0, NULL) && !setresgid(gid_real, gid_effective, gid_saved) &&
	     !setresuid(real, effective, saved), "a target's ids");
	process_be_busy(1);
}

static void live_with_uids(uid_t real, uid_t effective, uid_t saved)
{
	live_with_ids(real, effective, saved, MEMBER, MEMBER, MEMBER);
}

static void live_with_gids(gid_t real, gid_t effective, gid_t saved)
{
	live_with_ids(MEMBER, MEMBER, MEMBER, real, effective, saved);
}

static void own(void) { live_with_uids(MEMBER, MEMBER, MEMBER); }
static void other_real(void) { live_with_uids(OTHER, MEMBER, MEMBER); }
static void other_effective(void) { live_with_uids(MEMBER, OTHER, MEMBER); }
static void other_saved(void) { live_with_uids(MEMBER, MEMBER, OTHER); }
static void other_group(void) { live_with_gids(GROUP, MEMBER, MEMBER); }
static void other_effective_group(void) { live_with_gids(MEMBER, GROUP, MEMBER); }
static void other_saved_group(void) { live_with_gids(MEMBER, MEMBER, GROUP); }
static void all_other_group(void) { live_with_gids(GROUP, GROUP, GROUP); }
static void another(void) { live_with_ids(OTHER, OTHER, OTHER, OTHER, OTHER, OTHER); }
static void root(void) { process_be_busy(1); }

static void more_groups(void)
{
	identity_become(MEMBER, MEMBER, MEMBER, OTHER);
	process_be_busy(1);
}

/* A process that has given up root stays undumpable. */
static void was_root(void)
{
	need(!setgroups(0, NULL) && !setresgid(MEMBER, MEMBER, MEMBER) &&
	     !setresuid(MEMBER, MEMBER, MEMBER), "a target's ids");
	process_be_busy(-1);
}

static void undumpable(void)
{
	identity_become(MEMBER, MEMBER, MEMBER, 0);
	process_be_busy(0);
}

/* Executes a program as the member; @dumpable: its argument of process_be_busy(), or NULL. */
static void live_in(const char *path, const char *dumpable)
{
	identity_become(MEMBER, MEMBER, MEMBER, 0);
	execl(path, path, "busy", dumpable, NULL);
	need(0, path);
}

static void setgid_program(void)
{
	program_copy("./setgid_program", 0, GROUP, 02755);
	live_in("./setgid_program", NULL);
}

static void setgid_program_dumpable(void)
{
	program_copy("./setgid_dumpable", 0, GROUP, 02755);
	live_in("./setgid_dumpable", "1");
}

static void setuid_program(void)
{
	program_copy("./setuid_program", 0, 0, 04755);
	live_in("./setuid_program", "1");
}

static void unreadable_program(void)
{
	program_copy("./unreadable_program", 0, 0, 0711);
	live_in("./unreadable_program", NULL);
}

static void file_capabilities(void)
{
	struct vfs_cap_data caps = { .magic_etc = VFS_CAP_REVISION_2 };

	caps.data[0].permitted = 1U << CAP_NET_RAW;
	program_copy("./file_capabilities", MEMBER, MEMBER, 0755);
	need(!setxattr("./file_capabilities", XATTR_NAME_CAPS, &caps, XATTR_CAPS_SZ_2, 0), "xattr");
	live_in("./file_capabilities", "1");
}

/* A capability as systemd grants with AmbientCapabilities= to a service of the user. */
static void ambient_capability(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	program_copy("./ambient_capability", MEMBER, MEMBER, 0755);
	identity_become_with(MEMBER, MEMBER, 0, 1ULL << CAP_NET_RAW, -1);
	need(!syscall(SYS_capget, &header, data), "capget");
	data[0].inheritable = data[0].permitted;
	need(!syscall(SYS_capset, &header, data), "capset");
	need(!prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0), "ambient");
	execl("./ambient_capability", "./ambient_capability", "busy", NULL);
	need(0, "ambient_capability");
}

static void own_namespace(void)
{
	identity_become(MEMBER, MEMBER, MEMBER, 0);
	identity_enter_ns(MEMBER, MEMBER, MEMBER);
	process_be_busy(1);
}

static void namespace_within(void)
{
	identity_become(MEMBER, MEMBER, MEMBER, 0);
	identity_enter_ns(MEMBER, MEMBER, MEMBER);
	identity_enter_ns(0, MEMBER, MEMBER);
	process_be_busy(1);
}

static void write_map(pid_t pid, const char *name)
{
	char path[64], map[64];
	int fd, len = snprintf(map, sizeof(map), "0 %u 1\n", MEMBER);

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_WRONLY);
	need(fd >= 0 && write(fd, map, len) == len, path);
	close(fd);
}

/* Enters a namespace that root has made, where the member's ids are 0. */
static void enter_roots_namespace(void)
{
	int go[2], status;
	char byte;
	pid_t pid;

	need(!pipe(go), "pipe");
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		need(read(go[0], &byte, 1) == 1, "read");
		write_map(getppid(), "uid_map");
		write_map(getppid(), "gid_map");
		_exit(0);
	}
	need(!unshare(CLONE_NEWUSER) && write(go[1], "", 1) == 1, "unshare");
	need(waitpid(pid, &status, 0) == pid && !status, "maps");
	need(!setgroups(0, NULL) && !setresgid(0, 0, 0) && !setresuid(0, 0, 0), "ids");
	close(go[0]);
	close(go[1]);
}

static void roots_namespace(void)
{
	enter_roots_namespace();
	process_be_busy(1);
}

static void own_namespace_in_roots(void)
{
	enter_roots_namespace();
	prctl(PR_SET_DUMPABLE, 1);
	identity_enter_ns(0, 0, 0);
	process_be_busy(1);
}

static void *be_busy(void *none)
{
	process_be_busy(1);
}

static void first_thread_ends(void)
{
	pthread_t thread;

	identity_become(MEMBER, MEMBER, MEMBER, 0);
	need(!pthread_create(&thread, NULL, be_busy, NULL), "thread");
	pthread_exit(NULL);
}

static void end(void)
{
	identity_become(MEMBER, MEMBER, MEMBER, 0);
	process_is_ready();
	_exit(0);
}

const struct target targets[] = {
	{ "of his own", own, 0 },
	{ "with more groups", more_groups, 0 },
	{ "with another's real user", other_real, 0 },
	{ "with another's effective user", other_effective, 0 },
	{ "with another's saved user", other_saved, 0 },
	{ "with another real group", other_group, 0 },
	{ "with another effective group", other_effective_group, 0 },
	{ "with another saved group", other_saved_group, 0 },
	{ "with another group all through", all_other_group, 0 },
	{ "of a setgid program", setgid_program, 0 },
	{ "of a setgid program that lets itself be dumped", setgid_program_dumpable, 0 },
	{ "of a setuid program that lets itself be dumped", setuid_program, 0 },
	{ "of a program that he may not read", unreadable_program, 0 },
	{ "with file capabilities, that lets itself be dumped", file_capabilities, 0 },
	{ "with an ambient capability", ambient_capability, 0 },
	[TARGET_OWN_NS] = { "in a user namespace that he has made", own_namespace, 0 },
	{ "in a namespace made within such a one", namespace_within, 0 },
	{ "in a user namespace that root has made", roots_namespace, 0 },
	{ "in a namespace that he has made within root's", own_namespace_in_roots, 0 },
	{ "that may not be dumped", undumpable, 0 },
	{ "that was root's", was_root, 0 },
	{ "whose first thread has ended", first_thread_ends, 0 },
	{ "that has ended", end, 1 },
	[TARGET_KTHREAD] = { "of the kernel", NULL, 1 },
	{ "of another user", another, 0 },
	{ "of root", root, 0 },
};

const size_t nr_targets = sizeof(targets) / sizeof(targets[0]);

void targets_start(pid_t *pid_ret)
{
	for (size_t i = 0; i < nr_targets; i++) {
		if (i == TARGET_KTHREAD) {
			pid_ret[i] = 2;		/* kthreadd */
			continue;
		}
		pid_ret[i] = fork();
		need(pid_ret[i] >= 0, "fork");
		if (!pid_ret[i])
			targets[i].live();
		processes_ready(1);
	}
}

void targets_stop(const pid_t *pid)
{
	for (size_t i = 0; i < nr_targets; i++)
		if (i != TARGET_KTHREAD)
			kill(pid[i], SIGKILL);
}
