// SPDX-License-Identifier: GPL-2.0-only
/* Counts of BPF programs as objects and slots: cli/bpf/addresses.c, on this process itself. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "bpf/proc_task.h"
#include "bpf/tally.h"
#include "run/run_kind.h"

#define GONE	0x7fffff00	/* no process can have this number */
#define LIBRARY	(CPUPROBE_OBJECT_FIRST + 1)

static struct counts counts;
static struct counts_key keys[8];
static u64 values[8 * 2];
static struct area_list areas;
static struct proc_task self;

/* Samples of a key, on the second of two CPUs. */
static void count(u32 pid, bool is_user, u64 pc, const char *comm, u64 hits)
{
	keys[counts.nr] = (struct counts_key){ .id = pid, .is_user = is_user ? 3 : 0, .pc = pc };
	strcpy(keys[counts.nr].comm, comm);
	values[2 * counts.nr++ + 1] = hits;
}

static int begin(void **state)
{
	static struct cpuprobe_area area[3];

	counts = (struct counts){ .keys = keys, .key_len = sizeof(keys[0]), .values = values,
				  .nr_possible = 2 };
	memset(values, 0, sizeof(values));
	assert_int_equal(proc_task_read(getpid(), &self), 0);
	area[0] = (struct cpuprobe_area){ .start = 0xffffffffc0000000, .end = 0xffffffffc0001000,
					  .object = CPUPROBE_OBJECT_FIRST };
	area[1] = (struct cpuprobe_area){ .start = 0x1000, .end = 0x2000, .bias = 0x800,
					  .space = self.space, .pid = getpid(), .object = LIBRARY };
	/* This process had it before it executed its program. */
	area[2] = (struct cpuprobe_area){ .start = 0x3000, .end = 0x4000, .space = self.space + 16,
					  .pid = getpid(), .object = LIBRARY };
	areas = (struct area_list){ area, 3, LIBRARY + 1, true };
	return 0;
}

static struct cpuprobe_start start_of(u32 mode, u32 object, u64 low, u64 high)
{
	return (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_PROCESS, .mode = mode, .object = object, .low = low, .high = high,
		.exe_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), .code_start = 0x100,
	};
}

/* The account of the second CPU; checks its sums as the device does. The processes @met end before. */
static struct cpuprobe_account tell_of(const struct cpuprobe_start *start, const u32 *met, u32 nr_met,
				       u64 *entries)
{
	struct tally *tally = tally_create_addresses(start, &areas);
	struct cpuprobe_account account = { 0 };
	const void *at;

	assert_non_null(tally);
	for (; nr_met--; met++) {
		const struct counts_key key = { .id = *met };

		tally->meet(tally, &key);
		kill(*met, SIGKILL);
		assert_int_equal(waitpid(*met, NULL, 0), *met);
	}
	tally->begin(tally, &counts);
	assert_int_equal(tally->fill(tally, &counts, 0, &account, &at), 0);
	memset(&account, 0, sizeof(account));
	account.taken = tally->fill(tally, &counts, 1, &account, &at);
	assert_int_equal(run_kind_process.sum(&account, at), account.taken);
	assert_true(run_kind_process.others_add_up(&account, at));
	memcpy(entries, at, account.entries * sizeof(u64));
	tally->destroy(tally);
	close(start->exe_fd);
	return account;
}

static struct cpuprobe_account tell(const struct cpuprobe_start *start, u64 *entries)
{
	return tell_of(start, NULL, 0, entries);
}

/* Starts a process that waits. @program: NULL: this one. */
static u32 start_process(const char *program)
{
	int gate[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid && !program) {
		close(gate[0]);
		close(gate[1]);
		for (;;)
			pause();
	}
	if (!pid) {
		execlp(program, program, "60", NULL);
		_exit(127);
	}
	close(gate[1]);
	/* It ends when the other program runs. */
	assert_int_equal(read(gate[0], &byte, 1), 0);
	close(gate[0]);
	return pid;
}

static void user_addresses_are_placed(void **state)
{
	const struct cpuprobe_start start = start_of(CPUPROBE_MODE_USER, CPUPROBE_OBJECT_EXE, 0x100, 0x180);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_account account;

	count(getpid(), true, self.code_start + 0x10, "", 5);
	count(getpid(), true, self.code_start + 0x90, "", 2);
	count(getpid(), true, 0x1800, "", 7);
	count(getpid(), true, 0x10, "", 11);
	count(getpid(), false, 0xffffffffc0000010, "", 13);
	count(getpid(), false, 0xffffffff81000000, "", 17);
	count(getppid(), true, self.code_start, "", 19);
	count(0, false, 0, "swapper/1", 23);
	account = tell(&start, entries);
	assert_int_equal(account.taken, 97);
	assert_int_equal(account.objects, LIBRARY + 1);
	assert_int_equal(entries[CPUPROBE_OBJECT_EXE], 7);
	assert_int_equal(entries[LIBRARY], 7);
	assert_int_equal(entries[CPUPROBE_OBJECT_UNPLACED], 11);
	assert_int_equal(entries[CPUPROBE_OBJECT_FIRST], 13);
	assert_int_equal(entries[CPUPROBE_OBJECT_KERNEL], 17);
	assert_int_equal(entries[account.objects + 0x10], 5);
	assert_int_equal(account.outside, 2 + 7 + 11);
	assert_int_equal(account.other_mode, 30);
	assert_int_equal(account.other_task, 42);
	assert_int_equal(account.unplaced_pid, getpid());
}

static void library_and_kernel_have_slots(void **state)
{
	struct cpuprobe_start start = start_of(CPUPROBE_MODE_USER, LIBRARY, 0x1000, 0x1010);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_account account;

	count(getpid(), true, 0x1803, "", 3);
	count(getpid(), false, 0xffffffff81000004, "", 4);
	count(getpid(), true, 0x3003, "", 6);
	account = tell(&start, entries);
	assert_int_equal(entries[account.objects + 3], 3);
	assert_int_equal(account.other_mode, 4);
	assert_int_equal(entries[CPUPROBE_OBJECT_UNPLACED], 6);
	assert_int_equal(account.outside, 6);
	start = start_of(CPUPROBE_MODE_KERNEL, 0, 0xffffffff81000000, 0xffffffff81000010);
	account = tell(&start, entries);
	assert_int_equal(entries[account.objects + 4], 4);
	assert_int_equal(account.other_mode, 9);
}

static void softirqs_are_apart(void **state)
{
	const struct cpuprobe_start start = start_of(CPUPROBE_MODE_KERNEL, 0, 0xffffffff81000000, 0xffffffff81000010);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_account account;

	count(getpid(), false, 0xffffffff81000004, "", 4);
	count(getpid(), false, 0xffffffff81000004, "", 8);
	keys[counts.nr - 1].is_user = COUNTS_SOFTIRQ;
	count(GONE, false, 0xffffffff81000004, "test_addresses", 16);
	keys[counts.nr - 1].is_user = COUNTS_SOFTIRQ;
	account = tell(&start, entries);
	assert_int_equal(entries[account.objects + 4], 4);
	assert_int_equal(entries[CPUPROBE_OBJECT_SOFTIRQ], 8);
	assert_int_equal(account.other_mode, 8);
	assert_int_equal(account.lost[CPUPROBE_MODE_SOFTIRQ], 16);
}

static void gone_processes_are_lost_by_name(void **state)
{
	const struct cpuprobe_start start = start_of(CPUPROBE_MODE_USER, 0, 0x100, 0x180);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_account account;

	count(GONE, true, 0x10, "test_addresses", 3);
	count(GONE, false, 0x10, "test_addresses", 4);
	count(GONE + 1, true, 0x10, "another", 5);
	account = tell(&start, entries);
	assert_int_equal(account.lost[CPUPROBE_MODE_USER], 3);
	assert_int_equal(account.lost[CPUPROBE_MODE_KERNEL], 4);
	assert_int_equal(account.other_task, 5);
}

static void processes_that_were_met_are_known(void **state)
{
	const struct cpuprobe_start start = start_of(CPUPROBE_MODE_USER, CPUPROBE_OBJECT_EXE, 0x100, 0x180);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	const u32 met[] = { start_process(NULL), start_process("sleep"), start_process("sleep"),
			      start_process(NULL) };
	const u32 alive = start_process(NULL);
	struct cpuprobe_account account;

	/* Its file tells its program, whatever its name was. */
	count(alive, true, self.code_start + 0x10, "renamed", 20);
	count(met[0], true, self.code_start + 0x10, "test_addresses", 3);
	count(met[1], true, self.code_start + 0x10, "sleep", 5);
	/* It executed this program before it ended. */
	count(met[2], true, self.code_start + 0x10, "test_addresses", 7);
	/* This program executed another one before it ended. */
	count(met[3], true, self.code_start + 0x10, "another", 11);
	account = tell_of(&start, met, 4, entries);
	kill(alive, SIGKILL);
	assert_int_equal(waitpid(alive, NULL, 0), alive);
	assert_int_equal(entries[account.objects + 0x10], 20 + 3);
	assert_int_equal(account.other_task, 5 + 11);
	assert_int_equal(account.lost[CPUPROBE_MODE_USER], 7);
}

static void other_programs_of_a_process_are_apart(void **state)
{
	struct cpuprobe_start start = start_of(CPUPROBE_MODE_USER, 0, 0x100, 0x180);
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_account account;

	close(start.exe_fd);
	start.exe_fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	start.pid = getpid();
	count(getpid(), true, 0x10, "", 3);
	count(0, true, 0, "", 4);
	account = tell(&start, entries);
	assert_int_equal(account.other_exe, 3);
	assert_int_equal(account.other_task, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(user_addresses_are_placed, begin),
		cmocka_unit_test_setup(library_and_kernel_have_slots, begin),
		cmocka_unit_test_setup(softirqs_are_apart, begin),
		cmocka_unit_test_setup(gone_processes_are_lost_by_name, begin),
		cmocka_unit_test_setup(processes_that_were_met_are_known, begin),
		cmocka_unit_test_setup(other_programs_of_a_process_are_apart, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
