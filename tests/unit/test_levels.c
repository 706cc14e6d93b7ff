// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the machine down to an instruction of this very program, with invented counts: the levels of
 * the live view, and the way from one to the next. cli/top/level*.c, zoom.c, who.c.
 */
#include "unit.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code/listing_view.h"
#include "top/zoom.h"

#define HOT_HITS 900

static struct level_options options;
static u64 counts[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];

/* The function that takes the time, according to the counts. */
__attribute__((noinline)) int hot_spot(int n);
int hot_spot(int n)
{
	volatile int sum = 0;

	while (n--)
		sum += n;
	return sum;
}

static void end_interval(struct level *level, u64 taken)
{
	const struct run_result result = {
		.account = { .taken = taken, .expected = taken }, .elapsed_seconds = 1,
		.nr_cpus = 1,
	};

	level_end_interval(level, &result);
	assert_int_equal(level_look(level, NULL), 0);
}

/* A second in which the target was sampled in one object, at one address of it. */
static void count(struct level *level, u32 object, u64 addr)
{
	struct cpuprobe_account account = {
		.entries = CPUPROBE_OBJECTS + CPUPROBE_SLOTS, .objects = CPUPROBE_OBJECTS,
		.period_ns = 1000000, .taken = 1000, .other_task = 1000 - HOT_HITS,
	};

	memset(counts, 0, sizeof(counts));
	counts[object] = HOT_HITS;
	if (addr >= level->layout.low && addr < level->layout.high)
		counts[CPUPROBE_OBJECTS +
		       ((addr - level->layout.base) >> level->layout.shift)] = HOT_HITS;
	level_sink(level, 0, &account, counts);
	end_interval(level, 1000);
}

static void add_record(struct level *machine, const char *name, u64 id, u32 kind,
		       u64 user)
{
	struct cpuprobe_record record = { .id = { id, 0 }, .kind = kind };
	const struct cpuprobe_account account = {
		.entries = 1, .taken = user, .expected = user, .period_ns = 1000000,
	};

	snprintf(record.name, sizeof(record.name), "%s", name);
	record.hits[CPUPROBE_MODE_USER] = user;
	level_sink(machine, 0, &account, &record);
}

static struct level *make_machine(void)
{
	struct level *machine;
	struct stat exe;

	sampling_init(&options.sampling);
	assert_int_equal(stat("/proc/self/exe", &exe), 0);
	machine = level_create_machine(&options);
	assert_non_null(machine);
	add_record(machine, "test_levels", exe.st_ino * CPUPROBE_INODE_FACTOR, CPUPROBE_KIND_EXE,
		   300);
	add_record(machine, "IDLE", 0, CPUPROBE_KIND_IDLE, 600);
	add_record(machine, "(softirq)", 0, CPUPROBE_KIND_SOFTIRQ, 100);
	end_interval(machine, 1000);
	return machine;
}

static const struct roster_row *at_cursor(const struct level *level)
{
	return outlook_row(&level->outlook, &level->roster);
}

static struct level *zoom(struct level *from)
{
	struct text_error error = { "", "" };
	struct level *level = zoom_in(from, at_cursor(from), &error);

	assert_string_equal(error.what, "");
	assert_non_null(level);
	return level;
}

static void destroy_all(struct level *level)
{
	while (level) {
		struct level *above = level->above;

		level_destroy(level);
		level = above;
	}
}

static void test_machine(void **state)
{
	struct level *machine = make_machine();
	struct model model = { .page_rows = 0 };

	assert_int_equal(machine->roster.nr, 3);
	/* IDLE has the most samples but cannot be entered */
	assert_string_equal(at_cursor(machine)->name, "test_levels");
	assert_int_equal(machine->outlook.cursor, 1);
	assert_int_equal(machine->nr_cpus, 1);
	assert_true(machine->cpus[0].busy > 0.399 && machine->cpus[0].busy < 0.401);
	assert_true(machine->cpus[0].interval.lo < 0.4 && machine->cpus[0].interval.hi > 0.4);
	level_describe(machine, &model);
	assert_string_equal(model.path, "machine");
	assert_int_equal(model.account.run.taken, 1000);
	destroy_all(machine);
}

static void test_down_to_instruction(void **state)
{
	struct level *level = zoom(make_machine());
	struct model model = { .page_rows = 0 };
	const struct roster_row *row;
	enum level_kind kind;
	bool is_in_function = false;
	u64 addr = 0;
	int steps = 0;

	assert_int_equal(level->kind, LEVEL_TASK);
	assert_int_equal(level->target->task.pid, 0);
	count(level, CPUPROBE_OBJECT_EXE, 0);
	assert_string_equal(at_cursor(level)->name, "test_levels");
	level_describe(level, &model);
	assert_string_equal(model.path, "machine > test_levels");
	assert_non_null(strstr(model.subject, "900 samples of test_levels, 90.0% +-"));
	level = zoom(level);
	assert_int_equal(level->kind, LEVEL_OBJECT);
	assert_true(sym_index_by_name(level->target->symbols, "hot_spot", &addr));
	addr += 4;
	while (level->kind != LEVEL_INSTRUCTION) {
		kind = level->kind;
		count(level, CPUPROBE_OBJECT_EXE, addr);
		assert_int_equal(level->roster.nr, 1);
		assert_true(at_cursor(level)->share == 1);
		if (kind == LEVEL_FUNCTION) {
			assert_string_equal(level->name, "hot_spot");
			is_in_function = true;
		}
		level = zoom(level);
		assert_true(level->kind >= kind);
		assert_true(level->kind > kind || kind == LEVEL_RANGE);
		assert_in_range(steps++, 0, 5);
	}
	count(level, CPUPROBE_OBJECT_EXE, addr);
	assert_ptr_equal(level->roster.list, &listing_column_list);
	assert_true(level->roster.nr > 3);
	row = at_cursor(level);
	assert_true(row->share == 1);
	assert_true(strlen(row->name) > 2);
	level_describe(level, &model);
	/* A small range of several functions has its instructions at once: that depends on where the linker places them. */
	assert_non_null(strstr(model.path, is_in_function ? " > hot_spot > instructions" : " > instructions"));
	assert_non_null(strstr(model.subject, "900 samples here, 100.0% +-0.43 of test_levels"));
	assert_true(model.is_last);
	memset(counts, 0, sizeof(counts));
	destroy_all(level);
}

static void test_closed_rows(void **state)
{
	struct level *machine = make_machine();
	struct text_error error;
	struct row row = { .kind = CPUPROBE_KIND_EXE, .name = "no such program" };
	struct roster_row roster_row = { .data = &row, .name = row.name };

	assert_null(zoom_in(machine, &machine->roster.row[1], &error));
	assert_string_equal(error.what, "zoom into IDLE: nothing runs there");
	assert_null(zoom_in(machine, &machine->roster.row[2], &error));
	assert_non_null(strstr(error.what, "belong to no task"));
	assert_null(zoom_in(machine, &roster_row, &error));
	assert_non_null(strstr(error.what, "none of its processes is running"));
	row = (struct row){ .kind = CPUPROBE_KIND_CGROUP, .name = "/system.slice" };
	assert_null(zoom_in(machine, &roster_row, &error));
	row = (struct row){ .kind = CPUPROBE_KIND_PROCESS, .pid = 999999999, .name = "gone" };
	assert_null(zoom_in(machine, &roster_row, &error));
	destroy_all(machine);
}

/* A process that has a name only is sorted as others are, and cannot be entered. */
static void test_only_a_name(void **state)
{
	struct level *machine = make_machine();
	struct text_error error;

	add_record(machine, "hidden", 7, CPUPROBE_KIND_EXITING, 800);
	add_record(machine, "(exiting)", 0, CPUPROBE_KIND_EXITING, 900);
	end_interval(machine, 1700);
	outlook_move(&machine->outlook, &machine->roster, -9);
	assert_string_equal(at_cursor(machine)->name, "hidden");
	assert_false(at_cursor(machine)->is_open);
	assert_null(zoom_in(machine, at_cursor(machine), &error));
	assert_string_equal(error.what, "zoom into hidden: it has ended, or may not be examined");
	outlook_move(&machine->outlook, &machine->roster, 3);
	assert_string_equal(at_cursor(machine)->name, "(exiting)");
	assert_null(zoom_in(machine, at_cursor(machine), &error));
	assert_string_equal(error.what, "zoom into (exiting): these tasks have ended");
	destroy_all(machine);
}

/* The pid of a child that runs this executable and waits to be killed. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void test_task_ends(void **state)
{
	struct level *machine = make_machine(), *level;
	struct text_error error;
	pid_t pid = start_child();
	char word[16];

	snprintf(word, sizeof(word), "%d", pid);
	level = zoom_to_task(machine, word, &error);
	assert_non_null(level);
	assert_int_equal(level->target->task.pid, pid);
	count(level, CPUPROBE_OBJECT_EXE, 0);
	assert_false(level_check_task(level));
	assert_false(level->is_task_gone);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(level_check_task(level));
	assert_true(level->is_task_gone);
	assert_false(level_check_task(level));
	/* its numbers remain, but there is no deeper level */
	assert_int_equal(level->roster.nr, 1);
	assert_null(zoom_in(level, at_cursor(level), &error));
	destroy_all(level);
}

static void test_window_is_inherited(void **state)
{
	struct level *machine = make_machine(), *level;

	window_set(&machine->window, 30);
	level = zoom(machine);
	assert_true(level->window.seconds == 30);
	destroy_all(level);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_down_to_instruction),
		cmocka_unit_test(test_closed_rows),
		cmocka_unit_test(test_only_a_name),
		cmocka_unit_test(test_task_ends),
		cmocka_unit_test(test_window_is_inherited),
	};

	hot_spot(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
