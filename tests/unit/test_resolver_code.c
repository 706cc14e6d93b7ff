// SPDX-License-Identifier: GPL-2.0-only
/*
 * From addresses to frames for code without a file: vdso, code generated at run time, the kernel.
 */
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "pipes.h"
#include "resolvers.h"

static void the_vdso(void **state)
{
	u64 space = space_of(getpid()), vdso = getauxval(AT_SYSINFO_EHDR), addr;
	const struct sym_index *index;
	struct mapped_file *file;
	u32 frame;

	resolver_see(resolver, getpid(), space, -1, 0);
	frame = leaf(getpid(), space, vdso);
	assert_int_equal(object_of(frame)->kind, PROFILE_VDSO);
	assert_string_equal(object_of(frame)->name, "[vdso]");
	file = files_of_object(&resolver->files, profile_function_of(profile, frame)->object);
	assert_non_null(file->binary);
	index = binaries_index(&resolver->binaries, file->binary);
	assert_true(sym_index_by_name(index, "__vdso_clock_gettime", &addr));
	assert_non_null(strstr(text_of(leaf(getpid(), space, vdso + addr)),
			       "clock_gettime [vdso]"));
}

/* mov $1,%eax; ret, with a call before the second, which returns to 0x15. */
static const u8 made_code[] = {
	0xb8, 1, 0, 0, 0, 0xc3, [0x10] = 0xe8, 0, 0, 0, 0, 0xb8, 2, 0, 0, 0, 0xc3 };

static void perf_map_path(char path[64])
{
	snprintf(path, 64, "/tmp/perf-%d.map", getpid());
}

static void code_made_at_run_time(void **state)
{
	u64 space = space_of(getpid()), code;
	char path[64], text[256];
	void *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u32 frame;
	FILE *file;

	memcpy(made, made_code, sizeof(made_code));
	code = (u64)made;
	perf_map_path(path);
	unlink(path);
	resolver_see(resolver, getpid(), space, -1, 0);
	frame = leaf(getpid(), space, code);
	assert_string_equal(text_of(frame), "(no symbol) [anon]");
	assert_int_equal(object_of(frame)->kind, PROFILE_ANON);
	assert_true(profile->frames[frame].addr == code);
	/* its map claims the program's own code too */
	snprintf(text, sizeof(text), "%llx 10 one\n%llx 10 two\n%llx 1000 liar\nnonsense\n", code,
		 code + 0x10, (u64)code_made_at_run_time & ~0xfffUL);
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
	assert_string_equal(text_of(leaf(getpid(), space, (u64)code_made_at_run_time)),
			    "code_made_at_run_time test_resolver_code");
	assert_int_equal(resolver_counts(resolver)->jits_odd, 1);
	/* the map grows */
	file = fopen(path, "a");
	fprintf(file, "%llx 10 three\n", code + 0x20);
	fclose(file);
	assert_string_equal(object_of(leaf(getpid(), space, code + 0x20))->name, "[anon]");
	resolver_events(resolver);
	snprintf(text, sizeof(text), "three perf-%d.map", getpid());
	assert_string_equal(text_of(leaf(getpid(), space, code + 0x20)), text);
	unlink(path);
	munmap(made, 4096);
}

/* Hostile files in the world-writable directory: a link, a directory, another user's file. */
static void maps_of_others(void **state)
{
	u64 space = space_of(getpid()), code;
	void *made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64], text[64];

	code = (u64)made;
	perf_map_path(path);
	unlink(path);
	snprintf(text, sizeof(text), "%llx 10 fake\n", code);
	write_file(in_directory("map"), text);
	resolver_see(resolver, getpid(), space, -1, 0);
	assert_int_equal(symlink(in_directory("map"), path), 0);
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

static void nothing(int signal)
{
}

/*
 * Starts a child with another root directory, whose /tmp is a link to @tmp of ours. At each SIGUSR1 it starts a child
 * that ends at once.
 */
static pid_t start_in_jail(const char *tmp)
{
	pid_t child = fork();

	if (!child) {
		signal(SIGUSR1, nothing);
		mkdir(in_directory("jail"), 0755);
		unlink(in_directory("jail/tmp"));
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || symlink(tmp, in_directory("jail/tmp")) ||
		    chroot(in_directory("jail")))
			_exit(1);
		while (pause() < 0)
			if (!fork())
				_exit(0);
	}
	while (procstat_shares_root(child) && !waitpid(child, NULL, WNOHANG))
		usleep(1000);
	return child;
}

/* The root of a container cannot have a map read that lies in our root, by a link in the map's directory. */
static void maps_stay_in_their_root(void **state)
{
	u64 code, space = space_of(getpid());
	void *made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64], text[64];
	pid_t child;

	if (getuid())
		skip();
	code = (u64)made;
	child = start_in_jail(in_directory(""));
	snprintf(path, sizeof(path), "perf-%d.map", child);
	snprintf(text, sizeof(text), "%llx 10 ours\n", code);
	write_file(in_directory(path), text);
	resolver_see(resolver, child, space, -1, 0);
	assert_string_equal(text_of(leaf(child, space, code)), "(no symbol) [anon]");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	/* Its number, in its own namespace, may be that of a process of ours. */
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", child);
	write_file(path, text);
	resolver_events(resolver);
	resolver_see(resolver, child, space, -1, 0);
	assert_string_equal(text_of(leaf(child, space, code)), "(no symbol) [anon]");
	unlink(path);
	munmap(made, 4096);
}

/* A map that is not opened because of a link is counted. */
static void links_to_maps_are_counted(void **state)
{
	u64 space = space_of(getpid());
	void *made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child;

	if (getuid())
		skip();
	child = start_in_jail("/tmp");
	resolver_see(resolver, child, space, -1, 0);
	assert_string_equal(text_of(leaf(child, space, (u64)made)), "(no symbol) [anon]");
	assert_int_equal(resolver_counts(resolver)->jits_refused, 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	munmap(made, 4096);
}

static struct space *find_child_of(u32 parent)
{
	struct space *space = NULL;
	size_t i;

	for (i = 0; i < SPACES_BUCKETS && !space; i++)
		for (space = resolver->spaces->bucket[i]; space && space->parent_pid != parent;)
			space = space->next;
	return space;
}

/*
 * A process that ended before it was seen has the root of its parent, which started before the run. @has_executed: or
 * executed a program since, as the first process of a container does, and was not sampled yet.
 */
static void start_child_in_another_root(bool has_executed)
{
	struct space *space = NULL;
	pid_t child;
	int i;

	child = start_in_jail("/");
	open_resolver(&(struct resolver_options){ .sideband = true });
	if (has_executed) {
		space = spaces_add(resolver->spaces, child, 0);
		space->knowledge = SPACE_ALL;
		space = NULL;
	}
	if (!resolver_note(resolver)[0]) {
		kill(child, SIGUSR1);
		for (i = 0; i < 1000 && !space; i++) {
			usleep(10000);
			resolver_events(resolver);
			space = find_child_of(child);
		}
		assert_non_null(space);
		assert_true(space->is_foreign);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void children_in_another_root(void **state)
{
	if (getuid())
		skip();
	start_child_in_another_root(false);
}

static void children_of_programs_in_another_root(void **state)
{
	if (getuid())
		skip();
	start_child_in_another_root(true);
}

/* A pipe or a device in place of a map is not opened, even for a moment. */
static void map_is_a_pipe(void **state)
{
	u64 space = space_of(getpid());
	void *made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct watched_pipe watched;
	char path[64];

	perf_map_path(path);
	unlink(path);
	watch_pipe(&watched, path);
	resolver_see(resolver, getpid(), space, -1, 0);
	assert_string_equal(text_of(leaf(getpid(), space, (u64)made)), "(no symbol) [anon]");
	assert_false(was_pipe_opened(&watched));
	assert_int_equal(resolver_counts(resolver)->jits_refused, 1);
	munmap(made, 4096);
}

static const char kallsyms_text[] =
	"ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 T do_work\n"
	"ffffffff81000200 T __do_softirq\nffffffff81000200 T __softirqentry_text_start\n"
	"ffffffff81000300 t handle_softirqs.isra.0\n"
	"ffffffff81000400 T asm_sysvec_apic_timer_interrupt\n"
	"ffffffff81000500 T asm_exc_page_fault\nffffffff81001000 T _etext\n"
	"ffffffffc0000000 t ext4_read\t[ext4]\nffffffffc0000100 t ext4_write\t[ext4]\n"
	"ffffffffc0200000 t bpf_prog_77\t[bpf]\n";
static const char modules_text[] =
	"ext4 4096 0 - Live 0xffffffffc0000000\nnew 4096 0 - Live 0xffffffffc0100000\n";

static void open_kernel(const char *kallsyms, const char *modules)
{
	static char paths[2][256];

	snprintf(paths[0], sizeof(paths[0]), "%s", in_directory("kallsyms"));
	snprintf(paths[1], sizeof(paths[1]), "%s", in_directory("modules"));
	write_file(paths[0], kallsyms);
	write_file(paths[1], modules);
	open_resolver(&(struct resolver_options){ .kallsyms = paths[0], .modules = paths[1] });
}

static int count(const char *name, u64 addr, void *context)
{
	*(int *)context += 1;
	if (!strcmp(name, "ext4_write"))
		assert_true(addr == 0x100);
	return 0;
}

static u32 kernel_frame(u64 addr)
{
	return resolver_kernel_frame(resolver, addr, false);
}

static const char *text_at(u64 addr)
{
	return text_of(kernel_frame(addr));
}

static void the_kernel(void **state)
{
	u32 frame, moved;

	open_kernel(kallsyms_text, modules_text);
	frame = kernel_frame(0xffffffff81000110);
	assert_string_equal(text_of(frame), "do_work kernel");
	assert_int_equal(object_of(frame)->kind, PROFILE_KERNEL);
	assert_true(profile->frames[frame].addr == 0x110);
	assert_true(profile_function_of(profile, frame)->addr == 0x100);
	assert_int_equal(kernel_frame(0xffffffff81000110), frame);
	/* a call at the end of a function returns to the next one */
	moved = resolver_kernel_frame(resolver, 0xffffffff81000200, true);
	assert_string_equal(text_of(moved), "do_work kernel");
	assert_false(resolver_is_softirq_entry(resolver, moved));
	moved = kernel_frame(0xffffffff81000200);
	assert_true(resolver_is_softirq_entry(resolver, moved));
	assert_false(resolver_is_irq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000310, true);
	assert_true(resolver_is_softirq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000410, true);
	assert_true(resolver_is_irq_entry(resolver, moved));
	moved = resolver_kernel_frame(resolver, 0xffffffff81000510, true);
	assert_false(resolver_is_irq_entry(resolver, moved));
}

static void modules_and_generated_code(void **state)
{
	u32 frame;

	open_kernel(kallsyms_text, modules_text);
	frame = kernel_frame(0xffffffffc0000108);
	assert_string_equal(text_of(frame), "ext4_write ext4");
	assert_int_equal(object_of(frame)->kind, PROFILE_MODULE);
	assert_true(profile->frames[frame].addr == 0x108);
	assert_string_equal(text_at(0xffffffffc0200004), "bpf_prog_77 bpf");
	/* no symbols */
	assert_string_equal(text_at(0xffffffffc0100004), "(no symbol) new");
	assert_string_equal(text_at(0xffffffffb0000000), "(no symbol) kernel");
	assert_string_equal(text_at(0x1000), "(no symbol) kernel");
}

/* Returns how many functions the object of the frame at an address has. */
static int nr_functions(u64 addr)
{
	int nr = 0;

	assert_int_equal(resolver_functions(resolver, profile_function_of(profile, kernel_frame(addr))->object,
					    count, &nr), 0);
	return nr;
}

static void functions_of_the_kernel(void **state)
{
	open_kernel(kallsyms_text, modules_text);
	assert_int_equal(nr_functions(0xffffffff81000110), 6);
	assert_int_equal(nr_functions(0xffffffffc0000108), 2);
}

/* The kernel's symbols become these, and so many harvests pass that they are read again. */
static void change_kallsyms(const char *text)
{
	write_file(resolver->kernel.kallsyms, text);
	for (int i = 0; i < KERNEL_NAMES_ROUNDS; i++)
		resolver_events(resolver);
}

static void later_code_is_found(void **state)
{
	open_kernel(kallsyms_text, modules_text);
	assert_string_equal(text_at(0xffffffff81000110), "do_work kernel");
	/* a module */
	change_kallsyms("ffffffff81000000 T _stext\nffffffff81001000 T _etext\n"
			"ffffffffc0300000 t late_work\t[late]\n");
	assert_string_equal(text_at(0xffffffffc0300004), "late_work late");
	assert_string_equal(text_at(0xffffffff81000110), "_stext kernel");
	/* and code after the end of the kernel */
	change_kallsyms("ffffffff81000000 T _stext\nffffffff81001000 T grown\nffffffff81002000 T _etext\n");
	assert_string_equal(text_at(0xffffffff81001000), "grown kernel");
}

/* Compilers append a dot and a suffix to a name; other names with that prefix are different. */
static void entries_are_known_by_name(void **state)
{
	assert_true(kernel_names_is_softirq("handle_softirqs"));
	assert_true(kernel_names_is_softirq("__do_softirq.constprop.0"));
	assert_false(kernel_names_is_softirq("handle_softirqs_later"));
	assert_false(kernel_names_is_softirq("handle_softirq"));
	assert_true(kernel_names_is_irq("asm_common_interrupt"));
	assert_true(kernel_names_is_irq("asm_sysvec_reschedule_ipi"));
	assert_false(kernel_names_is_irq("asm_common_interrupts"));
	assert_true(kernel_names_is_irq("el1h_64_irq"));
	assert_false(kernel_names_is_irq("el1h_64_sync"));
}

/* The function is found at any load address of the kernel. */
static void another_boot(void **state)
{
	u32 work, write;

	open_kernel("ffffffff9a000000 T _stext\nffffffff9a000100 T do_work\n"
		    "ffffffff9a001000 T _etext\n"
		    "ffffffffc0900100 t ext4_write\t[ext4]\n",
		    "ext4 4096 0 - Live 0xffffffffc0900000\n");
	work = resolver_kernel_frame(resolver, 0xffffffff9a000110, false);
	write = resolver_kernel_frame(resolver, 0xffffffffc0900108, false);
	assert_int_equal(profile->frames[work].addr, 0x110);
	assert_int_equal(profile->frames[write].addr, 0x108);
}

static void a_hidden_kernel(void **state)
{
	open_kernel("0000000000000000 T _stext\n0000000000000000 T do_work\n", "");
	assert_int_equal(resolver_kernel_frame(resolver, 0xffffffff81000110, false),
			 profile_mark(MARK_KERNEL));
	assert_int_equal(resolver_kernel_frame(resolver, 0xffffffff81000110, true),
			 profile_mark(MARK_KERNEL));
	assert_false(resolver_is_irq_entry(resolver, profile_mark(MARK_KERNEL)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH(test, open) cmocka_unit_test_setup_teardown(test, open, close_resolver)
		WITH(the_vdso, open_plain),
		WITH(code_made_at_run_time, open_plain),
		WITH(maps_of_others, open_plain), WITH(map_is_a_pipe, open_plain),
		WITH(maps_stay_in_their_root, open_plain),
		WITH(links_to_maps_are_counted, open_plain),
		WITH(children_in_another_root, NULL),
		WITH(children_of_programs_in_another_root, NULL),
		WITH(the_kernel, NULL),
		WITH(modules_and_generated_code, NULL),
		WITH(functions_of_the_kernel, NULL),
		WITH(later_code_is_found, NULL),
		cmocka_unit_test(entries_are_known_by_name),
		WITH(another_boot, NULL),
		WITH(a_hidden_kernel, NULL),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
