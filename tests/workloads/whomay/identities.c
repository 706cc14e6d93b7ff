// SPDX-License-Identifier: GPL-2.0-only
/* Identities of callers: users, members of the group, root, each also in namespaces. */
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "whomay.h"

static void keep_capabilities(unsigned long long permitted, unsigned long long effective)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	need(!syscall(SYS_capget, &header, data), "capget");
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= permitted >> 32 * i;
		data[i].effective = data[i].permitted & effective >> 32 * i;
		data[i].inheritable = 0;
	}
	need(!syscall(SYS_capset, &header, data), "capset");
}

void identity_become(uid_t uid, gid_t real, gid_t effective, gid_t more)
{
	need(!setgroups(more != 0, &more), "setgroups");
	need(!setresgid(real, effective, effective), "setresgid");
	need(!setresuid(uid, uid, uid), "setresuid");
	prctl(PR_SET_DUMPABLE, 1);	/* own the files in /proc/self again */
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

/* The user is root in the namespace, and @gid has the number @gid_inside there. */
void identity_enter_ns(uid_t uid, gid_t gid_inside, gid_t gid)
{
	char map[64];

	need(!unshare(CLONE_NEWUSER), "unshare");
	snprintf(map, sizeof(map), "0 %u 1\n", uid);
	write_file("/proc/self/uid_map", map);
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "%u %u 1\n", gid_inside, gid);
	write_file("/proc/self/gid_map", map);
}

static void root(void) { }
static void root_in_user_ns(void) { identity_enter_ns(0, 0, 0); }
static void root_before_pid_ns(void) { need(!unshare(CLONE_NEWPID), "unshare"); }
static void user(void) { identity_become(MEMBER, MEMBER, MEMBER, 0); }
static void other(void) { identity_become(OTHER, OTHER, OTHER, 0); }
static void member(void) { identity_become(MEMBER, GROUP, GROUP, 0); }
static void member_more(void) { identity_become(MEMBER, MEMBER, MEMBER, GROUP); }
static void member_setgid(void) { identity_become(MEMBER, MEMBER, GROUP, 0); }
static void member_elsewhere(void) { identity_become(MEMBER, GROUP, MEMBER, 0); }

static void root_without(void)
{
	keep_capabilities(~(1ULL << CAP_PERFMON | 1ULL << CAP_SYS_ADMIN), -1);
}

/* Returns in a child only, which is the first process of the namespace. */
static void root_in_pid_ns(void)
{
	int status;
	pid_t pid;

	root_before_pid_ns();
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid)
		return;
	waitpid(pid, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

void identity_become_with(uid_t uid, gid_t gid, gid_t more, unsigned long long permitted,
			  unsigned long long effective)
{
	need(!prctl(PR_SET_KEEPCAPS, 1), "keep capabilities");
	identity_become(uid, gid, gid, more);
	keep_capabilities(permitted, effective);
}

static void user_with(int capability)
{
	identity_become_with(MEMBER, MEMBER, 0, 1ULL << capability, -1);
}

static void user_perfmon(void) { user_with(CAP_PERFMON); }
static void user_sys_admin(void) { user_with(CAP_SYS_ADMIN); }

static void user_in_user_ns(void)
{
	user();
	identity_enter_ns(MEMBER, 0, MEMBER);
}

static void user_as_group(void)
{
	user();
	identity_enter_ns(MEMBER, GROUP, MEMBER);
}

static void member_in_user_ns(void)
{
	member();
	identity_enter_ns(MEMBER, GROUP, GROUP);
}

static void member_as_root(void)
{
	member();
	identity_enter_ns(MEMBER, 0, GROUP);
}

/* A member by effective ids only, who can become root again, as a daemon of root does. */
static void member_for_now(void)
{
	gid_t none = 0;

	need(!setgroups(0, &none) && !setresgid(GROUP, GROUP, GROUP) &&
	     !setresuid(-1, MEMBER, -1), "become a member for now");
}

static void root_again(void)
{
	need(!setresuid(0, 0, 0), "become root again");
}

const struct identity identities[] = {
	{ .name = "root", .become = root },
	{ .name = "root without CAP_PERFMON and CAP_SYS_ADMIN", .become = root_without },
	{ .name = "root that will have its children in a pid namespace",
	  .become = root_before_pid_ns },
	{ .name = "root in a child pid namespace", .become = root_in_pid_ns },
	{ .name = "root in a child user namespace", .become = root_in_user_ns },
	{ .name = "user with CAP_PERFMON", .become = user_perfmon },
	{ .name = "user with CAP_SYS_ADMIN", .become = user_sys_admin },
	{ .name = "user of another group", .become = user },
	{ .name = "user of another group, root in a user namespace of his own",
	  .become = user_in_user_ns },
	{ .name = "user of another group that a user namespace gives the group's number",
	  .become = user_as_group },
	{ .name = "member by primary group", .become = member, .gid = GROUP },
	{ .name = "member by supplementary group", .become = member_more },
	{ .name = "member by a setgid program", .become = member_setgid },
	{ .name = "member who runs with another effective group", .become = member_elsewhere },
	{ .name = "member in a user namespace that maps the group", .become = member_in_user_ns },
	{ .name = "member with the group as number 0 of a user namespace",
	  .become = member_as_root },
	{ .name = "user who was root when he opened the device",
	  .become = user, .opener = root, .is_self = 1 },
	{ .name = "root who was a member when he opened the device",
	  .become = root_again, .opener = member_for_now, .is_self = 1, .gid = GROUP },
	{ .name = "user who got root's descriptor", .become = other, .opener = root },
	{ .name = "user who got a member's descriptor",
	  .become = other, .opener = member, .gid = GROUP },
	{ .name = "root who got a member's descriptor",
	  .become = root, .opener = member, .gid = GROUP },
	{ .name = "root in a child pid namespace who got root's descriptor",
	  .become = root_in_pid_ns, .opener = root },
};

const size_t nr_identities = sizeof(identities) / sizeof(identities[0]);
