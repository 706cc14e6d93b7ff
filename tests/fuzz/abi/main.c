// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_abi CALLS PROCESSES SEED [kcov]: make CALLS valid, changed and random calls to /dev/cpuprobe
 * from PROCESSES processes, and judge the results by the interface's header. With kcov, calls that
 * reach code new to the process are kept and changed further. A single process does the same for
 * the same seed; of several, every second one has a thread that interferes. Exits with 1 if there
 * was a finding; otherwise prints what was done.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../workloads/hooks.h"
#include "fuzz.h"
#include "../../workloads/syscall_function.h"

#define KEPT_MAX	512
#define FINDINGS_MAX	10

static struct program kept[KEPT_MAX];
static uint32_t nr_kept;
static struct fuzzer fuzzer;	/* fuzzer of this process */

static void choose(struct program *program)
{
	uint32_t i, nr_changes = 1 + below(&fuzzer, 3);

	if (!nr_kept || below(&fuzzer, 2)) {
		for (i = 0; i < PROGRAM_CALLS; i++)
			call_draw(&fuzzer, &program->call[i]);
		/* Half of the programs use one session only. */
		for (i = 1; i < PROGRAM_CALLS && program->call[0].what % 2; i++)
			program->call[i].file = program->call[0].file;
		return;
	}
	*program = kept[below(&fuzzer, nr_kept)];
	for (i = 0; i < nr_changes; i++)
		call_change(&fuzzer, &program->call[below(&fuzzer, PROGRAM_CALLS)]);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void run_program(const struct program *program)
{
	uint64_t before_ns = now_ns(), after_ns;
	bool is_new = false;
	int i;

	for (i = 0; i < PROGRAM_CALLS; i++) {
		cover_clear();
		run_call(&fuzzer, &program->call[i]);
		is_new |= cover_look();
		after_ns = now_ns();
		fuzzer.totals->took_ns[program->call[i].kind] += after_ns - before_ns;
		before_ns = after_ns;
	}
	if (!is_new)
		return;
	kept[nr_kept < KEPT_MAX ? nr_kept++ : below(&fuzzer, KEPT_MAX)] = *program;
	fuzzer.totals->nr_kept++;
}

static void begin(unsigned int process, uint64_t seed, bool is_alone, struct totals *totals)
{
	struct cpuprobe_info info = { .size = sizeof(info) };
	int fd = open("/dev/cpuprobe", O_RDWR), ends[2], file;

	if (fd < 0 || ioctl(fd, CPUPROBE_IOC_INFO, &info) || pipe(ends) || !memory_init()) {
		perror("fuzz_abi");
		exit(2);
	}
	close(fd);
	fuzzer.seed = seed;
	fuzzer.process = process;
	fuzzer.random = seed * 1000003 + process;
	fuzzer.totals = totals;
	fuzzer.nr_cpus = info.nr_cpu_ids < CPUS_MAX ? info.nr_cpu_ids : CPUS_MAX;
	fuzzer.exe = open("/proc/self/exe", O_RDONLY);
	fuzzer.directory = open("/", O_RDONLY);
	fuzzer.path = open("/proc/self/exe", O_PATH);
	fuzzer.pipe = ends[0];
	fuzzer.cgroup = open("cgroup", O_RDONLY | O_DIRECTORY);
	fuzzer.function[0] = address_of(SYSCALL_FUNCTION("getppid"));
	fuzzer.function[1] = address_of(SYSCALL_FUNCTION("getuid"));
	/* Every second process runs undisturbed, so that its results can be judged strictly. */
	fuzzer.is_alone = is_alone || process % 2 == 0;
	for (file = 0; file < FILES; file++)
		fuzzer.fd[file] = -1;
	if (!fuzzer.is_alone)
		other_begin(&fuzzer);
}

static int run_process(uint64_t nr_calls, bool has_cover)
{
	struct program program;

	if (has_cover && !cover_begin()) {
		perror("fuzz_abi: kcov");
		return 2;
	}
	while (fuzzer.totals->nr_calls < nr_calls && fuzzer.totals->nr_findings < FINDINGS_MAX) {
		choose(&program);
		run_program(&program);
	}
	run_end(&fuzzer);
	return fuzzer.totals->nr_findings != 0;
}

static void print_calls(const struct totals *totals, unsigned int nr)
{
	static const char *const name[CALL_KINDS] = { "open", "close", "INFO", "START", "AREAS",
		"HARVEST", "STOP", "EXE", "CALLS", "COUNTS", "TIMES", "NEED", "UNWIND", "TRACE", "EVENTS",
		"MISSED", "poll", "dup", "odd ioctl", "file", "pass", "fork" };
	unsigned int kind, error, i;

	for (kind = 0; kind < CALL_KINDS; kind++) {
		uint64_t took_ns = 0;

		for (i = 0; i < nr; i++)
			took_ns += totals[i].took_ns[kind];
		printf("%-10s %6llu ms:", name[kind], (unsigned long long)took_ns / 1000000);
		for (error = 0; error < ERRNOS; error++) {
			uint64_t calls = 0;

			for (i = 0; i < nr; i++)
				calls += totals[i].calls[kind][error];
			if (calls)
				printf(" %s %llu", error ? strerrorname_np(error) : "ok",
				       (unsigned long long)calls);
		}
		printf("\n");
	}
}

static void print_all(const struct totals *totals, unsigned int nr, bool has_cover, double took)
{
	uint64_t calls = 0, starts = 0, nr_programs = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		calls += totals[i].nr_calls;
		starts += totals[i].nr_starts;
		nr_programs += totals[i].nr_kept;
	}
	print_calls(totals, nr);
	printf("%llu calls, %llu started, in %.0f s: %.0f calls/s\n", (unsigned long long)calls,
	       (unsigned long long)starts, took, calls / took);
	if (has_cover)
		printf("%u places of the module reached, %llu programs kept\n", cover_count(),
		       (unsigned long long)nr_programs);
}

int main(int argc, char **argv)
{
	uint64_t nr_calls = argc > 1 ? strtoull(argv[1], NULL, 0) : 0, seed;
	unsigned int nr = argc > 2 ? atoi(argv[2]) : 0, i;
	bool has_cover = argc > 4 && !strcmp(argv[4], "kcov"), is_wrong = false;
	uint64_t begun_ns = now_ns();
	struct totals *totals;
	int status;

	if (argc < 4 || !nr_calls || !nr || (argc > 4 && !has_cover)) {
		fprintf(stderr, "usage: fuzz_abi CALLS PROCESSES SEED [kcov]\n");
		return 2;
	}
	seed = strtoull(argv[3], NULL, 0);
	totals = mmap(NULL, nr * sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (totals == MAP_FAILED || (has_cover && !cover_init())) {
		fprintf(stderr, "fuzz_abi: no memory, or this kernel has no KCOV\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < nr; i++) {
		if (fork())
			continue;
		begin(i, seed, nr == 1, &totals[i]);
		_exit(run_process(nr_calls / nr, has_cover));
	}
	while (wait(&status) > 0)
		is_wrong |= status != 0;
	print_all(totals, nr, has_cover, (now_ns() - begun_ns) / 1e9);
	return is_wrong;
}
