// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph PROBE: time and memory of `probe graph` for a run of 100,000 distinct stacks, for the
 * listing of all functions and for the tree, each in a process of its own, median of five. One line
 * each: "graph FORM STACKS FUNCTIONS MS KB", in processor time. Exits with 1 when one takes 2
 * seconds or 150 MB. `graph make RUN` writes the run.
 */
#include <string.h>

#include "child.h"
#include "profile/profile_save.h"

#define NR_STACKS	100000
#define NR_FUNCTIONS	8000
#define NR_OBJECTS	20
#define MAX_FRAMES	64
#define MAX_MS		2000
#define MAX_KB		(150 * 1024)

/* Names as long as those of C++. */
static void add_functions(struct profile *profile, uint32_t *frames)
{
	char name[128];
	uint32_t i;

	for (i = 0; i < NR_FUNCTIONS; i++) {
		struct profile_object object = { .kind = PROFILE_FILE, .name = name, .path = name };
		struct profile_function function = { .name = name, .addr = 0x1000 + 0x100 * i };
		struct profile_frame frame = { .addr = function.addr + 0x10 };

		snprintf(name, sizeof(name), "/usr/lib/libobject%u.so", i % NR_OBJECTS);
		function.object = profile_add_object(profile, &object);
		snprintf(name, sizeof(name),
			 "a_name_space::a_class_%u::method_%u(unsigned int, char const*)", i / 20,
			 i);
		frame.function = profile_add_function(profile, &function);
		frames[i] = profile_add_frame(profile, &frame);
	}
}

/*
 * From the root on, each function calls one of sixteen, or rarely any other: paths begin alike,
 * part and meet again, and there are cycles, as in a large program.
 */
static void add_stack(struct profile *profile, const uint32_t *frames, uint32_t process)
{
	uint32_t list[MAX_FRAMES], nr = 8 + below(MAX_FRAMES - 7), at, function = 0;

	for (at = nr; at--; ) {
		list[at] = frames[function];
		function = below(400) ?
			(function * 16 + 1 + below(16) * (at % 3 == 0)) % NR_FUNCTIONS :
			below(NR_FUNCTIONS);
	}
	if (profile_add_stack(profile, process, CPUPROBE_MODE_USER, list, nr, 1, 1e6))
		errx(1, "out of memory");
}

static int make(const char *path)
{
	struct run_result result = { .nr_cpus = 1, .period_ns = 1000000, .seed = 1, .began = 1e9 };
	uint32_t frames[NR_FUNCTIONS], process;
	struct profile *profile = profile_create();
	struct record_writer writer;
	struct text_error error;

	if (!profile)
		errx(1, "out of memory");
	add_functions(profile, frames);
	process = profile_add_process(profile, &(struct profile_process){
		.kind = CPUPROBE_KIND_PROCESS, .pid = 1, .name = "large" });
	while (profile->nr_stacks < NR_STACKS) {
		add_stack(profile, frames, process);
		profile->taken++;
		profile->taken_ns += 1e6;
	}
	result.account.taken = result.account.expected = profile->taken;
	result.elapsed_seconds = profile->taken_ns / 1e9;
	if (record_create(&writer, path, &error))
		errx(1, "%s", error.what);
	record_add_result(&writer, &result);
	profile_save(&writer, profile);
	profile_destroy(profile);
	return record_commit(&writer, &error) ? 1 : 0;
}

static bool measure(const char *form, char *const *argv)
{
	struct cost median = measure_child(argv);

	printf("graph %s %d %d %.0f %ld\n", form, NR_STACKS, NR_FUNCTIONS, median.ms, median.kb);
	return median.ms < MAX_MS && median.kb < MAX_KB;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/cpuprobe-graph-XXXXXX";
	bool is_good;
	int fd;

	if (argc == 3 && !strcmp(argv[1], "make"))
		return make(argv[2]);
	if (argc != 2)
		errx(2, "usage: graph PROBE | graph make RUN");
	fd = mkstemp(path);
	if (fd < 0)
		err(1, "%s", path);
	close(fd);
	/* In a process of its own: the memory of this process would be counted with the child's. */
	run_child((char *[]){ argv[0], "make", path, NULL });
	is_good = measure("listing", (char *[]){ argv[1], "graph", "-min", "0", path, NULL });
	is_good = measure("tree", (char *[]){ argv[1], "graph", "-tree", path, NULL }) && is_good;
	unlink(path);
	return !is_good;
}
