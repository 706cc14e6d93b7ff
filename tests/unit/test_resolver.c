// SPDX-License-Identifier: GPL-2.0-only
/*
 * From addresses to frames: programs made here that load libraries, exec and exit, and code that
 * was mapped, deleted and replaced.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/space_id.h"
#include "profile/nameless.h"
#include "resolvers.h"

static void a_living_program(void **state)
{
	struct worker worker = start("worker", NULL);
	const struct profile_function *function;
	u32 frame;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	frame = leaf(worker.pid, worker.space, worker.work + 1);
	assert_int_equal(object_of(frame)->build_id_len, 20);
	function = profile_function_of(profile, frame);
	assert_true(profile->frames[frame].addr == function->addr + 1);
	assert_true(function->addr && function->addr < worker.work);
	/* the second time from the cache */
	assert_int_equal(leaf(worker.pid, worker.space, worker.work + 1), frame);
	/* an address not preceded by a call is not a return address */
	assert_int_equal(caller(worker.pid, worker.space, worker.in_work + 1),
			 profile_mark(MARK_NO_FRAME_POINTER));
	assert_false(is_code);
	assert_int_equal(caller(worker.pid, worker.space, NOT_HERE),
			 profile_mark(MARK_NO_FRAME_POINTER));
	assert_false(is_code);
	assert_int_equal(resolver_counts(resolver)->no_call, 2);
	assert_int_equal(caller(worker.pid, worker.space, worker.in_work + 1),
			 profile_mark(MARK_NO_FRAME_POINTER));
	assert_false(is_code);
	assert_int_equal(resolver_counts(resolver)->no_call, 3);
	frame = leaf(worker.pid, worker.space, NOT_HERE);
	assert_string_equal(text_of(frame), "object unknown (unmapped) (unmapped)");
	assert_true(is_code && resolver_is_unknown(resolver, frame));
	end(&worker);
}

/* Callers that were resolved before are known, up to one that is no code or has not been seen. */
static void known_callers(void **state)
{
	struct worker worker = start("worker", NULL);
	const u64 addrs[] = { worker.in_work, worker.in_main, worker.in_work + 1, worker.in_work };
	u32 frames[4], i;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	caller(worker.pid, worker.space, addrs[1]);
	assert_int_equal(resolver_known_frames(resolver, worker.pid, worker.space, addrs, 4,
					       RESOLVER_RETURN, frames), 0);
	for (i = 0; i < 3; i++)
		caller(worker.pid, worker.space, addrs[i]);
	assert_int_equal(resolver_known_frames(resolver, worker.pid, worker.space, addrs, 4,
					       RESOLVER_RETURN, frames), 2);
	for (i = 0; i < 2; i++)
		assert_int_equal(frames[i], caller(worker.pid, worker.space, addrs[i]));
	assert_int_equal(resolver_known_frames(resolver, worker.pid, worker.space, addrs, 1,
					       RESOLVER_RETURN, frames), 1);
	/* found in another way; an unknown process */
	assert_int_equal(resolver_known_frames(resolver, worker.pid, worker.space, addrs, 4,
					       RESOLVER_CALLER, frames), 0);
	assert_int_equal(resolver_known_frames(resolver, worker.pid, worker.space + 1, addrs, 4,
					       RESOLVER_RETURN, frames), 0);
	end(&worker);
}

/* Bytes that decode as a call, but whose target lies outside of the object's code. */
static void a_call_to_nowhere(void **state)
{
	struct worker worker = start("worker", NULL);
	int fd = open(in_directory("lib.so"), O_RDONLY);
	u64 far, near, in_lib;
	struct sym_index *index;

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

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "fixed");
	end(&worker);
}

/* Functions without symbols: their ranges are known from call frame information. */
static void a_stripped_program(void **state)
{
	struct worker worker = start("stripped", NULL);
	const struct profile_function *function;
	u32 first, second;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	first = leaf(worker.pid, worker.space, worker.work);
	second = leaf(worker.pid, worker.space, worker.work + 1);
	assert_string_equal(text_of(first), stripped_text("work"));
	assert_true(profile->frames[first].addr + 1 == profile->frames[second].addr);
	assert_int_equal(profile->frames[first].function, profile->frames[second].function);
	function = profile_function_of(profile, first);
	assert_true(function->addr == profile->frames[first].addr);
	assert_true(nameless_is(profile, profile->frames[first].function));
	second = caller(worker.pid, worker.space, worker.in_work);
	assert_true(is_code);
	assert_int_equal(profile->frames[first].function, profile->frames[second].function);
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_main)),
			    stripped_text("main"));
	/* The byte before a function is no part of it. */
	assert_string_not_equal(text_of(leaf(worker.pid, worker.space, worker.work - 1)),
				stripped_text("work"));
	/* Its library has symbols. */
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.in_lib)), "in_lib lib.so");
	end(&worker);
}

/* Neither symbols nor call frame information. */
static void a_bare_program(void **state)
{
	struct worker worker = start("bare", NULL);
	u32 first, second;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	first = leaf(worker.pid, worker.space, worker.work);
	second = leaf(worker.pid, worker.space, worker.work + 1);
	assert_string_equal(text_of(first), "(no symbol) bare");
	/* all of it is one function, whose frames have their own addresses */
	assert_true(profile->frames[first].addr + 1 == profile->frames[second].addr);
	assert_int_equal(profile->frames[first].function, profile->frames[second].function);
	assert_true(nameless_is(profile, profile->frames[first].function));
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_work)),
			    "(no symbol) bare");
	assert_true(is_code);
	end(&worker);
}

static void a_program_that_is_gone(void **state)
{
	struct worker worker = start("worker", NULL);
	int exe_fd = open(in_directory("worker"), O_RDONLY);
	u64 code_start, low;
	char path[64];
	FILE *file;
	u32 frame;

	/* start of its first code, as the module would report */
	snprintf(path, sizeof(path), "grep ' r-xp .*/worker$' /proc/%d/maps", worker.pid);
	file = popen(path, "r");
	assert_int_equal(fscanf(file, "%llx", &low), 1);
	pclose(file);
	code_start = low;
	end(&worker);
	/* nothing is known about it */
	frame = leaf(worker.pid, worker.space, worker.work);
	assert_string_equal(text_of(frame), "object unknown (exited) (exited)");
	assert_int_equal(object_of(frame)->kind, PROFILE_UNKNOWN);
	assert_int_equal(profile->frames[frame].addr, 0);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	assert_int_equal(leaf(worker.pid, worker.space, worker.work), frame);
	assert_int_equal(caller(worker.pid, worker.space, worker.in_work), frame);
	assert_true(is_code);
	assert_int_equal(resolver_counts(resolver)->unknown[RESOLVER_EXITED], 3);
	/* its executable is known, and its address */
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

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	end(&worker);
	resolver_events(resolver);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	/* eventually forgotten */
	for (i = 0; i < 2 * SPACES_ROUNDS_IDLE; i++)
		resolver_events(resolver);
	assert_true(resolver_is_unknown(resolver, leaf(worker.pid, worker.space, worker.work)));
}

/*
 * The file is deleted, and another takes its path: the descriptor and the mapping still lead to the
 * file.
 */
static void a_deleted_program(void **state)
{
	struct worker worker;
	int exe_fd;

	sh("cp worker gone && cp lib.so kept.so");
	worker = start("gone", NULL);
	exe_fd = open(in_directory("gone"), O_RDONLY);
	sh("rm gone && cp /bin/true gone && rm lib.so && cp kept.so lib.so");
	resolver_see(resolver, worker.pid, worker.space, exe_fd, 0);
	close(exe_fd);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)), "work gone");
	if (!access("/proc/self/map_files", R_OK | X_OK) && !getuid())
		assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.in_lib)),
				    "in_lib lib.so");
	end(&worker);
}

/* Without a descriptor for the deleted file, its path leads to another file, which is rejected. */
static void a_replaced_program(void **state)
{
	struct worker worker;

	sh("cp worker old");
	worker = start("old", NULL);
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	end(&worker);
	sh("cp worker new && mv new old");
	resolver_events(resolver);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work)),
			    "(no symbol) old");
	assert_string_equal(text_of(caller(worker.pid, worker.space, worker.in_work)),
			    "(no symbol) old");
	assert_true(is_code);
	assert_true(resolver_counts(resolver)->unchecked > 0);
}

/* Inode numbers are reused: equal number and path, different contents. */
static void an_inode_used_again(void **state)
{
	struct worker first, second;
	int first_fd, second_fd;

	sh("cp worker again");
	first = start("again", NULL);
	first_fd = open(in_directory("again"), O_RDONLY);
	resolver_see(resolver, first.pid, first.space, first_fd, 0);
	assert_string_equal(text_of(leaf(first.pid, first.space, first.work)), "work again");
	end(&first);
	/* overwritten: treated like a new file with that inode */
	sh("sed s/work/toil/g worker.c >toil.c && cc -O1 -o toil toil.c -ldl && cat toil >again");
	second = start("again", NULL);
	second_fd = open(in_directory("again"), O_RDONLY);
	resolver_events(resolver);
	resolver_see(resolver, second.pid, second.space, second_fd, 0);
	assert_string_equal(text_of(leaf(second.pid, second.space, second.work)), "toil again");
	/* the first object is unchanged */
	resolver_see(resolver, first.pid, first.space, -1, 0);
	close(first_fd);
	close(second_fd);
	end(&second);
}

/* Without build-ids, a new file at a path has the object of the old one, but functions of its own. */
static void a_program_without_build_id(void **state)
{
	struct worker first, second;

	sh("cc -O1 -fPIE -pie -Wl,--build-id=none -o plain worker.c -ldl && "
	   "sed s/work/toil/g worker.c >toil.c && cc -O1 -fPIE -pie -Wl,--build-id=none -o toil toil.c -ldl");
	first = start("plain", NULL);
	resolver_see(resolver, first.pid, first.space, -1, 0);
	assert_string_equal(text_of(leaf(first.pid, first.space, first.work)), "work plain");
	sh("mv toil plain");
	second = start("plain", NULL);
	resolver_events(resolver);
	resolver_see(resolver, second.pid, second.space, -1, 0);
	assert_string_equal(text_of(leaf(second.pid, second.space, second.work)), "toil plain");
	assert_string_equal(text_of(leaf(first.pid, first.space, first.work)), "work plain");
	end(&first);
	end(&second);
}

/* A library is overwritten: processes that start later have its new functions. */
static void an_overwritten_library(void **state)
{
	struct worker first, second;

	sh("cp lib.so kept.so && sed 's/in_lib/in_new/g' lib.c >new.c && "
	   "echo '__asm__(\".weak in_lib; .set in_lib,in_new\");' >>new.c && "
	   "cc -g -O1 -fPIC -shared -Wl,--build-id -o new.so new.c");
	first = start("worker", NULL);
	resolver_see(resolver, first.pid, first.space, -1, 0);
	assert_string_equal(text_of(leaf(first.pid, first.space, first.in_lib)), "in_lib lib.so");
	sh("cat new.so >lib.so");
	second = start("worker", NULL);
	resolver_events(resolver);
	resolver_see(resolver, second.pid, second.space, -1, 0);
	assert_string_equal(text_of(leaf(second.pid, second.space, second.in_lib)), "in_new lib.so");
	resolver_see(resolver, first.pid, first.space, -1, 0);
	assert_string_equal(text_of(leaf(first.pid, first.space, first.in_lib)), "in_lib lib.so");
	/* The code of the first one is no longer what it was. */
	kill(first.pid, SIGKILL);
	end(&first);
	end(&second);
	sh("rm lib.so && mv kept.so lib.so");
}

static void exec_and_space(void **state)
{
	struct worker worker = start("worker", "exec");

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	/* an earlier address space of the same process */
	resolver_see(resolver, worker.pid, worker.space + 4096, -1, 0);
	assert_true(resolver_is_unknown(resolver, leaf(worker.pid, worker.space + 4096,
						       worker.work)));
	assert_true(spaces_newest(resolver->spaces, worker.pid)->id == worker.space);
	assert_false(spaces_newest(resolver->spaces, worker.pid)->has_ended);
	check_worker(&worker, "worker");
	end(&worker);
}

/* Another profile gets the same frames. */
static void a_renewed_profile(void **state)
{
	struct worker worker = start("worker", NULL);
	struct profile *old = profile;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	profile = profile_create();
	resolver_renew(resolver, profile);
	profile_destroy(old);
	check_worker(&worker, "worker");
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	check_worker(&worker, "worker");
	end(&worker);
}

static int open_groups(void **state)
{
	open_resolver(&(struct resolver_options){ .cgroups = true });
	return 0;
}

static void add_ended_child(u32 pid, u32 parent)
{
	struct space *space = spaces_fork(resolver->spaces, pid, parent);

	assert_non_null(space);
	space->parent_pid = parent;
	spaces_exit(resolver->spaces, pid);
}

/* The control group of a process that is gone is that of its nearest ancestor that still runs. */
static void groups_of_ancestors(void **state)
{
	const u32 gone = 0x7ffffff0;	/* above all numbers of processes */
	struct cgroup_paths groups = { .nr = 0 };
	const char *own = cgroup_paths_get(&groups, cgroup_paths_read(&groups, getpid()));

	assert_int_not_equal(own[0], '\0');
	assert_non_null(spaces_add(resolver->spaces, getpid(), 1));
	add_ended_child(gone, getpid());
	add_ended_child(gone + 1, gone);
	add_ended_child(gone + 2, gone + 3);
	assert_string_equal(resolver_cgroup(resolver, gone + 1, 0), own);
	assert_string_equal(resolver_cgroup(resolver, gone, 0), own);
	assert_string_equal(resolver_cgroup(resolver, getpid(), 1), own);
	assert_string_equal(resolver_cgroup(resolver, gone + 2, 0), "");
	assert_string_equal(resolver_cgroup(resolver, gone + 4, 0), "");
	cgroup_paths_deinit(&groups);
}

static int open_sideband(void **state)
{
	open_resolver(&(struct resolver_options){ .sideband = true });
	return 0;
}

/* Programs that started and ended between two harvests, and were never seen. */
static void gone_but_listened_to(void **state)
{
	static const char *const words[] = { NULL, "fork", "exec" };
	struct worker worker;
	size_t i;

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

/* A child of a process whose start nobody has seen. */
static void child_of_a_stranger(void **state)
{
	u64 own_space = space_of(getpid());
	pid_t pid;

	if (resolver_note(resolver)[0])
		skip();
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	resolver_events(resolver);
	resolver_see(resolver, pid, own_space, -1, 0);
	assert_string_equal(text_of(leaf(pid, own_space, (u64)child_of_a_stranger)),
			    "child_of_a_stranger test_resolver");
}

static void mapped_later(void **state)
{
	u64 space = space_of(getpid());
	int fd = open(in_directory("lib.so"), O_RDONLY);
	struct sym_image image;
	char *late;
	int i;

	resolver_see(resolver, getpid(), space, -1, 0);
	assert_int_equal(sym_image_read(fd, &image, NULL), 0);
	late = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, image.segment[0].offset);
	assert_true(late != MAP_FAILED);
	/* read again, at most once a harvest, and less often if it does not help */
	leaf(getpid(), space, NOT_HERE);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)late))->name, "(unmapped)");
	for (i = 0; i < 4; i++)
		resolver_events(resolver);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)late))->name, "lib.so");
	close(fd);
	/* unmapped code is remembered */
	munmap(late, 4096);
	resolver_events(resolver);
	leaf(getpid(), space, NOT_HERE);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)late))->name, "lib.so");
}

/* Equal distances from the beginnings of two mappings of one file are different places. */
static void mapped_twice(void **state)
{
	u64 space = space_of(getpid());
	int fd = open(in_directory("lib.so"), O_RDONLY);
	const size_t page = sysconf(_SC_PAGESIZE);
	u32 first, second;
	char *at[2];

	for (u64 i = 0; i < 2; i++) {
		at[i] = mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, i * page);
		assert_true(at[i] != MAP_FAILED);
	}
	resolver_see(resolver, getpid(), space, -1, 0);
	first = leaf(getpid(), space, (u64)at[0] + 8);
	second = leaf(getpid(), space, (u64)at[1] + 8);
	assert_string_equal(object_of(first)->name, "lib.so");
	assert_int_equal(profile->frames[second].addr - profile->frames[first].addr, page);
	munmap(at[0], page);
	munmap(at[1], page);
	close(fd);
}

/* Other code takes the place of a library: samples of this harvest may be of either. */
static void mapped_over(void **state)
{
	int lib = open(in_directory("lib.so"), O_RDONLY), worker = open(in_directory("worker"), O_RDONLY);
	const int prot = PROT_READ | PROT_EXEC;
	const size_t page = sysconf(_SC_PAGESIZE);
	u64 space = space_of(getpid());
	char *at;

	if (resolver_note(resolver)[0])
		skip();
	at = mmap(NULL, 2 * page, prot, MAP_PRIVATE, lib, 0);
	assert_true(at != MAP_FAILED);
	resolver_events(resolver);
	resolver_see(resolver, getpid(), space, -1, 0);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)at))->name, "lib.so");
	assert_true(mmap(at, page, prot, MAP_PRIVATE | MAP_FIXED, worker, 0) == at);
	resolver_events(resolver);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)at))->name, "(replaced)");
	assert_string_equal(object_of(leaf(getpid(), space, (u64)at + page - 1))->name, "(replaced)");
	assert_string_equal(object_of(leaf(getpid(), space, (u64)at + page))->name, "lib.so");
	assert_int_equal(resolver_counts(resolver)->unknown[RESOLVER_REPLACED], 2);
	/* the same code once more is no other code */
	resolver_events(resolver);
	assert_true(mmap(at, page, prot, MAP_PRIVATE | MAP_FIXED, worker, 0) == at);
	resolver_events(resolver);
	assert_string_equal(object_of(leaf(getpid(), space, (u64)at))->name, "worker");
	munmap(at, 2 * page);
	close(lib);
	close(worker);
}

static void ignore(int number)
{
}

/* The code of the C library that a signal handler returns to. */
static void a_signal_returns(void **state)
{
	struct {
		void *handler;
		unsigned long flags;
		u64 restorer, mask;
	} action;
	u64 space = space_of(getpid());
	u32 frame;

	signal(SIGUSR1, ignore);
	assert_int_equal(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &action, sizeof(action.mask)), 0);
	signal(SIGUSR1, SIG_DFL);
	resolver_see(resolver, getpid(), space, -1, 0);
	frame = resolver_user_frame(resolver, getpid(), space, action.restorer, RESOLVER_CALLER,
				    &is_code);
	assert_true(resolver_is_signal(resolver, frame));
	/* not as other code of the library that is called */
	frame = resolver_user_frame(resolver, getpid(), space, (u64)&memcpy, RESOLVER_CALLER, &is_code);
	assert_false(resolver_is_signal(resolver, frame));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH(test, open) cmocka_unit_test_setup_teardown(test, open, close_resolver)
		WITH(a_living_program, open_plain),
		WITH(known_callers, open_plain),
		WITH(a_call_to_nowhere, open_plain),
		WITH(other_ways_to_link, open_plain),
		WITH(a_stripped_program, open_plain),
		WITH(a_bare_program, open_plain),
		WITH(a_program_that_is_gone, open_plain),
		WITH(a_program_seen_before_it_ends, open_plain),
		WITH(a_deleted_program, open_plain),
		WITH(a_replaced_program, open_plain),
		WITH(an_inode_used_again, open_plain),
		WITH(a_program_without_build_id, open_plain),
		WITH(an_overwritten_library, open_plain),
		WITH(exec_and_space, open_plain),
		WITH(gone_but_listened_to, open_sideband),
		WITH(child_of_a_stranger, open_sideband),
		WITH(mapped_later, open_plain),
		WITH(mapped_twice, open_plain),
		WITH(mapped_over, open_sideband),
		WITH(a_signal_returns, open_plain),
		cmocka_unit_test_setup_teardown(a_renewed_profile, open_plain, close_resolver),
		cmocka_unit_test_setup_teardown(groups_of_ancestors, open_groups, close_resolver),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
