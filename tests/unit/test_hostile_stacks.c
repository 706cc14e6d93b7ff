// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs of whole stacks, made to take hours or gigabytes: see hostile.h. */
#include <sys/wait.h>

#include "hostile.h"
#include "command.h"
#include "profile/profile_save.h"
#include "report/unsampled.h"
#include "run/run_save.h"

/* A profile of @nr stacks with one frame each, which @make fills. */
static struct profile *one_frame_each(u32 nr, void (*make)(u32 i, struct profile *profile,
								struct profile_frame *frame))
{
	struct profile *profile = profile_create();
	struct profile_frame frame;
	u32 process, at;

	process = profile_add_process(profile, &(struct profile_process){
		.kind = CPUPROBE_KIND_PROCESS, .pid = 7, .name = "hostile" });
	for (u32 i = 0; i < nr; i++) {
		frame = (struct profile_frame){ .function = MARK_USER };
		make(i, profile, &frame);
		at = profile_add_frame(profile, &frame);
		assert_int_equal(profile_add_stack(profile, process, CPUPROBE_MODE_USER, &at, 1, 1,
						   1000), 0);
	}
	profile->taken = nr;
	profile->taken_ns = nr * 1000.0;
	return profile;
}

/* A command in a process of its own, which is killed when it takes too long. */
static void run_in_time(const struct command *command, char *path)
{
	char *argv[] = { (char *)command->name, path, NULL };
	const struct rlimit limit = { SECONDS_MAX, SECONDS_MAX };
	pid_t pid = fork();
	int status;

	if (!pid) {
		setrlimit(RLIMIT_CPU, &limit);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		status = command_run(command, argv);
		fflush(stdout);
		_exit(status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void keep(const struct profile *profile, const char *path)
{
	struct run_result result = {
		.account = { .taken = profile->taken, .expected = profile->taken }, .nr_cpus = 1
	};
	struct record_writer writer;

	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add_result(&writer, &result);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, NULL), 0);
}

static void show_in_time(const struct profile *profile)
{
	char path[] = "/tmp/cpuprobe-hostile-XXXXXX";

	close(mkstemp(path));
	keep(profile, path);
	run_in_time(&command_flat, path);
	run_in_time(&command_graph, path);
	unlink(path);
}

static void make_colliding(u32 i, struct profile *profile, struct profile_frame *frame)
{
	frame->line = i;
	frame->addr = colliding((u64)frame->function << 32 | i);
}

/* A saved run of 3.9 MB, 1.4 MB of it frames. */
static void frames_that_collide(void **state)
{
	enum { NR = 60000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_colliding);

	assert_int_equal(profile->nr_frames, PROFILE_MARK_COUNT + NR);
	show_in_time(profile);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

static void make_other_file(u32 i, struct profile *profile, struct profile_frame *frame)
{
	static char file[16];

	sprintf(file, "%x", i);
	frame->file = file;
}

/* Frames that differ only in the file of their line are distinct. */
static void frames_of_many_files(void **state)
{
	enum { NR = 60000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_other_file);

	assert_int_equal(profile->nr_frames, PROFILE_MARK_COUNT + NR);
	show_in_time(profile);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

static void make_function_there(u32 i, struct profile *profile, struct profile_frame *frame)
{
	const struct profile_object object = { .kind = PROFILE_FILE, .name = "a", .path = "/a" };
	struct profile_function function = { .addr = 4096 };
	char name[16];

	sprintf(name, "%x", i);
	function.name = name;
	function.object = profile_add_object(profile, &object);
	frame->function = profile_add_function(profile, &function);
	frame->addr = 4096;
}

static int no_symbols(void *context, const struct profile_object *object, unsampled_add add,
		      void *to, struct text_error *error_ret)
{
	assert_int_equal(add(to, 4096, "seen"), 0);
	return add(to, 8192, "unseen");
}

/* Functions at one address without other names: unsampled ones are matched by address. */
static void functions_at_one_address(void **state)
{
	enum { NR = 150000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_function_there);
	struct unsampled *unsampled =
		unsampled_create(profile, FLAT_BASE_MACHINE, no_symbols, NULL);

	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	assert_int_equal(unsampled->nr_rows, 1);
	assert_string_equal(unsampled->rows[0].name, "unseen");
	unsampled_destroy(unsampled);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(frames_that_collide), LIMITED(frames_of_many_files),
		LIMITED(functions_at_one_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
