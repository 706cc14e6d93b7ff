// SPDX-License-Identifier: GPL-2.0-only
/*
 * From addresses to frames: of this process, of programs made here that load libraries, exec
 * and end, of code made at run time, and of a made-up kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "procstat.h"
#include "profile/calls.h"
#include "profile/resolver.h"
#include "profile/resolver_parts.h"

#define NOT_HERE 0x10000	/* no program has code there */

static char folder[] = "/tmp/test-resolver-XXXXXX";
static struct profile *profile;
static struct resolver *resolver;

/* Runs shell commands in the tests' folder. */
static void sh(const char *text)
{
	char command[4096];

	snprintf(command, sizeof(command), "cd %s && { %s; }", folder, text);
	assert_int_equal(system(command), 0);
}

static const char *in_folder(const char *name)
{
	static char path[2][256];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
	return path[turn];
}

static void open_resolver(const struct resolver_options *options)
{
	profile = profile_create();
	resolver = resolver_create(profile, options, NULL);
	assert_non_null(resolver);
	resolver_begin(resolver);
	resolver_events(resolver);
}

static int close_resolver(void **state)
{
	(void)state;
	resolver_destroy(resolver);
	profile_destroy(profile);
	resolver = NULL;
	profile = NULL;
	return 0;
}

static int open_plain(void **state)
{
	(void)state;
	open_resolver(&(struct resolver_options){ 0 });
	return 0;
}

/* "function object" of a frame. */
static const char *text_of(uint32_t frame)
{
	static char text[2][400];
	static int turn;
	const struct profile_function *function = profile_function_of(profile, frame);

	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]), "%s %s", function->name,
		 profile->objects[function->object].name);
	return text[turn];
}

static const struct profile_object *object_of(uint32_t frame)
{
	return &profile->objects[profile_function_of(profile, frame)->object];
}

static uint64_t space_of(int pid)
{
	uint64_t space;

	assert_int_equal(procstat_space(pid, &space), 0);
	return space;
}

static bool is_code;

static uint32_t leaf(int pid, uint64_t space, uint64_t addr)
{
	return resolver_user_frame(resolver, pid, space, addr, false, &is_code);
}

static uint32_t caller(int pid, uint64_t space, uint64_t addr)
{
	return resolver_user_frame(resolver, pid, space, addr, true, &is_code);
}

/*
 * A program that loads a library, tells where things are, and waits until its input ends. Its
 * words: "fork" does so in a child, "exec" executes itself again without the word.
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
	"	if (!is_last && !strcmp(argv[2], \"exec\")) execl(argv[0], argv[0], argv[1], NULL);\n"
	"	lib = dlopen(argv[1], RTLD_NOW); in_lib = dlsym(lib, \"in_lib\");\n"
	"	stat = fopen(\"/proc/self/stat\", \"r\"); line[fread(line, 1, 1000, stat)] = 0;\n"
	"	at = strrchr(line, ')');\n"
	"	for (field = 2; field < 28; field++) at = strchr(at + 1, ' ');\n"
	"	space = (void *)strtoull(at, NULL, 10);\n"
	"	printf(\"%d %p %p %p %p %p\\n\", getpid(), space, (void *)work, work(), (void *)in_lib,\n"
	"	       in_lib(work));\n"
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

/** A worker, and what it said. */
struct worker {
	pid_t pid;		/* that was started */
	int input;
	int told_pid;		/* that spoke */
	uint64_t space, work, in_work, in_lib, in_main;
};

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static struct worker start(const char *program, const char *word)
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
		execl(in_folder(program), program, in_folder("lib.so"), word, NULL);
		_exit(1);
	}
	close(in[0]);
	close(out[1]);
	worker.input = in[1];
	told = fdopen(out[0], "r");
	assert_non_null(fgets(line, sizeof(line), told));
	fclose(told);
	assert_int_equal(sscanf(line, "%d %lx %lx %lx %lx %lx", &worker.told_pid, &worker.space,
				&worker.work, &worker.in_work, &worker.in_lib, &worker.in_main), 6);
	return worker;
}

static void end(struct worker *worker)
{
	close(worker->input);
	waitpid(worker->pid, NULL, 0);
}

static int make_programs(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	write_file(in_folder("worker.c"), worker_source);
	write_file(in_folder("lib.c"), library_source);
	sh("cc -g -O1 -fPIE -pie -Wl,--build-id -o worker worker.c -ldl && "
	   "cc -g -O1 -fno-pie -no-pie -o fixed worker.c -ldl && "
	   "cc -g -O1 -fPIC -shared -Wl,--build-id -o lib.so lib.c && cp worker stripped && "
	   "objcopy --only-keep-debug worker worker.debug && strip stripped");
	return 0;
}

static int remove_programs(void **state)
{
	(void)state;
	sh("rm -r \"$PWD\"");
	return 0;
}

static void check_worker(const struct worker *worker, const char *program)
{
	uint32_t frame = leaf(worker->told_pid, worker->space, worker->work);
	char expected[64];

	snprintf(expected, sizeof(expected), "work %s", program);
	assert_string_equal(text_of(frame), expected);
	assert_int_equal(object_of(frame)->kind, PROFILE_FILE);
	assert_string_equal(object_of(frame)->path, in_folder(program));
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

static void a_living_program(void **state)
{
	struct worker worker = start("worker", NULL);
	const struct profile_function *function;
	uint32_t frame;

	(void)state;
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	frame = leaf(worker.pid, worker.space, worker.work + 1);
	assert_int_equal(object_of(frame)->build_id_len, 20);
	function = profile_function_of(profile, frame);
	assert_true(profile->frames[frame].addr == function->addr + 1);
	assert_true(function->addr && function->addr < worker.work);
	/* the same again, from memory */
	assert_int_equal(leaf(worker.pid, worker.space, worker.work + 1), frame);
	/* where a function begins or goes on nothing was called before */
	assert_int_equal(caller(worker.pid, worker.space, worker.in_work + 1),
			 profile_mark(MARK_NO_FRAME_POINTER));
	assert_false(is_code);
	assert_int_equal(caller(worker.pid, worker.space, NOT_HERE),
			 profile_mark(MARK_NO_FRAME_POINTER));
	assert_false(is_code);
	assert_int_equal(resolver_counts(resolver)->no_call, 2);
	frame = leaf(worker.pid, worker.space, NOT_HERE);
	assert_string_equal(text_of(frame), "object unknown (unmapped) (unmapped)");
	assert_true(is_code && resolver_is_unknown(resolver, frame));
	end(&worker);
}

/* Bytes that read as a call, but to where no code of the object is. */
static void a_call_to_nowhere(void **state)
{
	struct worker worker = start("worker", NULL);
	int fd = open(in_folder("lib.so"), O_RDONLY);
	uint64_t far, near, in_lib;
	struct sym_index *index;

	(void)state;
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_true(sym_index_by_name(index, "far_call", &far));
	assert_true(sym_index_by_name(index, "near_call", &near));
	assert_true(sym_index_by_name(index, "in_lib", &in_lib));
	sym_index_destroy(index);
	close(fd);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	caller(worker.pid, worker.space, worker.in_lib + far - in_lib);
	assert_false(is_code);
	caller(worker.pid, worker.space, worker.in_lib + near - in_lib);
	assert_true(is_code);
	end(&worker);
}

static void other_ways_to_link(void **state)
{
	struct worker worker = start("fixed", NULL);

	(void)state;
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "fixed");
	end(&worker);
	worker = start("stripped", NULL);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)),
			    "(no symbol) stripped");
	/* one function for all of it, whose frames have their addresses */
	assert_true(profile->frames[leaf(worker.pid, worker.space, worker.work)].addr + 1 ==
		    profile->frames[leaf(worker.pid, worker.space, worker.work + 1)].addr);
	assert_int_equal(profile->frames[leaf(worker.pid, worker.space, worker.work)].function,
			 profile->frames[leaf(worker.pid, worker.space, worker.work + 1)].function);
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_work)),
			    "(no symbol) stripped");
	assert_true(is_code);
	end(&worker);
}

static void a_program_that_is_gone(void **state)
{
	struct worker worker = start("worker", NULL);
	int exe_fd = open(in_folder("worker"), O_RDONLY);
	uint64_t code_start, low;
	char path[64];
	FILE *file;
	uint32_t frame;

	(void)state;
	/* where its first code is, as the module would tell */
	snprintf(path, sizeof(path), "grep ' r-xp .*/worker$' /proc/%d/maps", worker.pid);
	file = popen(path, "r");
	assert_int_equal(fscanf(file, "%lx", &low), 1);
	pclose(file);
	code_start = low;
	end(&worker);
	/* nothing is known of it */
	frame = leaf(worker.pid, worker.space, worker.work);
	assert_string_equal(text_of(frame), "object unknown (exited) (exited)");
	assert_int_equal(object_of(frame)->kind, PROFILE_UNKNOWN);
	assert_int_equal(profile->frames[frame].addr, 0);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	assert_int_equal(leaf(worker.pid, worker.space, worker.work), frame);
	assert_int_equal(caller(worker.pid, worker.space, worker.in_work), frame);
	assert_true(is_code);
	assert_int_equal(resolver_counts(resolver)->unknown[RESOLVER_EXITED], 3);
	/* its executable is, and where it was */
	resolver_see(resolver, worker.pid, worker.space, exe_fd, code_start);
	close(exe_fd);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)), "work worker");
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_work)),
			    "work worker");
	assert_true(is_code);
	assert_int_equal(leaf(worker.pid, worker.space, worker.in_lib), frame);
}

static void a_program_seen_before_it_ends(void **state)
{
	struct worker worker = start("worker", NULL);
	int i;

	(void)state;
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	end(&worker);
	resolver_events(resolver);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	/* forgotten in the end */
	for (i = 0; i < 2 * SPACES_ROUNDS_IDLE; i++)
		resolver_events(resolver);
	assert_true(resolver_is_unknown(resolver, leaf(worker.pid, worker.space, worker.work)));
}

/* Its file is deleted, and another has its path: the descriptor and the mapping still lead to it. */
static void a_deleted_program(void **state)
{
	struct worker worker;
	int exe_fd;

	(void)state;
	sh("cp worker gone && cp lib.so kept.so");
	worker = start("gone", NULL);
	exe_fd = open(in_folder("gone"), O_RDONLY);
	sh("rm gone && cp /bin/true gone && rm lib.so && cp kept.so lib.so");
	resolver_see(resolver, worker.pid, worker.space, exe_fd, 0);
	close(exe_fd);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)), "work gone");
	if (!access("/proc/self/map_files", R_OK | X_OK) && !getuid())
		assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.in_lib)),
				    "in_lib lib.so");
	end(&worker);
}

/* Without the descriptor, and gone: the path leads to another file, which is not believed. */
static void a_replaced_program(void **state)
{
	struct worker worker;

	(void)state;
	sh("cp worker old");
	worker = start("old", NULL);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	end(&worker);
	sh("cp worker new && mv new old");
	resolver_events(resolver);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)), "(no symbol) old");
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_work)),
			    "(no symbol) old");
	assert_true(is_code);
	assert_true(resolver_counts(resolver)->unchecked > 0);
}

/* Inodes are used again: the same number and path, other contents. */
static void an_inode_used_again(void **state)
{
	struct worker first, second;
	int first_fd, second_fd;

	(void)state;
	sh("cp worker again");
	first = start("again", NULL);
	first_fd = open(in_folder("again"), O_RDONLY);
	resolver_see(resolver, first.pid, first.space, first_fd, 0);
	assert_string_equal(text_of(leaf(first.pid, first.space, first.work)), "work again");
	end(&first);
	/* written over: as a new file of that inode would be */
	sh("sed s/work/toil/g worker.c >toil.c && cc -O1 -o toil toil.c -ldl && cat toil >again");
	second = start("again", NULL);
	second_fd = open(in_folder("again"), O_RDONLY);
	resolver_events(resolver);
	resolver_see(resolver, second.pid, second.space, second_fd, 0);
	assert_string_equal(text_of(leaf(second.pid, second.space, second.work)), "toil again");
	/* the first is what it was */
	resolver_see(resolver, first.pid, first.space, -1, 0);
	close(first_fd);
	close(second_fd);
	end(&second);
}

static void exec_and_space(void **state)
{
	struct worker worker = start("worker", "exec");

	(void)state;
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	/* a space of the same process that was before */
	resolver_see(resolver, worker.pid, worker.space + 4096, -1, 0);
	assert_true(resolver_is_unknown(resolver, leaf(worker.pid, worker.space + 4096,
						       worker.work)));
	assert_true(spaces_newest(resolver->spaces, worker.pid)->id == worker.space);
	assert_false(spaces_newest(resolver->spaces, worker.pid)->has_ended);
	check_worker(&worker, "worker");
	end(&worker);
}

static int open_sideband(void **state)
{
	(void)state;
	open_resolver(&(struct resolver_options){ .sideband = true });
	return 0;
}

/* Programs that began and ended between two harvests, and were never seen. */
static void gone_but_listened_to(void **state)
{
	static const char *const words[] = { NULL, "fork", "exec" };
	struct worker worker;
	size_t i;

	(void)state;
	if (resolver_note(resolver)[0])
		skip();
	for (i = 0; i < 3; i++) {
		worker = start("worker", words[i]);
		end(&worker);
		resolver_events(resolver);
		resolver_see(resolver, worker.told_pid, worker.space, -1, 0);
		check_worker(&worker, "worker");
	}
	assert_int_equal(resolver_counts(resolver)->unknown[RESOLVER_EXITED], 0);
	assert_true(resolver_fd(resolver) >= 0);
}

/* A child of a process that nobody has seen begin. */
static void child_of_a_stranger(void **state)
{
	uint64_t own_space = space_of(getpid());
	pid_t pid;

	(void)state;
	if (resolver_note(resolver)[0])
		skip();
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	resolver_events(resolver);
	resolver_see(resolver, pid, own_space, -1, 0);
	assert_string_equal(text_of(leaf(pid, own_space, (uint64_t)child_of_a_stranger)),
			    "child_of_a_stranger test_resolver");
}

static void mapped_later(void **state)
{
	uint64_t space = space_of(getpid());
	int fd = open(in_folder("lib.so"), O_RDONLY);
	struct sym_image image;
	char *late;
	int i;

	(void)state;
	resolver_see(resolver, getpid(), space, -1, 0);
	assert_int_equal(sym_image_read(fd, &image, NULL), 0);
	late = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, image.segment[0].offset);
	assert_true(late != MAP_FAILED);
	/* read again, once a harvest at most, and less often the less it helps */
	leaf(getpid(), space, NOT_HERE);
	assert_string_equal(object_of(leaf(getpid(), space, (uint64_t)late))->name, "(unmapped)");
	for (i = 0; i < 4; i++)
		resolver_events(resolver);
	assert_string_equal(object_of(leaf(getpid(), space, (uint64_t)late))->name, "lib.so");
	close(fd);
	/* what has been unmapped is remembered */
	munmap(late, 4096);
	resolver_events(resolver);
	leaf(getpid(), space, NOT_HERE);
	assert_string_equal(object_of(leaf(getpid(), space, (uint64_t)late))->name, "lib.so");
}

static void the_vdso(void **state)
{
	uint64_t space = space_of(getpid()), vdso = getauxval(AT_SYSINFO_EHDR), addr;
	const struct sym_index *index;
	uint32_t frame;

	(void)state;
	resolver_see(resolver, getpid(), space, -1, 0);
	frame = leaf(getpid(), space, vdso);
	assert_int_equal(object_of(frame)->kind, PROFILE_VDSO);
	assert_string_equal(object_of(frame)->name, "[vdso]");
	index = binaries_index(&resolver->binaries, files_of_object(&resolver->files,
			       profile_function_of(profile, frame)->object)->binary);
	assert_true(sym_index_by_name(index, "__vdso_clock_gettime", &addr));
	assert_non_null(strstr(text_of(leaf(getpid(), space, vdso + addr)), "clock_gettime [vdso]"));
}

/* mov $1,%eax; ret, with a call before the second: where it returns to is 0x15. */
static const uint8_t made_code[] = {
	0xb8, 1, 0, 0, 0, 0xc3, [0x10] = 0xe8, 0, 0, 0, 0, 0xb8, 2, 0, 0, 0, 0xc3 };

static void perf_map_path(char path[64])
{
	snprintf(path, 64, "/tmp/perf-%d.map", getpid());
}

static void code_made_at_run_time(void **state)
{
	uint64_t space = space_of(getpid()), code;
	char path[64], text[256];
	void *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t frame;
	FILE *file;

	(void)state;
	memcpy(made, made_code, sizeof(made_code));
	code = (uint64_t)made;
	perf_map_path(path);
	unlink(path);
	resolver_see(resolver, getpid(), space, -1, 0);
	frame = leaf(getpid(), space, code);
	assert_string_equal(text_of(frame), "(no symbol) [anon]");
	assert_int_equal(object_of(frame)->kind, PROFILE_ANON);
	assert_true(profile->frames[frame].addr == code);
	/* its map claims our own code too */
	snprintf(text, sizeof(text), "%lx 10 one\n%lx 10 two\n%lx 1000 liar\nnonsense\n", code,
		 code + 0x10, (uint64_t)code_made_at_run_time & ~0xfffUL);
	write_file(path, text);
	resolver_events(resolver);
	frame = leaf(getpid(), space, code);
	snprintf(text, sizeof(text), "one perf-%d.map", getpid());
	assert_string_equal(text_of(frame), text);
	assert_int_equal(object_of(frame)->kind, PROFILE_JIT);
	assert_string_equal(object_of(frame)->path, path);
	assert_true(profile_function_of(profile, frame)->addr == code);
	snprintf(text, sizeof(text), "two perf-%d.map", getpid());
	assert_string_equal(text_of(caller(getpid(), space, code + 0x15)), text);
	assert_true(is_code);
	caller(getpid(), space, code + 0x16);
	assert_false(is_code);
	assert_string_equal(text_of(leaf(getpid(), space, (uint64_t)code_made_at_run_time)),
			    "code_made_at_run_time test_resolver");
	assert_int_equal(resolver_counts(resolver)->jits_odd, 1);
	/* it grows */
	file = fopen(path, "a");
	fprintf(file, "%lx 10 three\n", code + 0x20);
	fclose(file);
	assert_string_equal(object_of(leaf(getpid(), space, code + 0x20))->name, "[anon]");
	resolver_events(resolver);
	snprintf(text, sizeof(text), "three perf-%d.map", getpid());
	assert_string_equal(text_of(leaf(getpid(), space, code + 0x20)), text);
	unlink(path);
	munmap(made, 4096);
}

/* In the folder that is everybody's: a link, a folder, somebody else's. */
static void maps_of_others(void **state)
{
	uint64_t space = space_of(getpid()), code;
	void *made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64], text[64];

	(void)state;
	code = (uint64_t)made;
	perf_map_path(path);
	unlink(path);
	snprintf(text, sizeof(text), "%lx 10 fake\n", code);
	write_file(in_folder("map"), text);
	resolver_see(resolver, getpid(), space, -1, 0);
	assert_int_equal(symlink(in_folder("map"), path), 0);
	assert_string_equal(text_of(leaf(getpid(), space, code)), "(no symbol) [anon]");
	assert_int_equal(resolver_counts(resolver)->jits_refused, 1);
	unlink(path);
	assert_int_equal(mkdir(path, 0755), 0);
	resolver_events(resolver);
	assert_string_equal(text_of(leaf(getpid(), space, code)), "(no symbol) [anon]");
	rmdir(path);
	assert_int_equal(resolver_counts(resolver)->jits_refused, 1);
	write_file(path, text);
	if (!getuid()) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		resolver_events(resolver);
		assert_string_equal(text_of(leaf(getpid(), space, code)), "(no symbol) [anon]");
		assert_int_equal(chown(path, 0, 0), 0);
	}
	resolver_events(resolver);
	snprintf(text, sizeof(text), "fake perf-%d.map", getpid());
	assert_string_equal(text_of(leaf(getpid(), space, code)), text);
	unlink(path);
	munmap(made, 4096);
}

static void calls(void **state)
{
	static const struct { uint8_t bytes[8]; size_t len; enum calls_kind kind; } way[] = {
		{ { 0xe8, 4, 3, 2, 1 }, 5, CALLS_DIRECT },
		{ { 0x66, 0x48, 0xe8, 4, 3, 2, 1 }, 7, CALLS_DIRECT },
		{ { 0xe9, 4, 3, 2, 1 }, 5, CALLS_NONE },		/* jmp */
		{ { 0xff, 0xd0 }, 2, CALLS_INDIRECT },			/* call *%rax */
		{ { 0x41, 0xff, 0xd7 }, 3, CALLS_INDIRECT },		/* *%r15 */
		{ { 0x3e, 0xff, 0xd2 }, 3, CALLS_INDIRECT },		/* notrack */
		{ { 0xff, 0xe0 }, 2, CALLS_NONE },			/* jmp *%rax */
		{ { 0xff, 0x10 }, 2, CALLS_INDIRECT },			/* *(%rax) */
		{ { 0xff, 0x14 }, 2, CALLS_NONE },			/* wants a SIB byte */
		{ { 0xff, 0x15 }, 2, CALLS_NONE },			/* wants 32 bits */
		{ { 0xff, 0x15, 1, 2, 3, 4 }, 6, CALLS_INDIRECT },	/* *x(%rip) */
		{ { 0xff, 0x14, 0xc8 }, 3, CALLS_INDIRECT },		/* *(%rax,%rcx,8) */
		{ { 0xff, 0x14, 0xc5 }, 3, CALLS_NONE },		/* no base: wants 32 bits */
		{ { 0xff, 0x14, 0xc5, 1, 2, 3, 4 }, 7, CALLS_INDIRECT },
		{ { 0xff, 0x50, 8 }, 3, CALLS_INDIRECT },		/* *8(%rax) */
		{ { 0xff, 0x50 }, 2, CALLS_NONE },
		{ { 0x41, 0xff, 0x54, 0x24, 8 }, 5, CALLS_INDIRECT },	/* *8(%r12) */
		{ { 0xff, 0x54, 8 }, 3, CALLS_NONE },
		{ { 0xff, 0x90, 1, 2, 3, 4 }, 6, CALLS_INDIRECT },	/* *x(%rax) */
		{ { 0xff, 0x94, 0xc8, 1, 2, 3, 4 }, 7, CALLS_INDIRECT },
		{ { 0xff, 0x94, 0xc8, 1, 2, 3 }, 6, CALLS_NONE },
		{ { 0xff, 0xd8 }, 2, CALLS_NONE },			/* FF /3 */
		{ { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 }, 7, CALLS_NONE },
		{ { 0xe8, 1, 2, 3 }, 4, CALLS_NONE },
		{ { 0xff }, 1, CALLS_NONE },
		{ { 0 }, 0, CALLS_NONE },
	};
	int32_t distance = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(way) / sizeof(way[0]); i++)
		assert_int_equal(calls_before(way[i].bytes, way[i].len, &distance), way[i].kind);
	calls_before(way[0].bytes, 5, &distance);
	assert_int_equal(distance, 0x01020304);
}

/* Every call that the assembler's reader sees in a real program is one, and nearly nothing else. */
static void calls_of_a_real_program(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct sym_image image;
	char line[256], command[256];
	uint64_t addr, before = 0, offset, nr = 0, nr_calls = 0, nr_taken = 0, nr_missed = 0;
	bool was_call = false;
	int32_t distance;
	uint8_t bytes[CALLS_BYTES];
	FILE *text;

	(void)state;
	assert_int_equal(sym_image_read(fd, &image, NULL), 0);
	snprintf(command, sizeof(command), "objdump -d -j .text --no-show-raw-insn /proc/%d/exe | "
		 "head -n 100000", getpid());
	text = popen(command, "r");
	while (fgets(line, sizeof(line), text)) {
		if (line[0] != ' ' || sscanf(line, " %lx:", &addr) != 1)
			continue;
		offset = addr - image.segment[0].addr + image.segment[0].offset;
		assert_int_equal(pread(fd, bytes, CALLS_BYTES, offset - CALLS_BYTES), CALLS_BYTES);
		if (before) {
			enum calls_kind kind = calls_before(bytes, CALLS_BYTES, &distance);

			nr++;
			nr_calls += was_call;
			nr_missed += was_call && kind == CALLS_NONE;
			nr_taken += !was_call && kind != CALLS_NONE;
		}
		line[strcspn(line, "<")] = '\0';	/* names may hold anything */
		was_call = strstr(line, "call") != NULL;
		before = addr;
	}
	pclose(text);
	close(fd);
	print_message("%lu instructions, %lu calls, %lu missed, %lu others taken for one\n", nr,
		      nr_calls, nr_missed, nr_taken);
	assert_true(nr_calls > 1000);
	assert_int_equal(nr_missed, 0);
	assert_true(nr_taken * 50 < nr - nr_calls);
}

static const char kallsyms_text[] =
	"ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 T do_work\n"
	"ffffffff81000200 T __do_softirq\nffffffff81000200 T __softirqentry_text_start\n"
	"ffffffff81000300 t handle_softirqs.isra.0\nffffffff81000400 T asm_sysvec_apic_timer_interrupt\n"
	"ffffffff81000500 T asm_exc_page_fault\nffffffff81001000 T _etext\n"
	"ffffffffc0000000 t ext4_read\t[ext4]\nffffffffc0000100 t ext4_write\t[ext4]\n"
	"ffffffffc0200000 t bpf_prog_77\t[bpf]\n";
static const char modules_text[] =
	"ext4 4096 0 - Live 0xffffffffc0000000\nnew 4096 0 - Live 0xffffffffc0100000\n";

static void open_kernel(const char *kallsyms, const char *modules)
{
	static char paths[2][256];

	snprintf(paths[0], sizeof(paths[0]), "%s", in_folder("kallsyms"));
	snprintf(paths[1], sizeof(paths[1]), "%s", in_folder("modules"));
	write_file(paths[0], kallsyms);
	write_file(paths[1], modules);
	open_resolver(&(struct resolver_options){ .kallsyms = paths[0], .modules = paths[1] });
}

static int count(const char *name, uint64_t addr, void *context)
{
	*(int *)context += 1;
	if (!strcmp(name, "ext4_write"))
		assert_true(addr == 0x100);
	return 0;
}

static void the_kernel(void **state)
{
	uint32_t frame, moved;
	int nr = 0, i;

	(void)state;
	open_kernel(kallsyms_text, modules_text);
	frame = resolver_kernel_frame(resolver, 0xffffffff81000110, false);
	assert_string_equal(text_of(frame), "do_work kernel");
	assert_int_equal(object_of(frame)->kind, PROFILE_KERNEL);
	assert_true(profile->frames[frame].addr == 0x110);
	assert_true(profile_function_of(profile, frame)->addr == 0x100);
	assert_int_equal(resolver_kernel_frame(resolver, 0xffffffff81000110, false), frame);
	/* a call at the end of a function returns to the next */
	moved = resolver_kernel_frame(resolver, 0xffffffff81000200, true);
	assert_string_equal(text_of(moved), "do_work kernel");
	assert_false(resolver_is_softirq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000200, false);
	assert_true(resolver_is_softirq_entry(resolver, moved));
	assert_false(resolver_is_irq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000310, true);
	assert_true(resolver_is_softirq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000410, true);
	assert_true(resolver_is_irq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000510, true);
	assert_false(resolver_is_irq_entry(resolver, moved));
	/* modules, and what is made at run time */
	moved = resolver_kernel_frame(resolver, 0xffffffffc0000108, false);
	assert_string_equal(text_of(moved), "ext4_write ext4");
	assert_int_equal(object_of(moved)->kind, PROFILE_MODULE);
	assert_true(profile->frames[moved].addr == 0x108);
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0xffffffffc0200004, false)),
			    "bpf_prog_77 bpf");
	/* no names */
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0xffffffffc0100004, false)),
			    "(no symbol) new");
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0xffffffffb0000000, false)),
			    "(no symbol) kernel");
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0x1000, false)),
			    "(no symbol) kernel");
	assert_int_equal(resolver_functions(resolver, profile_function_of(profile, frame)->object,
					    count, &nr), 0);
	assert_int_equal(nr, 6);
	moved = resolver_kernel_frame(resolver, 0xffffffffc0000108, false);
	nr = 0;
	assert_int_equal(resolver_functions(resolver, profile_function_of(profile, moved)->object,
					    count, &nr), 0);
	assert_int_equal(nr, 2);
	/* a module that comes later is found in time */
	write_file(resolver->kernel.kallsyms, "ffffffff81000000 T _stext\nffffffff81001000 T _etext\n"
		   "ffffffffc0300000 t late_work\t[late]\n");
	for (i = 0; i < KERNEL_NAMES_ROUNDS; i++)
		resolver_events(resolver);
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0xffffffffc0300004, false)),
			    "late_work late");
	assert_string_equal(text_of(resolver_kernel_frame(resolver, 0xffffffff81000110, false)),
			    "_stext kernel");
}

/* The same function, wherever the kernel was put. */
static void another_boot(void **state)
{
	(void)state;
	open_kernel("ffffffff9a000000 T _stext\nffffffff9a000100 T do_work\nffffffff9a001000 T _etext\n"
		    "ffffffffc0900100 t ext4_write\t[ext4]\n",
		    "ext4 4096 0 - Live 0xffffffffc0900000\n");
	assert_true(profile->frames[resolver_kernel_frame(resolver, 0xffffffff9a000110, false)].addr ==
		    0x110);
	assert_true(profile->frames[resolver_kernel_frame(resolver, 0xffffffffc0900108, false)].addr ==
		    0x108);
}

static void a_hidden_kernel(void **state)
{
	(void)state;
	open_kernel("0000000000000000 T _stext\n0000000000000000 T do_work\n", "");
	assert_int_equal(resolver_kernel_frame(resolver, 0xffffffff81000110, false),
			 profile_mark(MARK_KERNEL));
	assert_int_equal(resolver_kernel_frame(resolver, 0xffffffff81000110, true),
			 profile_mark(MARK_KERNEL));
	assert_false(resolver_is_irq_entry(resolver, profile_mark(MARK_KERNEL)));
}

static void lines(void **state)
{
	struct worker worker = start("worker", NULL);
	const struct profile_frame *frame;

	(void)state;
	open_resolver(&(struct resolver_options){ .lines = true });
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = &profile->frames[caller(worker.pid, worker.space, worker.in_work)];
	assert_int_equal(frame->line, 13);
	assert_non_null(strstr(frame->file, "/worker.c"));
	frame = &profile->frames[leaf(worker.pid, worker.space, worker.work)];
	assert_in_range(frame->line, 12, 13);
	frame = &profile->frames[leaf(worker.pid, worker.space, worker.in_lib)];
	assert_int_equal(frame->line, 2);
	end(&worker);
}

static int find_work(const char *name, uint64_t addr, void *context)
{
	if (strcmp(name, "work"))
		return 0;
	*(uint64_t *)context = addr;
	return -ECANCELED;
}

static void functions_of_a_program(void **state)
{
	struct worker worker = start("worker", NULL);
	uint64_t addr = 0;
	uint32_t frame;

	(void)state;
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = leaf(worker.pid, worker.space, worker.work);
	end(&worker);
	assert_int_equal(resolver_functions(resolver, profile_function_of(profile, frame)->object,
					    find_work, &addr), -ECANCELED);
	assert_true(addr == profile_function_of(profile, frame)->addr);
	assert_int_equal(resolver_functions(resolver, 0, find_work, &addr), -ENODATA);
}

/* What debuginfod-find would do, by a script in its place. */
static void fetched(void **state)
{
	struct worker worker = start("stripped", NULL);
	uint32_t frame, back, object;
	struct text_error reason;
	char path[600], script[800];

	(void)state;
	open_resolver(&(struct resolver_options){ .lines = true });
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = leaf(worker.pid, worker.space, worker.work);
	back = caller(worker.pid, worker.space, worker.in_work);
	object = profile_function_of(profile, frame)->object;
	profile_add_stack(profile, 0, 0, (uint32_t[]){ frame, back }, 2, 1, 1);
	assert_string_equal(text_of(frame), "(no symbol) stripped");
	/* there is no such program, or it finds nothing */
	snprintf(path, sizeof(path), "%s", getenv("PATH"));
	setenv("PATH", folder, 1);
	unsetenv("DEBUGINFOD_URLS");
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENOENT);
	assert_non_null(strstr(reason.what, "not installed"));
	setenv("PATH", path, 1);
	snprintf(script, sizeof(script), "#!/bin/sh\nexit 2\n");
	write_file(in_folder("debuginfod-find"), script);
	sh("chmod +x debuginfod-find");
	snprintf(script, sizeof(script), "%s:%s", folder, path);
	setenv("PATH", script, 1);
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENOENT);
	assert_non_null(strstr(reason.hint, "DEBUGINFOD_URLS"));
	assert_string_equal(text_of(frame), "(no symbol) stripped");
	/* the real thing: asked for its build-id, answers with a path */
	snprintf(script, sizeof(script), "#!/bin/sh\n[ \"$1\" = debuginfo ] && "
		 "readelf -n %s/worker | grep -q \"Build ID: $2\" && echo %s/worker.debug\n", folder,
		 folder);
	write_file(in_folder("debuginfod-find"), script);
	assert_int_equal(resolver_fetch(resolver, object, &reason), 0);
	assert_string_equal(text_of(frame), "work stripped");
	assert_string_equal(text_of(back), "work stripped");
	assert_int_equal(profile->frames[back].line, 13);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work + 1)),
			    "work stripped");
	/* nothing is left to be asked */
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENODATA);
	setenv("PATH", path, 1);
	end(&worker);
}

/* More files than are open at a time: the first are opened again. */
static void many_binaries(void **state)
{
	struct mapped_file *file[BINARIES_MAX + 10];
	const struct binary_hint nowhere = { 0 };
	struct sym_map map = { 0 };
	char path[300];
	struct stat info;
	size_t i, nr_open = 0;

	(void)state;
	sh("mkdir many && for i in $(seq 0 265); do cp lib.so many/$i; done");
	for (i = 0; i < BINARIES_MAX + 10; i++) {
		snprintf(path, sizeof(path), "%s/many/%zu", folder, i);
		assert_int_equal(stat(path, &info), 0);
		map.inode = info.st_ino;
		map.path = path;
		file[i] = files_get(&resolver->files, &map);
		assert_non_null(binaries_get(&resolver->binaries, file[i], &nowhere));
		assert_non_null(binaries_index(&resolver->binaries, file[i]->binary));
		/* the first is used all the time, and so stays */
		assert_non_null(file[0]->binary);
		binaries_get(&resolver->binaries, file[0], &nowhere);
	}
	for (i = 0; i < BINARIES_MAX + 10; i++)
		nr_open += file[i]->binary != NULL;
	assert_int_equal(nr_open, BINARIES_MAX);
	assert_non_null(file[0]->binary);
	assert_null(file[1]->binary);
	assert_non_null(binaries_get(&resolver->binaries, file[1], &nowhere));
	for (i = 0; i < BINARIES_MAX + 10; i++)
		files_put(file[i]);
	files_trim(&resolver->files, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH(test, open) cmocka_unit_test_setup_teardown(test, open, close_resolver)
		WITH(a_living_program, open_plain),
		WITH(a_call_to_nowhere, open_plain),
		WITH(other_ways_to_link, open_plain),
		WITH(a_program_that_is_gone, open_plain),
		WITH(a_program_seen_before_it_ends, open_plain),
		WITH(a_deleted_program, open_plain),
		WITH(a_replaced_program, open_plain),
		WITH(an_inode_used_again, open_plain),
		WITH(exec_and_space, open_plain),
		WITH(gone_but_listened_to, open_sideband),
		WITH(child_of_a_stranger, open_sideband),
		WITH(mapped_later, open_plain),
		WITH(the_vdso, open_plain),
		WITH(code_made_at_run_time, open_plain),
		WITH(maps_of_others, open_plain),
		cmocka_unit_test(calls),
		cmocka_unit_test(calls_of_a_real_program),
		WITH(the_kernel, NULL),
		WITH(another_boot, NULL),
		WITH(a_hidden_kernel, NULL),
		WITH(lines, NULL),
		WITH(functions_of_a_program, open_plain),
		WITH(fetched, NULL),
		WITH(many_binaries, open_plain),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
