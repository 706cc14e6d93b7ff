// SPDX-License-Identifier: GPL-2.0-only
/*
 * siege: a member of the group takes as much from the device as the limits allow. Runs as that
 * user. Prints a broken limit and exits 1.
 *
 *   siege open N            open the device N times, or until an open is refused
 *   siege start N           start sessions at 1 Hz until one is refused, at most N
 *   siege orders N          N opens, starts, stops, areas, harvests and closes in random order
 *   siege hold KIND         hold as much memory as possible: opens (sessions that are only opened),
 *                           areas, stacks (stopped sessions), or all; then wait for a signal
 *   siege pack N SECONDS    start N sessions whose seeds place all samples in the same instant of
 *                           each second, and measure for how long they keep the CPU from a program
 *   siege users N           as root: become the member, enter a user namespace to which N users are
 *                           delegated, and start sessions as each of them
 *
 * The last line printed has the figures.
 */
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../../kmod/grid.c"
#include "session.h"

#define FILES_MAX	40000
#define MEMBER_SESSIONS	8	/* the module's member_sessions */
#define SLOTS		64
#define MEMBER		1001
#define GROUP		4242	/* the module's gid */
#define DELEGATED	100000	/* first user delegated to the member's namespace */
#define BUCKET_NS	100000	/* precision with which pack() places samples */
#define BUCKETS		(CPUPROBE_PERIOD_MAX_NS / BUCKET_NS)

static int files[FILES_MAX];
static struct cpuprobe_area areas[CPUPROBE_AREAS_MAX];
static __u64 seeds[BUCKETS];

/* Returns a descriptor or -errno. */
static int open_device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Starts a session: user stacks if @stack_kib, else the system on CPU 0. Returns 0 or errno. */
static int start(int fd, __u32 stack_kib, __u64 period_ns, __u64 seed, __u32 *reason_ret)
{
	unsigned char cpu0 = 1;
	struct cpuprobe_start request = START(
		.what = stack_kib ? CPUPROBE_WHAT_STACKS : CPUPROBE_WHAT_SYSTEM,
		.frames = stack_kib ? CPUPROBE_FRAMES_USER : 0, .stack_kib = stack_kib,
		.jitter = CPUPROBE_JITTER_NONE, .period_ns = period_ns, .seed = seed);
	int error;

	if (!stack_kib) {
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

/* Opens the device until it refuses for lack of the user's memory. Returns the number of opens. */
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

/* Sets areas of the open sessions from @from on, until the user's memory is used up. */
static void give_areas(int from, int nr)
{
	int i, error = 0;

	for (i = from; i < nr && !error; i++)
		error = set_areas(files[i], CPUPROBE_AREAS_MAX);
	session_equal("areas refused for", error, EDQUOT);
}

/* Starts sessions of stacks and stops them at once: they keep their memory until close. */
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

/** State of a descriptor of run_orders(). */
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
		/* EINVAL: not started, or the buffer is too small. ENODEV: CPU not sampled. */
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

/* Sets seeds[i] to a seed whose first instant on CPU 0 is i to i + 1 BUCKET_NS after START. */
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

/* Number of involuntary context switches so far. */
static long count_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/*
 * Longest time between two reads of the clock within one second, without a context switch from before the first read
 * until after the second one: on RT, kernel threads run for longer than any interrupt.
 */
static double gap_of_second_ns(void)
{
	long earlier = count_switches(), later;
	double begun = now_ns(), before = begun, gap = 0, now;
	long between = count_switches();

	while (before < begun + 1e9) {
		now = now_ns();
		later = count_switches();
		if (later == earlier && now - before > gap)
			gap = now - before;
		before = now;
		earlier = between;
		between = later;
	}
	return gap;
}

/*
 * Minimum of this gap over all seconds: it shows an interruption that comes every second, and none
 * of the kernel's occasional work.
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

/* Chooses each session's seed so that its instants fall on whole seconds of the clock. */
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

/* Starts sessions in a process for each user; the processes hold them until all users are done. */
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
