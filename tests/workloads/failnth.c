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

#include "machine.h"
#include "operations_hooks.h"
#include "operations_session.h"
#include "syscall_function.h"

#define MODULE		"/lib/modules/cpuprobe.ko"
#define NTH_MAX		5000
#define ROUNDS		3
#define RANDOM_ROUNDS	30

static int module_file, fail_nth, make_it_fail;

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
	hooked[0].address = address_of(SYSCALL_FUNCTION("getppid"));
	hooked[1].address = address_of("vfs_read");
	for (i = 0; has_hooks && i < sizeof(of_hooks) / sizeof(of_hooks[0]); i++)
		try_all(&of_hooks[i], 1, 0, 1);
	for (i = 0; !is_module && !has_hooks && i < sizeof(of_session) / sizeof(of_session[0]); i++)
		try_all(&of_session[i], 1, is_random, ROUNDS);
	return nr_wrong ? 1 : 0;
}
