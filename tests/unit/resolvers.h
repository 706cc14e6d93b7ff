/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers for tests of the resolver: a resolver, and programs made here that load a library, exec
 * and exit. Groups of tests that start them list make_programs() and remove_programs().
 */
#ifndef RESOLVERS_H
#define RESOLVERS_H

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "directory.h"
#include "run/procstat.h"
#include "resolve/resolver.h"
#include "resolve/resolver_parts.h"

#define NOT_HERE 0x10000	/* an address without code in every program */

static struct profile *profile;
static struct resolver *resolver;

static inline void open_resolver(const struct resolver_options *options)
{
	profile = profile_create();
	resolver = resolver_create(profile, options, NULL);
	assert_non_null(resolver);
	resolver_begin(resolver);
	resolver_events(resolver);
}

static inline int close_resolver(void **state)
{
	resolver_destroy(resolver);
	profile_destroy(profile);
	resolver = NULL;
	profile = NULL;
	return 0;
}

static inline int open_plain(void **state)
{
	open_resolver(&(struct resolver_options){ 0 });
	return 0;
}

/* The text "function object" of a frame. */
static inline const char *text_of(u32 frame)
{
	static char text[2][400];
	static int turn;
	const struct profile_function *function = profile_function_of(profile, frame);

	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]), "%s %s", function->name,
		 profile->objects[function->object].name);
	return text[turn];
}

static inline const struct profile_object *object_of(u32 frame)
{
	return &profile->objects[profile_function_of(profile, frame)->object];
}

static inline u64 space_of(int pid)
{
	u64 space;

	assert_int_equal(procstat_space(pid, &space), 0);
	return space;
}

static bool is_code;

static inline u32 leaf(int pid, u64 space, u64 addr)
{
	return resolver_user_frame(resolver, pid, space, addr, false, &is_code);
}

static inline u32 caller(int pid, u64 space, u64 addr)
{
	return resolver_user_frame(resolver, pid, space, addr, true, &is_code);
}

/*
 * A program that loads a library, prints the addresses of its functions, and waits until its input
 * ends. With "fork" a child does so, with "exec" the program executes itself again without the
 * word.
 */
static const char worker_source[] =
	"#include <dlfcn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"#include <unistd.h>\n#include <sys/wait.h>\n"
	"__attribute__((noinline)) void *behind(void)\n"
	"{\n"
	"	return __builtin_return_address(0);\n"
	"}\n"
	"__attribute__((noinline)) void *work(void)\n"
	"{\n"
	"	void *at = behind();\n"
	"	__asm__ volatile(\"\" : \"+r\"(at));\n"
	"	return at;\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	void *lib, *(*in_lib)(void *(*)(void)), *space = NULL;\n"
	"	char line[1024], *at; FILE *stat; int field, is_last = argc < 3;\n"
	"	if (!is_last && !strcmp(argv[2], \"fork\") && fork()) { wait(NULL); return 0; }\n"
	"	if (!is_last && !strcmp(argv[2], \"exec\")) execl(argv[0], argv[0], argv[1], "
	"NULL);\n"
	"	lib = dlopen(argv[1], RTLD_NOW); in_lib = dlsym(lib, \"in_lib\");\n"
	"	stat = fopen(\"/proc/self/stat\", \"r\"); line[fread(line, 1, 1000, stat)] = 0;\n"
	"	at = strrchr(line, ')');\n"
	"	for (field = 2; field < 28; field++) at = strchr(at + 1, ' ');\n"
	"	space = (void *)strtoull(at, NULL, 10);\n"
	"	printf(\"%d %p %p %p %p %p\\n\", getpid(), space, (void *)work, work(),\n"
	"	       (void *)in_lib, in_lib(work));\n"
	"	fflush(stdout); getchar();\n"
	"	return 0;\n"
	"}\n";

static const char library_source[] =
	"__attribute__((noinline)) void *in_lib(void *(*work)(void))\n"
	"{\n"
	"	void *at = work();\n"
	"	__asm__ volatile(\"\" : \"+r\"(at));\n"
	"	return __builtin_return_address(0);\n"
	"}\n"
	"__asm__(\".text\\n.globl far_call,near_call\\n.byte 0xe8, 0, 0, 0, 0x7f\\n\"\n"
	"	\"far_call: nop\\n.byte 0xe8, 0, 0, 0, 0\\nnear_call: nop\");\n";

/** A worker, and its output. */
struct worker {
	pid_t pid;		/* the process started */
	int input;
	int told_pid;		/* the process that wrote the output */
	u64 space, work, in_work, in_lib, in_main;
};

static inline struct worker start(const char *program, const char *word)
{
	struct worker worker = { 0 };
	int in[2], out[2];
	char line[256] = "";
	FILE *told;

	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	worker.pid = fork();
	if (!worker.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(in_directory(program), program, in_directory("lib.so"), word, NULL);
		_exit(1);
	}
	close(in[0]);
	close(out[1]);
	worker.input = in[1];
	told = fdopen(out[0], "r");
	assert_non_null(fgets(line, sizeof(line), told));
	fclose(told);
	assert_int_equal(sscanf(line, "%d %llx %llx %llx %llx %llx", &worker.told_pid, &worker.space,
				&worker.work, &worker.in_work, &worker.in_lib, &worker.in_main), 6);
	return worker;
}

static inline void end(struct worker *worker)
{
	close(worker->input);
	waitpid(worker->pid, NULL, 0);
}

static inline int make_programs(void **state)
{
	assert_int_equal(make_directory(state), 0);
	write_file(in_directory("worker.c"), worker_source);
	write_file(in_directory("lib.c"), library_source);
	sh("cc -g -O1 -fPIE -pie -Wl,--build-id -o worker worker.c -ldl && "
	   "cc -g -O1 -fno-pie -no-pie -o fixed worker.c -ldl && "
	   "cc -O1 -fno-asynchronous-unwind-tables -fPIE -pie -s -o bare worker.c -ldl && "
	   "cc -g -O1 -fPIC -shared -Wl,--build-id -o lib.so lib.c && cp worker stripped && "
	   "objcopy --only-keep-debug worker worker.debug && strip stripped");
	return 0;
}

/* The text of a frame in the stripped program, whose functions are where those of the worker are. */
static inline const char *stripped_text(const char *function)
{
	int fd = open(in_directory("worker"), O_RDONLY);
	static char text[2][64];
	struct sym_index *index;
	static int turn;
	u64 addr;

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	close(fd);
	assert_true(sym_index_by_name(index, function, &addr));
	sym_index_destroy(index);
	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]), "stripped+0x%llx stripped", addr);
	return text[turn];
}

static inline int remove_programs(void **state)
{
	return remove_directory(state);
}

static inline void check_worker(const struct worker *worker, const char *program)
{
	u32 frame = leaf(worker->told_pid, worker->space, worker->work);
	char expected[64];

	snprintf(expected, sizeof(expected), "work %s", program);
	assert_string_equal(text_of(frame), expected);
	assert_int_equal(object_of(frame)->kind, PROFILE_FILE);
	assert_string_equal(object_of(frame)->path, in_directory(program));
	assert_string_equal(text_of(caller(worker->told_pid, worker->space, worker->in_work)),
			    expected);
	assert_true(is_code);
	snprintf(expected, sizeof(expected), "main %s", program);
	assert_string_equal(text_of(caller(worker->told_pid, worker->space, worker->in_main)),
			    expected);
	assert_true(is_code);
	assert_string_equal(text_of(leaf(worker->told_pid, worker->space, worker->in_lib)),
			    "in_lib lib.so");
}

#endif
