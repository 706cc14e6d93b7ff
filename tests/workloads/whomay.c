// SPDX-License-Identifier: GPL-2.0-only
/*
 * whomay RULES MODE: lets every identity try every operation and compares what it gets with the
 * tables of docs/privilege.md (RULES). MODE is "group"; "nogroup", where members are users like
 * others; or "locked", under lockdown=confidentiality. Runs as root in a folder of its own that
 * others may enter. Prints a matrix and what differs, and ends with 1 if anything does.
 * "whomay wait" and "whomay spin FD" are the programs that it lets run to be looked at.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kmod/uapi/cpuprobe.h"

#define GROUP	4242	/* the module's parameter gid */
#define MEMBER_STACK_KIB 16384	/* per CPU, of all members together */
#define MEMBER	1001	/* "own" is his; and the number of his other group */
#define OTHER	1002

#define KERNEL_LOW	0xffffffff81000000ULL
#define KERNEL_HIGH	0xffffffff82000000ULL
#define SOON_US		150000
#define STACK_KIB	CPUPROBE_STACK_KIB_MIN

static void need(int is_good, const char *what)
{
	if (is_good)
		return;
	printf("whomay: %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(2);
}

/* Programs to be looked at: copies of this one, each run by one user. */

enum program { OWN, THEIRS, SECRET, OWN_BY_THEM, THEIRS_BY_ME, SETUID, HIDDEN, SPINNER,
	       SPINNER_BY_THEM, SECRET_SPINNER, NR_PROGRAMS };

static const struct {
	const char *path;
	uid_t owner, user;
	mode_t mode;
	const char *verb;
} programs[NR_PROGRAMS] = {
	[OWN] = { "./own", MEMBER, MEMBER, 0755, "wait" },
	[THEIRS] = { "./theirs", 0, 0, 0755, "wait" },
	[SECRET] = { "./secret", 0, 0, 0700, "wait" },
	[OWN_BY_THEM] = { "./own_by_them", MEMBER, 0, 0755, "wait" },
	[THEIRS_BY_ME] = { "./theirs_by_me", 0, MEMBER, 0755, "wait" },
	[SETUID] = { "./setuid", 0, MEMBER, 04755, "wait" },
	[HIDDEN] = { "./hidden", 0, MEMBER, 0711, "wait" },	/* not readable: not to be dumped */
	[SPINNER] = { "./spinner", MEMBER, MEMBER, 0755, "spin" },
	[SPINNER_BY_THEM] = { "./spinner_by_them", MEMBER, 0, 0755, "spin" },
	[SECRET_SPINNER] = { "./secret_spinner", 0, 0, 0700, "spin" },
};

static struct {
	int exe_fd;
	pid_t pid;
} running[NR_PROGRAMS];

/* Whether the spinners are to be dumpable, and whether the member's is. In a file both map. */
static volatile struct {
	int wanted, is;
} *dumpable;

static volatile void *map_dumpable(int fd)
{
	void *map = mmap(NULL, sizeof(*dumpable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	need(map != MAP_FAILED, "mmap");
	return map;
}

static _Noreturn void spin(int fd)
{
	dumpable = map_dumpable(fd);
	for (;;) {
		for (volatile int i = 0; i < 10000; i++)
			;
		if (getuid() != MEMBER || dumpable->is == dumpable->wanted)
			continue;
		prctl(PR_SET_DUMPABLE, dumpable->wanted);
		dumpable->is = dumpable->wanted;
	}
}

static void program_make(enum program which)
{
	char command[256];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), programs[which].path);
	need(!system(command), "copy");
	need(!chown(programs[which].path, programs[which].owner, 0), "chown");
	need(!chmod(programs[which].path, programs[which].mode), "chmod");
	running[which].exe_fd = open(programs[which].path, O_RDONLY);
	need(running[which].exe_fd >= 0, "open");
}

static void program_run(enum program which, int flag_fd)
{
	uid_t user = programs[which].user;
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", flag_fd);
	running[which].pid = fork();
	need(running[which].pid >= 0, "fork");
	if (running[which].pid)
		return;
	need(!setgroups(0, NULL) && !setresgid(user, user, user) && !setresuid(user, user, user),
	     "become a program's user");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execl(programs[which].path, programs[which].path, programs[which].verb, fd, NULL);
	need(0, programs[which].path);
}

static void programs_start(void)
{
	int fd = open("flag", O_RDWR | O_CREAT | O_TRUNC, 0666);
	int which;

	need(fd >= 0 && !ftruncate(fd, sizeof(*dumpable)), "flag");
	dumpable = map_dumpable(fd);
	dumpable->wanted = 1;
	dumpable->is = 1;
	for (which = 0; which < NR_PROGRAMS; which++) {
		program_make(which);
		program_run(which, fd);
	}
	usleep(SOON_US);	/* until all of them are what they shall be */
}

static void programs_stop(void)
{
	int which;

	for (which = 0; which < NR_PROGRAMS; which++)
		kill(running[which].pid, SIGKILL);
}

/* Identities. */

static void keep_capabilities(unsigned long long keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	need(!syscall(SYS_capget, &header, data), "capget");
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= keep >> 32 * i;
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	need(!syscall(SYS_capset, &header, data), "capset");
}

static void become(uid_t uid, gid_t real, gid_t effective, gid_t more)
{
	need(!setgroups(more != 0, &more), "setgroups");
	need(!setresgid(real, effective, effective), "setresgid");
	need(!setresuid(uid, uid, uid), "setresuid");
	prctl(PR_SET_DUMPABLE, 1);	/* its own files in /proc are its own again */
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

/* A user namespace in which the user is root, and the own group has the number given. */
static void enter_user_namespace(uid_t uid, gid_t gid_inside, gid_t gid)
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
static void root_in_user_ns(void) { enter_user_namespace(0, 0, 0); }
static void root_before_pid_ns(void) { need(!unshare(CLONE_NEWPID), "unshare"); }
static void user(void) { become(MEMBER, MEMBER, MEMBER, 0); }
static void other(void) { become(OTHER, OTHER, OTHER, 0); }
static void member(void) { become(MEMBER, GROUP, GROUP, 0); }
static void member_more(void) { become(MEMBER, MEMBER, MEMBER, GROUP); }
static void member_setgid(void) { become(MEMBER, MEMBER, GROUP, 0); }
static void member_elsewhere(void) { become(MEMBER, GROUP, MEMBER, 0); }

static void root_without(void)
{
	keep_capabilities(~(1ULL << CAP_PERFMON | 1ULL << CAP_SYS_ADMIN));
}

/* The rest of this identity's life is a child's, which is the first process of the namespace. */
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

static void user_with(int capability)
{
	need(!prctl(PR_SET_KEEPCAPS, 1), "keep capabilities");
	user();
	keep_capabilities(1ULL << capability);
}

static void user_perfmon(void) { user_with(CAP_PERFMON); }
static void user_sys_admin(void) { user_with(CAP_SYS_ADMIN); }

static void user_in_user_ns(void)
{
	user();
	enter_user_namespace(MEMBER, 0, MEMBER);
}

static void user_as_group(void)
{
	user();
	enter_user_namespace(MEMBER, GROUP, MEMBER);
}

static void member_in_user_ns(void)
{
	member();
	enter_user_namespace(MEMBER, GROUP, GROUP);
}

static void member_as_root(void)
{
	member();
	enter_user_namespace(MEMBER, 0, GROUP);
}

/* A member by effective ids only, who can become root again: as a program of root's would. */
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

static const struct identity {
	const char *name;
	void (*become)(void);		/* what it is when it uses the device */
	void (*opener)(void);		/* what opened it; NULL: itself */
	int is_self;			/* opener and user are one process, that changes */
} identities[] = {
	{ "root", root, NULL, 0 },
	{ "root without CAP_PERFMON and CAP_SYS_ADMIN", root_without, NULL, 0 },
	{ "root that will have its children in a pid namespace", root_before_pid_ns, NULL, 0 },
	{ "root in a child pid namespace", root_in_pid_ns, NULL, 0 },
	{ "root in a child user namespace", root_in_user_ns, NULL, 0 },
	{ "user with CAP_PERFMON", user_perfmon, NULL, 0 },
	{ "user with CAP_SYS_ADMIN", user_sys_admin, NULL, 0 },
	{ "user of another group", user, NULL, 0 },
	{ "user of another group, root in a user namespace of his own", user_in_user_ns, NULL, 0 },
	{ "user of another group that a user namespace gives the group's number", user_as_group,
	  NULL, 0 },
	{ "member by primary group", member, NULL, 0 },
	{ "member by supplementary group", member_more, NULL, 0 },
	{ "member by a setgid program", member_setgid, NULL, 0 },
	{ "member who runs with another effective group", member_elsewhere, NULL, 0 },
	{ "member in a user namespace that maps the group", member_in_user_ns, NULL, 0 },
	{ "member with the group as number 0 of a user namespace", member_as_root, NULL, 0 },
	{ "user who was root when he opened the device", user, root, 1 },
	{ "root who was a member when he opened the device", root_again, member_for_now, 1 },
	{ "user who got root's descriptor", other, root, 0 },
	{ "user who got a member's descriptor", other, member, 0 },
	{ "root who got a member's descriptor", root, member, 0 },
	{ "root in a child pid namespace who got root's descriptor", root_in_pid_ns, root, 0 },
};

#define NR_IDENTITIES	(sizeof(identities) / sizeof(identities[0]))

/* Operations: each on a descriptor of its own, each says in a word how it went. */

struct operation;
typedef const char *(*operation_fn)(const struct operation *operation, int fd);

struct operation {
	const char *name;
	operation_fn run;
	unsigned int what, by, mode;
	int exe, pid;			/* enum program; -1: none */
};

static const char *word_of_error(unsigned int reason)
{
	static char word[32];

	if (errno == EPERM && reason == CPUPROBE_REASON_OWNER)
		return "owner";
	if (errno == EPERM && reason == CPUPROBE_REASON_KERNEL)
		return "kernel";
	if (errno == EPERM && reason == CPUPROBE_REASON_LOCKDOWN)
		return "lockdown";
	snprintf(word, sizeof(word), "%s", strerrorname_np(errno));
	return word;
}

static const char *start(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = { .size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.what = operation->what, .by = operation->by, .mode = operation->mode,
		.period_ns = 1000000, .exe_fd = -1, .cgroup_fd = -1 };

	if (operation->exe >= 0)
		request.exe_fd = running[operation->exe].exe_fd;
	if (operation->pid >= 0)
		request.pid = running[operation->pid].pid;
	if (request.what == CPUPROBE_WHAT_STACKS) {
		request.frames = operation->by;
		request.by = 0;
		request.stack_kib = STACK_KIB;
	}
	if (request.what == CPUPROBE_WHAT_PROCESS) {
		int is_kernel = request.mode == CPUPROBE_MODE_KERNEL;

		request.low = is_kernel ? KERNEL_LOW : 0x1000;
		request.high = is_kernel ? KERNEL_HIGH : 0x100000;
		request.code_start = is_kernel ? 0 : 0x1000;
	}
	return ioctl(fd, CPUPROBE_IOC_START, &request) ? word_of_error(request.reason) : "yes";
}

static const char *is_open(const struct operation *operation, int fd)
{
	(void)operation;
	(void)fd;
	return "yes";	/* otherwise nobody would have come here */
}

static const char *info(const struct operation *operation, int fd)
{
	struct cpuprobe_info reply = { .size = sizeof(reply) };

	(void)operation;
	if (ioctl(fd, CPUPROBE_IOC_INFO, &reply))
		return word_of_error(0);
	return reply.access == 2 ? "2" : reply.access == 1 ? "1" : "?";
}

static const char *areas(const struct operation *operation, int fd)
{
	int is_kernel = operation->pid < 0;
	struct cpuprobe_area area = { .start = is_kernel ? KERNEL_LOW : 0x1000,
		.end = is_kernel ? KERNEL_HIGH : 0x2000, .object = CPUPROBE_OBJECT_FIRST,
		.pid = is_kernel ? 0 : running[operation->pid].pid };
	struct cpuprobe_areas request = { .size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.nr_areas = 1, .areas = (unsigned long)&area };

	return ioctl(fd, CPUPROBE_IOC_AREAS, &request) ? word_of_error(0) : "yes";
}

/* One CPU's harvest, as far as it fills a buffer of process mode; -1: the error's. */
static int harvest_cpu(int fd, unsigned int cpu, unsigned long long *seq,
		       unsigned long long *targets)
{
	static __u64 counts[CPUPROBE_RECORDS * sizeof(struct cpuprobe_record) / 8];
	struct cpuprobe_harvest request = { .size = sizeof(request),
		.version = CPUPROBE_ABI_VERSION, .cpu = cpu, .buffer = (unsigned long)counts,
		.buffer_len = sizeof(counts), .ack = *seq };

	if (ioctl(fd, CPUPROBE_IOC_HARVEST, &request))
		return -1;
	if (request.account.seq != *seq)
		for (unsigned int i = 0; i < request.account.objects; i++)
			*targets += counts[i];
	*seq = request.account.seq;
	return 0;
}

static const char *harvest_and_stop(const struct operation *operation, int fd)
{
	unsigned long long seq = 0, targets = 0;

	if (strcmp(start(operation, fd), "yes"))
		return "not started";
	if (harvest_cpu(fd, 0, &seq, &targets) || ioctl(fd, CPUPROBE_IOC_STOP) ||
	    harvest_cpu(fd, 0, &seq, &targets))
		return word_of_error(0);
	return "yes";
}

static void set_dumpable(int wanted)
{
	int patience = 2000;

	dumpable->wanted = wanted;
	while (dumpable->is != wanted && patience--)
		usleep(SOON_US / 100);
	need(dumpable->is == wanted, "the spinner does not listen");
}

static unsigned long long harvest_all(int fd, unsigned long long *seq)
{
	unsigned long long targets = 0;

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		need(!harvest_cpu(fd, cpu, &seq[cpu], &targets), "harvest");
	return targets;
}

/* Whether the target, which computes all the time, is ever seen at an address. */
static const char *samples(const struct operation *operation, int fd)
{
	static unsigned long long seq[64];

	if (strcmp(start(operation, fd), "yes"))
		return "not started";
	memset(seq, 0, sizeof(seq));
	harvest_all(fd, seq);
	for (int i = 0; i < 3; i++) {
		usleep(SOON_US);
		if (harvest_all(fd, seq))
			return "yes";
	}
	return "none";
}

static const char *samples_of_hidden(const struct operation *operation, int fd)
{
	static unsigned long long seq[64];
	const char *word;

	set_dumpable(1);
	word = start(operation, fd);
	set_dumpable(0);
	memset(seq, 0, sizeof(seq));
	if (!strcmp(word, "yes")) {
		harvest_all(fd, seq);
		usleep(2 * SOON_US);
		word = harvest_all(fd, seq) ? "yes" : "none";
	}
	set_dumpable(1);
	return word;
}

static int cgroup_fd;	/* of the group that all processes are in */

static const char *start_cgroup(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = { .size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.what = operation->what, .period_ns = 1000000, .exe_fd = -1, .cgroup_fd = cgroup_fd,
		.frames = operation->by };

	return ioctl(fd, CPUPROBE_IOC_START, &request) ? word_of_error(request.reason) : "yes";
}

/* The same descriptor may still have what is allowed, and what it has claimed in vain is nobody's. */
static const char *start_large(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = { .size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.what = operation->what, .period_ns = 1000000, .exe_fd = -1, .cgroup_fd = -1,
		.frames = operation->by, .stack_kib = MEMBER_STACK_KIB + 1 };

	if (!ioctl(fd, CPUPROBE_IOC_START, &request))
		return "yes";
	if (errno != ENOMEM || request.reason != CPUPROBE_REASON_MEMORY)
		return word_of_error(request.reason);
	request.stack_kib = MEMBER_STACK_KIB;
	return ioctl(fd, CPUPROBE_IOC_START, &request) ? "more than that" : "memory";
}

/** What a session of stacks has told. */
struct told {
	int is_target, are_others;	/* the program asked for; those whom a member has no business with */
	int exe_fd, exe_errno;		/* the target's executable, or why not */
};

static void look_at_stacks(int fd, const struct cpuprobe_harvest *harvest, pid_t target,
			   struct told *told)
{
	const char *at = (const char *)(unsigned long)harvest->buffer, *end = at + harvest->account.bytes;

	at += harvest->account.objects * sizeof(struct cpuprobe_exe);
	while (at < end) {
		const struct cpuprobe_stack *stack = (const void *)at;
		struct cpuprobe_open request = { .size = sizeof(request),
			.version = CPUPROBE_ABI_VERSION, .cpu = harvest->cpu, .exe = stack->exe - 1,
			.seq = harvest->account.seq };

		at += sizeof(*stack) + 8 * (stack->nr_kernel + stack->nr_user);
		told->are_others |= stack->kind != CPUPROBE_KIND_PROCESS ||
			(pid_t)stack->pid == running[SPINNER_BY_THEM].pid ||
			(pid_t)stack->pid == running[SECRET_SPINNER].pid;
		if ((pid_t)stack->pid != target || told->is_target)
			continue;
		told->is_target = 1;
		told->exe_fd = ioctl(fd, CPUPROBE_IOC_EXE, &request);
		told->exe_errno = errno;
	}
}

static void harvest_stacks(int fd, pid_t target, struct told *told)
{
	static __u64 counts[STACK_KIB * 512 / 8], seq[64];
	struct cpuprobe_harvest request = { .size = sizeof(request), .version = CPUPROBE_ABI_VERSION,
		.buffer = (unsigned long)counts, .buffer_len = sizeof(counts) };

	memset(seq, 0, sizeof(seq));
	for (int i = 0; i < 4 && !told->is_target; i++) {
		usleep(SOON_US);
		for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
			request.cpu = cpu;
			request.ack = seq[cpu];
			need(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request), "harvest");
			if (request.account.seq != seq[cpu])
				look_at_stacks(fd, &request, target, told);
			seq[cpu] = request.account.seq;
		}
	}
}

static const char *tell_stacks(const struct operation *operation, int fd, struct told *told)
{
	struct operation everybody = *operation;
	const char *word;

	everybody.pid = -1;
	memset(told, 0, sizeof(*told));
	told->exe_fd = -1;
	word = start(&everybody, fd);
	if (!strcmp(word, "yes"))
		harvest_stacks(fd, running[operation->pid].pid, told);
	return word;
}

/* Of a session that asks for everybody: is this program among them? */
static const char *stacks(const struct operation *operation, int fd)
{
	struct told told;

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	close(told.exe_fd);
	return told.is_target ? "yes" : "none";
}

static const char *stacks_of_hidden(const struct operation *operation, int fd)
{
	const char *word;

	set_dumpable(0);
	word = stacks(operation, fd);
	set_dumpable(1);
	return word;
}

static const char *stacks_of_others(const struct operation *operation, int fd)
{
	struct told told;

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	close(told.exe_fd);
	return told.are_others ? "yes" : "none";
}

/* Opened by way of the session, or not, as by its name; which is in a folder that all may enter. */
static const char *exe(const struct operation *operation, int fd)
{
	int by_name = open(programs[operation->pid].path, O_RDONLY), error = errno;
	struct told told;
	const char *word = "as open()";

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	if (!told.is_target)
		word = "none";
	else if ((told.exe_fd < 0) != (by_name < 0) || (by_name < 0 && told.exe_errno != error))
		word = "not as open()";
	close(by_name);
	close(told.exe_fd);
	return word;
}

#define SYSTEM(by)	start, CPUPROBE_WHAT_SYSTEM, by, 0, -1, -1
#define PROCESS(exe, pid) start, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_USER, exe, pid
#define KERNEL(exe, pid) start, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_KERNEL, exe, pid
#define SAMPLES(how, exe, pid) how, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_USER, exe, pid
#define STACKS(how, frames, exe, pid) how, CPUPROBE_WHAT_STACKS, CPUPROBE_FRAMES_ ## frames, 0, exe, pid

static const struct operation operations[] = {
	{ "open the device", is_open, 0, 0, 0, -1, -1 },
	{ "INFO, what it says of access", info, 0, 0, 0, -1, -1 },
	{ "START system by executable", SYSTEM(CPUPROBE_BY_EXE) },
	{ "START system by process", SYSTEM(CPUPROBE_BY_PID) },
	{ "START system by thread", SYSTEM(CPUPROBE_BY_THREAD) },
	{ "START system by command name", SYSTEM(CPUPROBE_BY_COMM) },
	{ "START system by control group", SYSTEM(CPUPROBE_BY_CGROUP) },
	{ "START own executable", PROCESS(OWN, -1) },
	{ "START another's executable", PROCESS(THEIRS, -1) },
	{ "START another's executable that only he can read", PROCESS(SECRET, -1) },
	{ "START own process", PROCESS(OWN, OWN) },
	{ "START own process of another's executable", PROCESS(THEIRS_BY_ME, THEIRS_BY_ME) },
	{ "START own process of a setuid program", PROCESS(SETUID, SETUID) },
	{ "START own process that may not be dumped", PROCESS(HIDDEN, HIDDEN) },
	{ "START another's process", PROCESS(THEIRS, THEIRS) },
	{ "START another's process of own executable", PROCESS(OWN_BY_THEM, OWN_BY_THEM) },
	{ "START kernel mode of own process", KERNEL(-1, OWN) },
	{ "START kernel mode of own executable", KERNEL(OWN, -1) },
	{ "START kernel mode of another's process", KERNEL(-1, THEIRS) },
	{ "START lateness", start, CPUPROBE_WHAT_LATE, 0, 0, -1, -1 },
	{ "AREAS of own process", areas, 0, 0, 0, -1, OWN },
	{ "AREAS of another's process", areas, 0, 0, 0, -1, THEIRS },
	{ "AREAS of the kernel", areas, 0, 0, 0, -1, -1 },
	{ "HARVEST and STOP", harvest_and_stop, CPUPROBE_WHAT_SYSTEM, 0, 0, -1, -1 },
	{ "samples of own executable, run by itself", SAMPLES(samples, SPINNER, -1) },
	{ "samples of own executable, run by another", SAMPLES(samples, SPINNER_BY_THEM, -1) },
	{ "samples of own process that may no longer be dumped",
	  SAMPLES(samples_of_hidden, SPINNER, SPINNER) },
	{ "START user stacks of the machine", STACKS(start, USER, -1, -1) },
	{ "START kernel stacks of the machine", STACKS(start, KERNEL, -1, -1) },
	{ "START user stacks of own executable", STACKS(start, USER, OWN, -1) },
	{ "START user stacks of another's executable", STACKS(start, USER, THEIRS, -1) },
	{ "START user stacks of own process", STACKS(start, USER, -1, OWN) },
	{ "START kernel stacks of own process", STACKS(start, KERNEL, -1, OWN) },
	{ "START user stacks of own process of a setuid program", STACKS(start, USER, -1, SETUID) },
	{ "START user stacks of another's process", STACKS(start, USER, -1, THEIRS) },
	{ "START user stacks of a control group", STACKS(start_cgroup, USER, -1, -1) },
	{ "START kernel stacks of a control group", STACKS(start_cgroup, KERNEL, -1, -1) },
	{ "START stacks in more memory than all members may hold", STACKS(start_large, USER, -1, -1) },
	{ "stacks of own process", STACKS(stacks, USER, -1, SPINNER) },
	{ "stacks of own process that may no longer be dumped",
	  STACKS(stacks_of_hidden, USER, -1, SPINNER) },
	{ "stacks of another's process", STACKS(stacks, USER, -1, SPINNER_BY_THEM) },
	{ "stacks of the kernel's threads, of idle or of another's processes",
	  STACKS(stacks_of_others, USER, -1, SPINNER_BY_THEM) },
	{ "EXE of what all may read", STACKS(exe, USER, -1, SPINNER) },
	{ "EXE of what only root may read", STACKS(exe, USER, -1, SECRET_SPINNER) },
};

#define NR_OPERATIONS	(sizeof(operations) / sizeof(operations[0]))

/* The rules: the two tables, by name. */

enum { COLUMNS = 5 };

static struct rule {
	char cell[COLUMNS][96];
	int nr_cells;
	int is_used;
} rules[128];
static int nr_rules;

static void rule_parse(char *line)
{
	struct rule *rule = &rules[nr_rules];
	char *cell, *rest = line + 1;
	size_t len;

	rule->nr_cells = 0;
	while ((cell = strsep(&rest, "|")) && rest && rule->nr_cells < COLUMNS) {
		cell += strspn(cell, " ");
		len = strlen(cell);
		while (len && cell[len - 1] == ' ')
			cell[--len] = '\0';
		snprintf(rule->cell[rule->nr_cells++], sizeof(rule->cell[0]), "%s", cell);
	}
	nr_rules++;
}

static void rules_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	need(file != NULL, path);
	/* What comes behind the tables is for people. */
	while (fgets(line, sizeof(line), file) && strncmp(line, "## ", 3))
		if (line[0] == '|' && strncmp(line, "| ---", 5) &&
		    strncmp(line, "| identity", 10) && strncmp(line, "| operation", 11) &&
		    nr_rules < 128)
			rule_parse(line);
	fclose(file);
}

static const struct rule *rule_of(const char *name, int nr_cells)
{
	for (int i = 0; i < nr_rules; i++)
		if (rules[i].nr_cells == nr_cells && !strcmp(rules[i].cell[0], name)) {
			rules[i].is_used = 1;
			return &rules[i];
		}
	printf("whomay: the rules do not know: %s\n", name);
	exit(2);
}

/* The column of the table of operations that holds for an identity. */
static int column_of(const struct identity *identity, const char *mode)
{
	const char *may = rule_of(identity->name, 2)->cell[1];

	if (!strcmp(may, "everything"))
		return strcmp(mode, "locked") ? 1 : 2;
	if (!strcmp(may, "group"))
		return strcmp(mode, "nogroup") ? 3 : 4;
	need(!strcmp(may, "nothing"), may);
	return 4;
}

static void rules_are_used(void)
{
	for (int i = 0; i < nr_rules; i++)
		if (!rules[i].is_used) {
			printf("whomay: nobody tests the rule: %s\n", rules[i].cell[0]);
			exit(2);
		}
}

/* Descriptors: a number, or -errno of the open. */

static void open_all(int *fd)
{
	for (size_t i = 0; i < NR_OPERATIONS; i++) {
		fd[i] = open("/dev/cpuprobe", O_RDWR);
		if (fd[i] < 0)
			fd[i] = -errno;
	}
}

static void send_all(int socket, const int *fd)
{
	char control[CMSG_SPACE(sizeof(int) * NR_OPERATIONS)] = { 0 };
	int is_open = fd[0] >= 0 ? 0 : fd[0];
	struct iovec iov = { &is_open, sizeof(is_open) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *header;

	if (!is_open) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int) * NR_OPERATIONS);
		memcpy(CMSG_DATA(header), fd, sizeof(int) * NR_OPERATIONS);
	}
	need(sendmsg(socket, &message, 0) == sizeof(is_open), "sendmsg");
}

static void receive_all(int socket, int *fd)
{
	char control[CMSG_SPACE(sizeof(int) * NR_OPERATIONS)];
	int is_open = 0;
	struct iovec iov = { &is_open, sizeof(is_open) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };

	need(recvmsg(socket, &message, 0) == sizeof(is_open), "recvmsg");
	if (is_open)
		for (size_t i = 0; i < NR_OPERATIONS; i++)
			fd[i] = is_open;
	else
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int) * NR_OPERATIONS);
}

/* In the process that will try: become the identity, with descriptors as it gets them. */
static void identity_take(const struct identity *identity, int *fd)
{
	int sockets[2];

	if (identity->opener && !identity->is_self) {
		need(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), "socketpair");
		if (!fork()) {
			identity->opener();
			open_all(fd);
			send_all(sockets[1], fd);
			_exit(0);
		}
		identity->become();
		receive_all(sockets[0], fd);
	} else if (identity->opener) {
		identity->opener();
		open_all(fd);
		identity->become();
	} else {
		identity->become();
		open_all(fd);
	}
}

static const char *try_operation(const struct operation *operation, int fd)
{
	const char *word;

	if (fd < 0) {
		errno = -fd;
		return operation->run == is_open ? word_of_error(0) : "-";
	}
	word = operation->run(operation, fd);
	close(fd);
	return word;
}

/* The mount is needed for that only. */
static void cgroup_open(void)
{
	need(!mkdir("cgroup", 0755) || errno == EEXIST, "mkdir");
	need(!mount("none", "cgroup", "cgroup2", 0, NULL), "mount cgroup2");
	cgroup_fd = open("cgroup", O_RDONLY | O_CLOEXEC);
	need(cgroup_fd >= 0 && !umount2("cgroup", MNT_DETACH), "cgroup");
}

/* Ends with the number of cells that differ. */
static int identity_try(const struct identity *identity, int column)
{
	int fd[NR_OPERATIONS], nr_wrong = 0;
	size_t i;

	identity_take(identity, fd);
	for (i = 0; i < NR_OPERATIONS; i++) {
		const char *wanted = rule_of(operations[i].name, COLUMNS)->cell[column];
		const char *word = try_operation(&operations[i], fd[i]);

		printf("%s ", word);
		if (strcmp(word, wanted)) {
			printf("(instead of %s: %s) ", wanted, operations[i].name);
			nr_wrong++;
		}
	}
	printf("| %s\n", identity->name);
	fflush(stdout);
	return nr_wrong;
}

int main(int argc, char **argv)
{
	int nr_wrong = 0, status;
	pid_t pid;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "wait"))
		return pause();
	if (argc > 2 && !strcmp(argv[1], "spin"))
		spin(atoi(argv[2]));
	need(argc == 3, "usage: whomay RULES group|nogroup|locked");
	rules_read(argv[1]);
	cgroup_open();
	programs_start();
	for (i = 0; i < NR_OPERATIONS; i++)
		rule_of(operations[i].name, COLUMNS);
	for (i = 0; i < NR_IDENTITIES; i++) {
		int column = column_of(&identities[i], argv[2]);

		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(identity_try(&identities[i], column));
		waitpid(pid, &status, 0);
		nr_wrong += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
	programs_stop();
	rules_are_used();
	printf("%zu cells, %d wrong\n", NR_IDENTITIES * NR_OPERATIONS, nr_wrong);
	return nr_wrong ? 1 : 0;
}
