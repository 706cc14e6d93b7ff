// SPDX-License-Identifier: GPL-2.0-only
/*
 * siege: a member of the group takes from the device all that it gives. Run as that user. What the
 * limits must not let happen is printed, and ends the program with 1.
 *
 *   siege open N            open the device N times, or until that is refused
 *   siege start N           start sessions at 1 Hz until that is refused, N at most
 *   siege orders N          N opens, starts, stops, areas, harvests and closes in random order
 *   siege hold KIND         hold as much memory as it gives, by sessions only opened, by areas, by
 *                           stacks that are stopped, or by all three; then wait for a signal
 *   siege pack N SECONDS    N sessions whose seeds place all their samples in the same instant of
 *                           each second: for how long the CPU is then away from a program
 *   siege users N           as root: become the member, be N users in a user namespace that these
 *                           were delegated to, and have each start sessions
 *
 * The last line printed has the figures.
 */
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../../kmod/grid.c"
#include "session.h"

#define FILES_MAX	20000
#define MEMBER_SESSIONS	8	/* the module's member_sessions */
#define SLOTS		64
#define MEMBER		1001
#define GROUP		4242	/* the module's gid */
#define DELEGATED	100000	/* first of the users that the member may be in a namespace */
#define BUCKET_NS	100000	/* as near as pack() places samples to each other */
#define BUCKETS		(CPUPROBE_PERIOD_MAX_NS / BUCKET_NS)

static int files[FILES_MAX];
static struct cpuprobe_area areas[CPUPROBE_AREAS_MAX];
static __u64 seeds[BUCKETS];

/* A descriptor, or minus errno. */
static int open_device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* START: user stacks if @stack_kib, else the system. 0 or errno; the reason in *reason_ret. */
static int start(int fd, __u32 stack_kib, __u64 period_ns, __u64 seed, __u32 *reason_ret)
{
	unsigned char cpu0 = 1;
	struct cpuprobe_start request = START(
		.what = stack_kib ? CPUPROBE_WHAT_STACKS : CPUPROBE_WHAT_SYSTEM,
		.frames = stack_kib ? CPUPROBE_FRAMES_USER : 0, .stack_kib = stack_kib,
		.jitter = CPUPROBE_JITTER_NONE, .period_ns = period_ns, .seed = seed);
	int error;

	if (!stack_kib) {	/* all on one CPU */
		request.cpus = (uintptr_t)&cpu0;
		request.cpus_len = 1;
	}
	error = ioctl(fd, CPUPROBE_IOC_START, &request) ? errno : 0;
	*reason_ret = request.reason;
	return error;
}

static int set_areas(int fd, __u32 nr)
{
	struct cpuprobe_areas request = REQUEST(areas, .nr_areas = nr, .areas = (uintptr_t)areas);

	return ioctl(fd, CPUPROBE_IOC_AREAS, &request) ? errno : 0;
}

/* Until it is refused, which must be for want of the user's memory. How many there are. */
static int open_many(int nr)
{
	int i, fd = 0;

	for (i = 0; i < nr; i++) {
		fd = open_device();
		if (fd < 0)
			break;
		files[i] = fd;
	}
	if (fd < 0)
		session_equal("open refused for", -fd, EDQUOT);
	return i;
}

static int start_many(int nr)
{
	__u32 reason = 0;
	int i, error;

	for (i = 0; i < nr; i++) {
		int fd = open_device();

		session_equal("open", fd < 0 ? fd : 0, 0);
		error = start(fd, 0, CPUPROBE_PERIOD_MAX_NS, 1, &reason);
		if (!error)
			continue;
		session_equal("start refused for", error, EBUSY);
		session_equal("reason", reason, CPUPROBE_REASON_SESSIONS);
		break;
	}
	return i;
}

/* Areas for the open sessions from @from on, until there is no more memory. */
static void give_areas(int from, int nr)
{
	int i, error = 0;

	for (i = from; i < nr && !error; i++)
		error = set_areas(files[i], CPUPROBE_AREAS_MAX);
	session_equal("areas refused for", error, EDQUOT);
}

/* Stacks, stopped at once: what they hold they hold until close. */
static int stop_stacks(int nr)
{
	__u32 reason, i;
	int error;

	for (i = 0; i < MEMBER_SESSIONS; i++) {
		error = start(files[nr - 1 - i], CPUPROBE_STACK_KIB, CPUPROBE_PERIOD_MAX_NS, 0,
			      &reason);
		if (error) {
			session_equal("start refused for", error, ENOMEM);
			session_equal("reason", reason, CPUPROBE_REASON_MEMORY);
			break;
		}
		session_equal("stop", ioctl(files[nr - 1 - i], CPUPROBE_IOC_STOP), 0);
	}
	return i;
}

static void hold(const char *kind)
{
	int nr = open_many(strcmp(kind, "opens") ? 256 : FILES_MAX), nr_started = 0;

	if (!strcmp(kind, "stacks") || !strcmp(kind, "all"))
		nr_started = stop_stacks(nr);
	if (!strcmp(kind, "areas") || !strcmp(kind, "all"))
		give_areas(0, nr - nr_started);
	printf("%d opened, %d started\n", nr, nr_started);
	fflush(stdout);
	pause();
}

/** State of a descriptor of orders(). */
struct order {
	struct session session;
	int is_open;
	int has_place;
};

static int nr_places;

static void order_start(struct order *order)
{
	static const __u32 stack_kib[] = { 0, 0, SESSION_STACK_KIB, CPUPROBE_STACK_KIB };
	__u32 kib = stack_kib[rand() % 4], reason;
	int error = start(order->session.fd, kib, CPUPROBE_PERIOD_MAX_NS, rand(), &reason);

	if (order->has_place) {
		session_equal("a second start", error, EBUSY);
	} else if (nr_places == MEMBER_SESSIONS) {
		session_equal("one start too many", error, EBUSY);
		session_equal("its reason", reason, CPUPROBE_REASON_SESSIONS);
	} else if (error == ENOMEM) {
		session_equal("reason", reason, CPUPROBE_REASON_MEMORY);
	} else {
		session_equal("start", error, 0);
		order->session.what = kib ? CPUPROBE_WHAT_STACKS : CPUPROBE_WHAT_SYSTEM;
		order->has_place = 1;
		nr_places++;
	}
}

static void order_any(struct order *order)
{
	int error;

	switch (rand() % 8) {
	case 0:
		close(order->session.fd);
		nr_places -= order->has_place;
		memset(order, 0, sizeof(*order));
		break;
	case 1:
	case 2:
		error = set_areas(order->session.fd, rand() % (CPUPROBE_AREAS_MAX + 1));
		session_equal("areas", !error || error == EDQUOT, 1);
		break;
	case 3:
		ioctl(order->session.fd, CPUPROBE_IOC_STOP);
		break;
	case 4:
		/* Not started, its buffer too small, or not of this CPU. */
		error = session_harvest(&order->session);
		session_equal("harvest", !error || error == EINVAL || error == ENODEV, 1);
		break;
	default:
		order_start(order);
	}
}

static void run_orders(int nr)
{
	static struct order orders[SLOTS];
	int i;

	for (i = 0; i < nr; i++) {
		struct order *order = &orders[rand() % SLOTS];

		if (order->is_open) {
			order_any(order);
			continue;
		}
		session_open(&order->session);
		order->is_open = order->session.fd >= 0;
		session_equal("open", order->is_open || errno == EDQUOT, 1);
	}
	printf("%d orders\n", nr);
}

/* seeds[i] has the instants of CPU 0 begin i to i + 1 times BUCKET_NS after START. */
static void find_seeds(void)
{
	struct grid grid;
	int nr_left = BUCKETS;
	__u64 seed;

	for (seed = 1; nr_left; seed++) {
		__u64 *slot;

		grid_init(&grid, CPUPROBE_PERIOD_MAX_NS, CPUPROBE_JITTER_NONE, seed, 0);
		grid_begin(&grid, 0);
		slot = &seeds[grid.expiry_ns / BUCKET_NS % BUCKETS];
		nr_left -= !*slot;
		*slot = seed;
	}
}

static double now_ns(void)
{
	return now_s() * 1e9;
}

/* How often the kernel has had somebody else run. */
static long count_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/*
 * The longest time between two looks at the clock, in a second that starts now, in which no other
 * task ran: on RT threads of the kernel take longer than any interrupt.
 */
static double gap_of_second_ns(void)
{
	double begun = now_ns(), before = begun, gap = 0, now;
	long switches_before = count_switches(), switches;

	while (before < begun + 1e9) {
		switches = count_switches();
		now = now_ns();
		if (switches == switches_before && now - before > gap)
			gap = now - before;
		before = now;
		switches_before = switches;
	}
	return gap;
}

/*
 * The least that this comes to in any second: what comes in each of them, and not what else the
 * kernel has to do now and then.
 */
static double gap_of_each_second_ns(int seconds)
{
	double least = 1e9, gap;

	while (seconds--) {
		gap = gap_of_second_ns();
		if (gap < least)
			least = gap;
	}
	return least;
}

/* Whenever each is started, its instants are at the whole seconds of the clock. */
static void pack(int nr, int seconds)
{
	double quiet_ns, gap_ns;
	__u32 reason;
	int i, error = 0;

	find_seeds();
	nr = open_many(nr);
	quiet_ns = gap_of_each_second_ns(seconds);
	for (i = 0; i < nr; i++) {
		__u64 rest_ns = CPUPROBE_PERIOD_MAX_NS -
			(__u64)now_ns() % CPUPROBE_PERIOD_MAX_NS;

		error = start(files[i], 0, CPUPROBE_PERIOD_MAX_NS,
			      seeds[rest_ns / BUCKET_NS % BUCKETS], &reason);
		if (error)
			break;
	}
	gap_ns = gap_of_each_second_ns(seconds);
	printf("%d sessions, longest gap %.0f ns, without them %.0f ns\n", i, gap_ns, quiet_ns);
}

static void need(int is_good, const char *what)
{
	session_equal(what, is_good, 1);
}

static void write_map(pid_t pid, const char *name, const char *text)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_WRONLY);
	need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), name);
	close(fd);
}

/* Each user a process that ends with what it has started and still holds its sessions before. */
static void start_as_users(int nr, int go)
{
	int started = 0, user, status, done[2], more;
	char byte;

	need(read(go, &byte, 1) == 1, "maps");
	for (user = 0; user < nr; user++) {
		need(!pipe(done), "pipe");
		if (!fork()) {
			need(!setresuid(user, user, user), "be another user");
			more = start_many(MEMBER_SESSIONS + 1);
			need(write(done[1], &more, sizeof(more)) == sizeof(more), "write");
			pause();
		}
		close(done[1]);
		need(read(done[0], &more, sizeof(more)) == sizeof(more), "read");
		started += more;
	}
	printf("%d started\n", started);
	fflush(stdout);
	kill(0, SIGKILL);
	wait(&status);
}

static int be_users(int nr)
{
	const gid_t group = GROUP;
	int ready[2], go[2], status;
	char byte = 0, map[64];
	pid_t pid;

	need(!pipe(ready) && !pipe(go), "pipe");
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		need(!setgroups(1, &group) && !setresgid(GROUP, GROUP, GROUP) &&
		     !setresuid(MEMBER, MEMBER, MEMBER) && !unshare(CLONE_NEWUSER), "unshare");
		need(write(ready[1], &byte, 1) == 1, "write");
		start_as_users(nr, go[0]);
	}
	need(read(ready[0], &byte, 1) == 1, "unshare");
	snprintf(map, sizeof(map), "0 %d 1\n1 %d %d\n", MEMBER, DELEGATED, nr);
	write_map(pid, "uid_map", map);
	snprintf(map, sizeof(map), "0 %d 1\n", GROUP);
	write_map(pid, "gid_map", map);
	need(write(go[1], &byte, 1) == 1, "write");
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct rlimit limit = { FILES_MAX + 64, FILES_MAX + 64 };
	int nr = argc > 2 ? atoi(argv[2]) : 0;
	unsigned int i;

	for (i = 0; i < CPUPROBE_AREAS_MAX; i++)
		areas[i] = (struct cpuprobe_area){ .start = 4096 * (i + 1), .pid = 1,
			.end = 4096 * (i + 1) + 1, .object = CPUPROBE_OBJECT_FIRST };
	setrlimit(RLIMIT_NOFILE, &limit);
	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "open"))
		printf("%d opened\n", open_many(nr));
	else if (!strcmp(argv[1], "start"))
		printf("%d started\n", start_many(nr));
	else if (!strcmp(argv[1], "orders"))
		run_orders(nr);
	else if (!strcmp(argv[1], "hold"))
		hold(argv[2]);
	else if (!strcmp(argv[1], "users"))
		return be_users(nr);
	else if (!strcmp(argv[1], "pack") && argc > 3)
		pack(nr, atoi(argv[3]));
	else
		return 2;
	return 0;
}
