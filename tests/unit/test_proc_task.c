// SPDX-License-Identifier: GPL-2.0-only
/* Tasks in /proc: cli/bpf/proc_task.c, cli/bpf/identities.c. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "subjects.h"
#include "bpf/identities.h"
#include "bpf/proc_task.h"

static void lines_are_parsed(void **state)
{
	struct proc_task task;

	assert_int_equal(proc_task_parse("7 (a) b) (c) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 3 0 "
					 "1234 99 88", &task), 0);
	assert_string_equal(task.comm, "a) b) (c");
	assert_false(task.is_kthread);
	assert_int_equal(task.nr_threads, 3);
	assert_int_equal(task.start, 1234);
	assert_int_equal(proc_task_parse("8 (kworker/0:1-events) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 "
					 "20 0 1 0 26 0", &task), 0);
	assert_true(task.is_kthread);
	assert_string_equal(task.comm, "kworker/0:1-eve");
	assert_int_equal(proc_task_parse("8 (0123456789abcdef) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 "
					 "1 2 3 4 500 600 700 8 9", &task), 0);
	assert_int_equal(strnlen(task.comm, sizeof(task.comm)), PROC_TASK_COMM_LEN - 1);
	assert_string_equal(task.comm, "0123456789abcde");
	assert_int_equal(task.code_start, 500);
	assert_int_equal(task.code_end, 600);
	assert_int_equal(task.space, 700);
	assert_int_equal(proc_task_parse("", &task), -EINVAL);
	assert_int_equal(proc_task_parse("8 (a", &task), -EINVAL);
	assert_int_equal(proc_task_parse("8 )a(", &task), -EINVAL);
	assert_int_equal(proc_task_parse("8 (a) S 1 7 7 0 -1", &task), -EINVAL);
}

static void names_have_any_byte(void **state)
{
	struct proc_task task;

	subject_rename("a\nb) R");
	assert_int_equal(proc_task_read(subject.pid, &task), 0);
	assert_string_equal(task.comm, "a\nb) R");
	assert_int_equal(task.nr_threads, 1);
}

static void kernel_threads_are_folded(void **state)
{
	static const char *const names[][2] = {
		{ "ksoftirqd/1", "ksoftirqd/*" }, { "kworker/0:1", "kworker/*" },
		{ "kworker/u8:2-ev", "kworker/*" }, { "irq/24-nvme0q1", "irq/24-nvme0q1" },
		{ "kthreadd", "kthreadd" }, { "cpuhp/", "cpuhp/" }, { "123456789012345", "123456789012345" },
		{ "migration/12", "migration/*" }, { "", "" },
	};
	char comm[PROC_TASK_COMM_LEN], folded[PROC_TASK_COMM_LEN];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		memset(comm, 0, sizeof(comm));
		strcpy(comm, names[i][0]);
		proc_task_fold_kthread(comm, folded);
		assert_string_equal(folded, names[i][1]);
	}
}

static void check_name(const char *path, const char *file, const char *directory)
{
	char name[CPUPROBE_NAME_LEN];

	memset(name, 'x', sizeof(name));
	proc_task_name_exe(path, name);
	assert_int_equal(name[sizeof(name) - 1], 0);
	assert_string_equal(name, file);
	if (directory)
		assert_string_equal(name + strlen(file) + 1, directory);
}

static void executables_have_names(void **state)
{
	check_name("/usr/bin/bash", "bash", "bin");
	check_name("/init", "init", "");
	check_name("/tmp/x (deleted)", "x", "tmp");
	check_name(" (deleted)", " (deleted)", "");
	check_name("/d/a name of thirty-three letters.bin", "a name of thirty-three letters.", NULL);
	check_name("/directories/twenty-seven-letters-long-a", "twenty-seven-letters-long-a", "dir");
	check_name("", "", "");
}

static void this_process_is_found(void **state)
{
	struct proc_task task;
	struct proc_exe exe;

	assert_int_equal(proc_task_read(getpid(), &task), 0);
	assert_true(task.nr_threads >= 1 && task.start > 0 && !task.is_kthread);
	assert_int_equal(proc_task_exe(getpid(), &exe), 0);
	assert_string_equal(exe.name, "test_proc_task");
	assert_int_equal(proc_task_read(0x7fffffff, &task), -ESRCH);
	assert_int_equal(proc_task_exe(0x7fffffff, &exe), -ESRCH);
}

/* A number that no process can have. */
#define GONE	0x7fffff00

static void check_identity(struct identities *identities, u32 pid, const char *comm, u32 kind,
			   const char *name)
{
	struct counts_key key = { .id = pid, .is_user = 3 };
	const struct cpuprobe_record *record;

	strcpy(key.comm, comm);
	record = identities_find(identities, &key);
	assert_int_equal(record->kind, kind);
	assert_string_equal(record->name, name);
}

static void executables_have_numbers(void **state)
{
	struct identities *identities = identities_create(CPUPROBE_BY_EXE);
	struct counts_key key = { .id = subject.pid, .comm = "numbers" };
	const struct cpuprobe_record *record;
	struct stat exe;

	subject_rename("numbers");
	identities_begin(identities);
	assert_int_equal(stat("/proc/self/exe", &exe), 0);
	record = identities_find(identities, &key);
	assert_true(record->id[0] == exe.st_ino * CPUPROBE_INODE_FACTOR && record->id[1] == exe.st_dev << 32);
	/* One record for all modes. */
	key.is_user = 1;
	assert_ptr_equal(identities_find(identities, &key), record);
	identities_destroy(identities);
	assert_int_equal(identities_counted_by(CPUPROBE_BY_EXE), COUNTS_BY_PROCESS);
	assert_int_equal(identities_counted_by(CPUPROBE_BY_PID), COUNTS_BY_PROCESS);
	assert_int_equal(identities_counted_by(CPUPROBE_BY_THREAD), COUNTS_BY_THREAD);
	assert_int_equal(identities_counted_by(CPUPROBE_BY_CGROUP), COUNTS_BY_CGROUP);
	identities = identities_create(CPUPROBE_BY_CGROUP);
	key.cgroup[0] = 4711;
	record = identities_find(identities, &key);
	assert_int_equal(record->kind, CPUPROBE_KIND_CGROUP);
	assert_int_equal(record->id[0], 4711);
	identities_destroy(identities);
}

/* Two programs have had the name: that of a process which is gone is not known. */
static void names_of_two_programs_tell_nothing(void **state)
{
	struct identities *identities = identities_create(CPUPROBE_BY_EXE);
	struct proc_task task = { .comm = "" };
	pid_t sleeper = fork();

	if (!sleeper) {
		/* It ends with the test, even if an assertion fails. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/bin/sleep", "sleep", "600", NULL);
		_exit(1);
	}
	while (strcmp(task.comm, "sleep"))
		assert_int_equal(proc_task_read(sleeper, &task), 0);
	subject_rename("sleep");
	identities_begin(identities);
	check_identity(identities, subject.pid, "sleep", CPUPROBE_KIND_EXE, "test_proc_task");
	check_identity(identities, GONE, "sleep", CPUPROBE_KIND_EXE, "test_proc_task");
	assert_int_equal(identities_find(identities, &(struct counts_key){ .id = sleeper, .comm = "sleep" })->kind,
			 CPUPROBE_KIND_EXE);
	check_identity(identities, GONE + 1, "sleep", CPUPROBE_KIND_EXITING, "sleep");
	/* It stays so, whichever is seen next. */
	identities_begin(identities);
	check_identity(identities, subject.pid, "sleep", CPUPROBE_KIND_EXE, "test_proc_task");
	check_identity(identities, GONE + 2, "sleep", CPUPROBE_KIND_EXITING, "sleep");
	/* A process that had the name is known itself. */
	subject_rename("awake");
	identities_begin(identities);
	check_identity(identities, subject.pid, "sleep", CPUPROBE_KIND_EXE, "test_proc_task");
	kill(sleeper, SIGKILL);
	waitpid(sleeper, NULL, 0);
	identities_destroy(identities);
}

static void executables_are_remembered(void **state)
{
	struct identities *identities = identities_create(CPUPROBE_BY_EXE);
	struct counts_key key = { .id = 0 };

	subject_rename("first name");
	identities_begin(identities);
	check_identity(identities, 0, "swapper/1", CPUPROBE_KIND_IDLE, "IDLE");
	key.is_user = COUNTS_SOFTIRQ;
	assert_int_equal(identities_find(identities, &key)->kind, CPUPROBE_KIND_SOFTIRQ);
	assert_string_equal(identities_find(identities, &key)->name, "(softirq)");
	/* It ended before anything of its name was seen, and after. */
	check_identity(identities, GONE, "first name", CPUPROBE_KIND_EXITING, "first name");
	check_identity(identities, subject.pid, "first name", CPUPROBE_KIND_EXE, "test_proc_task");
	check_identity(identities, GONE + 1, "first name", CPUPROBE_KIND_EXE, "test_proc_task");
	check_identity(identities, subject.pid, "before", CPUPROBE_KIND_EXITING, "before");
	/* The old name still belongs to this process. */
	subject_rename("second name");
	identities_begin(identities);
	check_identity(identities, subject.pid, "first name", CPUPROBE_KIND_EXE, "test_proc_task");
	check_identity(identities, subject.pid, "second name", CPUPROBE_KIND_EXE, "test_proc_task");
	identities_destroy(identities);
}

static void *wait_for_end(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

/* A thread may have a name of its own, so that the process is not taken for a new program. */
static void threads_may_have_other_names(void **state)
{
	struct identities *identities = identities_create(CPUPROBE_BY_EXE);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;

	pthread_mutex_lock(&mutex);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_end, &mutex), 0);
	identities_begin(identities);
	check_identity(identities, getpid(), "of a thread", CPUPROBE_KIND_EXE, "test_proc_task");
	/* This name does not tell the program of a process that is gone. */
	check_identity(identities, GONE, "of a thread", CPUPROBE_KIND_EXITING, "of a thread");
	identities_destroy(identities);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

static void processes_and_threads_have_numbers(void **state)
{
	struct identities *identities = identities_create(CPUPROBE_BY_PID);
	struct counts_key key = { .id = subject.pid, .comm = "by number" };
	const struct cpuprobe_record *record;

	subject_rename("by number");
	identities_begin(identities);
	record = identities_find(identities, &key);
	assert_int_equal(record->id[0] >> 32, subject.pid);
	assert_true((u32)record->id[0] && record->id[1]);
	assert_int_equal(record->kind, CPUPROBE_KIND_PROCESS);
	assert_string_equal(record->name, "test_proc_task");
	identities_destroy(identities);
	identities = identities_create(CPUPROBE_BY_THREAD);
	identities_begin(identities);
	record = identities_find(identities, &key);
	assert_int_equal(record->id[0] >> 32, subject.pid);
	assert_int_equal(record->kind, CPUPROBE_KIND_THREAD);
	assert_string_equal(record->name, "by number");
	identities_destroy(identities);
	identities = identities_create(CPUPROBE_BY_COMM);
	identities_begin(identities);
	check_identity(identities, subject.pid, "any name", CPUPROBE_KIND_COMM, "any name");
	check_identity(identities, GONE, "any name", CPUPROBE_KIND_COMM, "any name");
	identities_destroy(identities);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_parsed),
		cmocka_unit_test_setup_teardown(names_have_any_byte, subject_start, subject_stop),
		cmocka_unit_test(kernel_threads_are_folded),
		cmocka_unit_test(executables_have_names),
		cmocka_unit_test(this_process_is_found),
		cmocka_unit_test_setup_teardown(executables_are_remembered, subject_start, subject_stop),
		cmocka_unit_test_setup_teardown(executables_have_numbers, subject_start, subject_stop),
		cmocka_unit_test_setup_teardown(names_of_two_programs_tell_nothing, subject_start, subject_stop),
		cmocka_unit_test(threads_may_have_other_names),
		cmocka_unit_test_setup_teardown(processes_and_threads_have_numbers, subject_start,
						subject_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
