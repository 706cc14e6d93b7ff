// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth session|hooks|module|random: makes each allocation and each user copy of a call fail once, by
 * the kernel's fault injection: the first one in the first call, the second one in the second call,
 * until a call makes no more of them. "random": each fails with the probability that the test has
 * set, so that the fallback of a failed allocation fails too. Each fault must be reported (-ENOMEM,
 * -EFAULT) or be handled, and the session must stay usable. Prints the number of faults and each
 * failure; exits 1 if there was a failure.
 */
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "abi.h"
#include "hooks.h"
#include "machine.h"

#define MODULE		"/lib/modules/cpuprobe.ko"
#define NTH_MAX		5000
#define ROUNDS		3
#define RANDOM_ROUNDS	30

static struct cpuprobe_area areas[CPUPROBE_AREAS_MAX];
static unsigned char buffer[65536];
static int exe, module_file, fail_nth, make_it_fail;
static const char *failing;	/* name of the operation, for messages */

static int result_of(long result)
{
	return result < 0 ? -errno : 0;
}

/* One operation; @run and @check get the descriptor that @prepare has got ready. */
struct operation {
	const char *name;
	int (*run)(int fd);
	void (*prepare)(int fd);		/* or NULL */
	void (*check)(int fd, int error);	/* checks the state after @run returned @error */
};

static void wrong(const char *what, int error)
{
	printf("%s: %s (%s)\n", failing, what, error ? strerror(-error) : "no error");
	nr_wrong++;
}

static int start(int fd, struct cpuprobe_start request)
{
	return result_of(ioctl(fd, CPUPROBE_IOC_START, &request));
}

static int run_open(int fd)
{
	int result = open("/dev/cpuprobe", O_RDWR), error = result_of(result);

	if (result >= 0)
		close(result);
	return error;
}

static int run_system(int fd)
{
	return start(fd, good_start());
}

static int run_process(int fd)
{
	struct cpuprobe_start request = good_process(exe);

	request.pid = getpid();
	return start(fd, request);
}

static int run_late(int fd)
{
	return start(fd, good_late());
}

static int run_stacks(int fd)
{
	struct cpuprobe_start request = good_stacks();

	request.stack_kib = CPUPROBE_STACK_KIB_MIN;
	return start(fd, request);
}

static int run_mask(int fd)
{
	struct cpuprobe_start request = good_start();
	__u64 mask = 1;

	request.cpus = (unsigned long)&mask;
	request.cpus_len = 8;
	return start(fd, request);
}

static int run_areas(int fd)
{
	struct cpuprobe_areas request = good_areas(areas, 3);

	return result_of(ioctl(fd, CPUPROBE_IOC_AREAS, &request));
}

static int run_many_areas(int fd)
{
	struct cpuprobe_areas request = good_areas(areas, CPUPROBE_AREAS_MAX);

	return result_of(ioctl(fd, CPUPROBE_IOC_AREAS, &request));
}

static int run_info(int fd)
{
	struct cpuprobe_info info = { .size = sizeof(info) };

	return result_of(ioctl(fd, CPUPROBE_IOC_INFO, &info));
}

static struct cpuprobe_account account;

static int run_harvest(int fd)
{
	struct cpuprobe_harvest request = good_harvest(buffer);
	int error;

	request.buffer_len = sizeof(buffer);
	error = result_of(ioctl(fd, CPUPROBE_IOC_HARVEST, &request));
	account = request.account;
	return error;
}

static int run_exe(int fd)
{
	struct cpuprobe_open request = REQUEST(open, .seq = 1);
	int result = ioctl(fd, CPUPROBE_IOC_EXE, &request), error = result_of(result);

	if (result >= 0)
		close(result);
	return error;
}

static int run_poll(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return result_of(poll(&poll_fd, 1, 0));
}

static int run_stop(int fd)
{
	return result_of(ioctl(fd, CPUPROBE_IOC_STOP));
}

static void prepare_running(int fd)
{
	if (run_process(fd) || run_many_areas(fd))
		wrong("cannot be prepared", -errno);
}

static volatile sig_atomic_t is_over;

static void end_computing(int signal)
{
	is_over = 1;
}

/*
 * Computes for twenty periods of a session on this CPU. The interrupt that ends this runs the
 * session's timer first, so at least one sample finds this program, however busy the host is.
 */
static void compute(void)
{
	const struct itimerval twenty = { .it_value.tv_usec = 20000 };

	is_over = 0;
	signal(SIGALRM, end_computing);
	setitimer(ITIMER_REAL, &twenty, NULL);
	while (!is_over)
		;
}

static void prepare_counts(int fd)
{
	if (run_system(fd))
		wrong("cannot be prepared", -errno);
	compute();
}

static void prepare_stacks(int fd)
{
	if (run_stacks(fd))
		wrong("cannot be prepared", -errno);
	compute();
}

static void prepare_exe(int fd)
{
	prepare_stacks(fd);
	if (run_harvest(fd) || !account.objects)
		wrong("names no executable", -errno);
}

/* The session can be started, unless START succeeded but could not write its answer. */
static void check_new(int fd, int error)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int again = run_system(fd);

	if (error == -EFAULT && again == -EBUSY && poll(&poll_fd, 1, 0) == 1 &&
	    poll_fd.revents == POLLHUP)
		return;
	if (again != (error ? 0 : -EBUSY))
		wrong("not as before", again);
	if (run_harvest(fd) || run_stop(fd))
		wrong("does not count", -errno);
}

static void check_areas(int fd, int error)
{
	if (run_many_areas(fd) || run_areas(fd))
		wrong("takes no areas", -errno);
}

/* The first account is still available, and adds up. */
static void check_counts(int fd, int error)
{
	__u64 sum;

	if (run_harvest(fd))
		wrong("no harvest", -errno);
	sum = hits_of_records((const void *)buffer, account.entries);
	if (account.seq != 1 || sum != account.taken || !sum)
		wrong("counts lost", 0);
}

static void check_stacks(int fd, int error)
{
	const struct cpuprobe_stack *stack;
	__u64 sum;

	if (run_harvest(fd))
		wrong("no harvest", -errno);
	sum = lost_samples(&account);
	for_each_stack(stack, buffer, &account)
		sum += stack->hits;
	if (account.seq != 1 || sum != account.taken || !account.entries)
		wrong("counts lost", 0);
}

static void check_exe(int fd, int error)
{
	if (run_exe(fd))
		wrong("EXE fails after the fault", -errno);
	check_stacks(fd, error);
}

static void check_info(int fd, int error)
{
	if (run_info(fd))
		wrong("no answer", -errno);
}

static void check_stopped(int fd, int error)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	if (run_stop(fd) || poll(&poll_fd, 1, 0) != 1 || poll_fd.revents != POLLHUP)
		wrong("cannot be stopped", -errno);
}

static const struct operation of_session[] = {
	{ "open", run_open, NULL, check_info },
	{ "INFO", run_info, NULL, check_info },
	{ "START system", run_system, NULL, check_new },
	{ "START process", run_process, NULL, check_new },
	{ "START late", run_late, NULL, check_new },
	{ "START stacks", run_stacks, NULL, check_new },
	{ "START with a mask", run_mask, NULL, check_new },
	{ "AREAS", run_areas, NULL, check_areas },
	{ "AREAS, many", run_many_areas, NULL, check_areas },
	{ "AREAS while sampling", run_many_areas, prepare_running, check_areas },
	{ "HARVEST", run_harvest, prepare_counts, check_counts },
	{ "HARVEST of stacks", run_harvest, prepare_stacks, check_stacks },
	{ "EXE", run_exe, prepare_exe, check_exe },
	{ "poll", run_poll, prepare_counts, check_counts },
	{ "STOP", run_stop, prepare_counts, check_stopped },
};

/* Sessions that hook kernel functions. */
static struct cpuprobe_function hooked[2];

static int run_calls(int fd, unsigned int flags, unsigned int nr)
{
	struct cpuprobe_calls request = REQUEST(calls, .functions = (unsigned long)hooked, .nr_functions = nr,
		.flags = flags, .table_kib = 64, .exe_fd = -1, .cgroup_fd = -1);

	return result_of(ioctl(fd, CPUPROBE_IOC_CALLS, &request));
}

static int run_counted(int fd)
{
	return run_calls(fd, 0, 2);
}

static int run_timed(int fd)
{
	return run_calls(fd, CPUPROBE_CALLS_EACH, 2);
}

static int run_syscalls(int fd)
{
	return run_calls(fd, CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_SYSCALLS, 0);
}

static int run_trace(int fd)
{
	struct cpuprobe_trace request = REQUEST(trace, .functions = (unsigned long)hooked, .nr_functions = 2,
		.flags = CPUPROBE_TRACE_SYSCALLS | CPUPROBE_TRACE_IRQ, .buffer_kib = 4, .exe_fd = -1,
		.pid = getpid(), .cgroup_fd = -1, .start_function = CPUPROBE_NO_FUNCTION,
		.stop_function = CPUPROBE_NO_FUNCTION);

	return result_of(ioctl(fd, CPUPROBE_IOC_TRACE, &request));
}

static struct cpuprobe_events events;

static int run_events(int fd)
{
	events = REQUEST(events, .buffer = (unsigned long)buffer, .buffer_len = sizeof(buffer));
	return result_of(ioctl(fd, CPUPROBE_IOC_EVENTS, &events));
}

static void prepare_events(int fd)
{
	if (run_trace(fd))
		wrong("cannot be prepared", -errno);
	call_getppid(10);
	if (run_stop(fd))
		wrong("cannot be stopped", -errno);
}

/* A session that was refused can begin to trace; one whose answer could not be written has begun. */
static void check_hooks(int fd, int error)
{
	int again = run_trace(fd);

	if (again != (error ? 0 : -EBUSY) && !(error == -EFAULT && again == -EBUSY))
		wrong("not as before", again);
	if (!again && (run_stop(fd) || run_events(fd)))
		wrong("does not trace", -errno);
}

static void check_events(int fd, int error)
{
	if (run_events(fd) || events.first || events.nr_slots < 20)
		wrong("events are gone", -errno);
}

static const struct operation of_hooks[] = {
	{ "CALLS", run_counted, NULL, check_hooks },
	{ "CALLS, each", run_timed, NULL, check_hooks },
	{ "CALLS, system calls", run_syscalls, NULL, check_hooks },
	{ "TRACE", run_trace, NULL, check_hooks },
	{ "EVENTS", run_events, prepare_events, check_events },
};

static int run_load(int fd)
{
	return result_of(syscall(SYS_finit_module, module_file, "max_overhead_pct=50", 0));
}

static int run_unload(int fd)
{
	return result_of(syscall(SYS_delete_module, "cpuprobe", O_NONBLOCK));
}

static void check_loaded(int fd, int error)
{
	if (!error != !access("/dev/cpuprobe", F_OK))
		wrong("half loaded", error);
	if (!error && run_unload(fd))
		wrong("cannot be unloaded", -errno);
}

static void prepare_loaded(int fd)
{
	int error = run_load(fd);

	if (error && error != -EEXIST)
		wrong("cannot be loaded", error);
}

static void check_unloaded(int fd, int error)
{
	int again = run_unload(fd);

	if (again != (error ? 0 : -ENOENT) || !access("/dev/cpuprobe", F_OK))
		wrong("not unloaded", again);
}

static const struct operation of_module[] = {
	{ "load", run_load, NULL, check_loaded },
	{ "unload", run_unload, prepare_loaded, check_unloaded },
};

static void fail_set(int fd, unsigned int value)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", value);

	int tries = 100;

	/* A remaining fault may hit this very write. */
	while (pwrite(fd, text, len, 0) != len) {
		if (--tries)
			continue;
		perror("failnth: fault injection");
		exit(2);
	}
}

/* Checks whether the fault was injected. A fault that is due next fails this very read. */
static int has_struck(void)
{
	char text[16] = "";
	ssize_t len = pread(fail_nth, text, sizeof(text), 0);

	return len > 0 && text[0] == '0';
}

struct tally {
	unsigned int nr, nr_memory, nr_copy, nr_other, nr_survived;
};

static void tally_add(struct tally *tally, int error)
{
	tally->nr++;
	tally->nr_memory += error == -ENOMEM;
	tally->nr_copy += error == -EFAULT;
	tally->nr_survived += !error;
	tally->nr_other += error && error != -ENOMEM && error != -EFAULT;
}

/* Makes the call's @nth allocation or copy fail; returns 0 if the call makes fewer. */
static int try_nth(const struct operation *operation, int fd, unsigned int nth, int *error)
{
	int struck;

	if (operation->prepare)
		operation->prepare(fd);
	fail_set(fail_nth, nth);
	*error = operation->run(fd);
	struck = has_struck();
	fail_set(fail_nth, 0);
	operation->check(fd, *error);
	return struck;
}

static void try_random(const struct operation *operation, int fd, int *error)
{
	if (operation->prepare)
		operation->prepare(fd);
	fail_set(make_it_fail, 1);
	*error = operation->run(fd);
	fail_set(make_it_fail, 0);
	operation->check(fd, *error);
}

/* Makes calls with the first, second, ... allocation or copy failing, until a call has fewer. */
static void try_every(const struct operation *operation, int has_session, struct tally *tally)
{
	unsigned int nth, is_struck = 1;
	int fd = -1, error = 0;

	for (nth = 1; is_struck && nth <= NTH_MAX; nth++) {
		if (has_session)
			fd = device();
		is_struck = try_nth(operation, fd, nth, &error);
		if (is_struck)
			tally_add(tally, error);
		else if (error)
			wrong("fails without a fault", error);
		if (has_session)
			close(fd);
	}
	if (is_struck)
		wrong("a fault in every call", error);
}

static void try_randomly(const struct operation *operation, struct tally *tally)
{
	int i, fd, error;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		fd = device();
		try_random(operation, fd, &error);
		tally_add(tally, error);
		close(fd);
	}
}

/* @has_session: the operation needs an open device; else it loads or unloads the module. */
static void try_all(const struct operation *operation, int has_session, int is_random, int rounds)
{
	struct tally tally = { 0 };
	int round;

	failing = operation->name;
	if (is_random)
		try_randomly(operation, &tally);
	/* Allocations that the kernel makes only once shift the count; later rounds catch up. */
	for (round = 0; !is_random && round < rounds; round++)
		try_every(operation, has_session, &tally);
	/* The kernel's module loader returns other errors too. */
	if (has_session && tally.nr_other)
		wrong("another error than -ENOMEM and -EFAULT", 0);
	printf("%-22s %u faults: %u ENOMEM, %u EFAULT, %u other, %u handled\n", failing,
	       tally.nr, tally.nr_memory, tally.nr_copy, tally.nr_other, tally.nr_survived);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int is_module = argc > 1 && !strcmp(argv[1], "module");
	int is_random = argc > 1 && !strcmp(argv[1], "random");
	int has_hooks = argc > 1 && !strcmp(argv[1], "hooks");
	unsigned int i;

	exe = open("/proc/self/exe", O_RDONLY);
	stay_on(0);
	module_file = open(MODULE, O_RDONLY);
	fail_nth = open("/proc/self/fail-nth", O_RDWR);
	make_it_fail = open("/proc/self/make-it-fail", O_RDWR);
	if (fail_nth < 0 || make_it_fail < 0) {
		perror("failnth: this kernel has no fault injection");
		return 2;
	}
	for (i = 0; i < CPUPROBE_AREAS_MAX; i++)
		areas[i] = (struct cpuprobe_area){ .start = i * 16, .end = i * 16 + 16, .pid = 1,
						   .object = 5 };
	for (i = 0; is_module && i < sizeof(of_module) / sizeof(of_module[0]); i++)
		try_all(&of_module[i], 0, 0, 1);
	hooked[0].address = address_of("__x64_sys_getppid");
	hooked[1].address = address_of("vfs_read");
	for (i = 0; has_hooks && i < sizeof(of_hooks) / sizeof(of_hooks[0]); i++)
		try_all(&of_hooks[i], 1, 0, 1);
	for (i = 0; !is_module && !has_hooks && i < sizeof(of_session) / sizeof(of_session[0]); i++)
		try_all(&of_session[i], 1, is_random, ROUNDS);
	return nr_wrong ? 1 : 0;
}
