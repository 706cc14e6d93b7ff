// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames of inlined functions: cli/resolve/resolver_inlines.c. The code is this program itself, whose
 * functions tell where they are, a library made here, and a program in place of a kernel.
 */
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "resolve/collector.h"
#include "resolvers.h"

#define INLINE	static inline __attribute__((always_inline))
#define TELL(at) __asm__ volatile("lea 1f(%%rip), %0\n1:\tnop" : "=r"(at))

INLINE u64 inner(void)
{
	u64 at;

	TELL(at);		/* line 20 */
	return at;
}

INLINE u64 middle(void)
{
	u64 at = inner();	/* line 26 */

	__asm__ volatile("" : "+r"(at));
	return at;
}

__attribute__((noinline)) static u64 work(void)
{
	u64 at = middle();	/* line 34 */

	__asm__ volatile("" : "+r"(at));
	return at;
}

__attribute__((noinline)) static u64 plain(void)
{
	u64 at;

	TELL(at);
	return at;
}

static void open_self(const struct resolver_options *options)
{
	open_resolver(options);
	resolver_see(resolver, getpid(), space_of(getpid()), -1, 0);
}

static u32 self_frame(u64 addr)
{
	return leaf(getpid(), space_of(getpid()), addr);
}

/* The names of an address, "inner<middle<work", innermost first, with lines where known. */
static const char *names_of(u32 frame)
{
	static char text[2048];
	u32 list[RESOLVER_INLINED_MAX + 1], nr = resolver_inlined(resolver, list), i;
	char *end = text;

	list[nr++] = frame;
	for (i = 0; i < nr; i++) {
		const struct profile_frame *at = &profile->frames[list[i]];

		assert_int_equal(at->is_inlined, i + 1 < nr);
		assert_true(at->addr == profile->frames[frame].addr);
		end += sprintf(end, "%s%s", i ? "<" : "", profile->functions[at->function].name);
		if (at->line)
			end += sprintf(end, ":%u", at->line);
	}
	return text;
}

static void with_lines(void **state)
{
	const u32 *first;

	open_self(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL, .lines = true });
	assert_string_equal(names_of(self_frame(work())), "inner:20<middle:26<work:34");
	assert_string_equal(names_of(self_frame(plain())), "plain:44");
	/* From the cache. */
	assert_string_equal(names_of(self_frame(work())), "inner:20<middle:26<work:34");
	assert_int_equal(resolver->nr_links, 2);
	first = (u32 *)&resolver->links[0];
	assert_non_null(strstr(profile->frames[first[0]].file, "test_resolver_inlines.c"));
}

static void without_lines(void **state)
{
	open_self(&(struct resolver_options){ .inlined = RESOLVER_INLINE_CHEAP });
	assert_string_equal(names_of(self_frame(work())), "inner<middle<work");
	assert_string_equal(names_of(self_frame(plain())), "plain");
	assert_string_equal(names_of(self_frame(NOT_HERE)), "object unknown (unmapped)");
	close_resolver(NULL);
	open_self(&(struct resolver_options){ .lines = true });
	assert_string_equal(names_of(self_frame(work())), "work:20");
}

__attribute__((noinline)) static u64 get_return_addr(void)
{
	return (u64)__builtin_return_address(0);
}

INLINE u64 calling(void)
{
	u64 at = get_return_addr();

	__asm__ volatile("" : "+r"(at));
	return at;
}

__attribute__((noinline)) static u64 calls(void)
{
	u64 at = calling();

	__asm__ volatile("" : "+r"(at));
	return at;
}

/* A return address belongs to the instruction before it. */
static void return_addresses(void **state)
{
	u64 at = calls(), space = space_of(getpid());

	open_self(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL });
	assert_string_equal(names_of(caller(getpid(), space, at)), "calling<calls");
	/* This address does not follow a call: the last list is not given again. */
	caller(getpid(), space, work() + 1);
	assert_false(is_code);
	assert_int_equal(resolver_inlined(resolver, (u32[RESOLVER_INLINED_MAX]){ 0 }), 0);
}

static void ignore(void *context, u32 stack, u64 hits, double ns)
{
}

/* One address of the module's stack becomes several frames of the profile. */
static void stacks(void **state)
{
	const struct collector_options what = { .counted = ignore };
	struct cpuprobe_account account = { .period_ns = 1000, .taken = 3, .entries = 1 };
	struct {
		struct cpuprobe_stack stack;
		u64 frames[2];
	} entry = { .stack = { .hits = 3, .comm = "some", .kind = CPUPROBE_KIND_PROCESS,
			       .mode = CPUPROBE_MODE_USER, .nr_user = 2, .pid = getpid(),
			       .space = space_of(getpid()) }, .frames = { work(), calls() } };
	struct collector *collector;
	const u32 *frames;
	char text[512] = "";
	u32 i;

	open_resolver(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL });
	collector = collector_create(profile, resolver, &what);
	account.bytes = sizeof(entry);
	assert_int_equal(collector_add(collector, NULL, 0, &account, &entry), 0);
	assert_int_equal(profile->nr_stacks, 1);
	frames = profile_frames_of(profile, &profile->stacks[0]);
	for (i = 0; i < profile->stacks[0].nr_frames; i++)
		sprintf(text + strlen(text), "<%s",
			profile_function_of(profile, frames[i])->name);
	assert_string_equal(text, "<inner<middle<work<calling<calls");
	collector_destroy(collector);
}

static const char header[] =
	"#define TELL(at) __asm__ volatile(\"lea 1f(%%rip), %0\\n1:\\tnop\" : \"=r\"(at))\n"
	"#define INLINE inline __attribute__((always_inline))\n"
	"INLINE unsigned long shared(void) { unsigned long at; TELL(at); return at; }\n"
	"static INLINE unsigned long own(void) { unsigned long at; TELL(at); return at; }\n";

/* The code of shared() is in the second unit only, that of own() in the first. */
static const char first_unit[] =
	"#include \"h.h\"\n"
	"unsigned long one(void) { return shared(); }\n"
	"unsigned long two(void) { return own(); }\n"
	"unsigned long (*volatile own_code)(void) = own;\n";
static const char second_unit[] =
	"#include \"h.h\"\nextern INLINE unsigned long shared(void);\n";

static void *library;

static u64 call(const char *name)
{
	u64 (*function)(void) = dlsym(library, name);

	assert_non_null(function);
	return function();
}

static int make_files(void **state)
{
	assert_int_equal(make_directory(state), 0);
	write_file(in_directory("h.h"), header);
	write_file(in_directory("one.c"), first_unit);
	write_file(in_directory("two.c"), second_unit);
	sh("cc -g -O2 -fPIC -fvisibility=hidden -c -o two.o two.c && "
	   "cc -g -O2 -fno-ipa-icf -fPIC -shared -o pair.so one.c two.o");
	library = dlopen(in_directory("pair.so"), RTLD_NOW);
	return !library;
}

static int remove_files(void **state)
{
	dlclose(library);
	return remove_directory(state);
}

/* A function is one in the profile, whether its code is inlined or its own, in this unit or not. */
static void one_function(void **state)
{
	u64 (**own)(void) = dlsym(library, "own_code");
	u32 list[2][RESOLVER_INLINED_MAX], frame[2];
	const struct profile_function *function;

	open_self(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL });
	assert_string_equal(names_of(self_frame(call("two"))), "own<two");
	assert_int_equal(resolver_inlined(resolver, list[0]), 1);
	frame[0] = self_frame((*own)());
	assert_string_equal(names_of(frame[0]), "own");
	assert_int_equal(profile->frames[list[0][0]].function, profile->frames[frame[0]].function);
	assert_string_equal(names_of(self_frame(call("one"))), "shared<one");
	assert_int_equal(resolver_inlined(resolver, list[1]), 1);
	function = profile_function_of(profile, list[1][0]);
	assert_true(function->addr);
	frame[1] = self_frame(call("one") - profile_function_of(profile, self_frame(call("one")))->addr +
			      function->addr);
	assert_int_equal(profile->frames[list[1][0]].function, profile->frames[frame[1]].function);
	/* inner() has no code of its own. */
	self_frame(work());
	assert_int_equal(resolver_inlined(resolver, list[0]), 2);
	assert_true(!profile_function_of(profile, list[0][0])->addr);
}

/* Unless asked for, debug information of other users is not read, nor more than a limit. */
static void cheap_files(void **state)
{
	const struct resolver_options cheap = { .inlined = RESOLVER_INLINE_CHEAP };

	open_self(&cheap);
	assert_string_equal(names_of(self_frame(call("two"))), "own<two");
	assert_int_equal(resolver_counts(resolver)->debug_left_out, 0);
	close_resolver(NULL);
	open_self(&cheap);
	resolver->binaries.slot[BINARIES_MAX - 1].debug_len = BINARIES_CHEAP_MAX;
	assert_string_equal(names_of(self_frame(call("two"))), "two");
	assert_int_equal(resolver_counts(resolver)->debug_left_out, 1);
	close_resolver(NULL);
	if (getuid())
		return;
	assert_int_equal(chown(in_directory("pair.so"), 12345, 12345), 0);
	open_self(&cheap);
	assert_string_equal(names_of(self_frame(call("two"))), "two");
	assert_int_equal(resolver_counts(resolver)->debug_left_out, 1);
	close_resolver(NULL);
	open_self(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL });
	assert_string_equal(names_of(self_frame(call("two"))), "own<two");
	assert_int_equal(chown(in_directory("pair.so"), 0, 0), 0);
}

/* Files that a container may have written as root are those of another user. */
static void files_of_containers(void **state)
{
	int exe = open("/proc/self/exe", O_RDONLY), ready[2];
	u64 addr = call("two"), own = work();
	char told = 0;
	pid_t child;

	if (getuid())
		skip();
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		told = !chroot(directory);
		_exit(write(ready[1], &told, 1) != 1 || pause());
	}
	assert_int_equal(read(ready[0], &told, 1), 1);
	open_resolver(&(struct resolver_options){ .inlined = RESOLVER_INLINE_CHEAP });
	resolver_see(resolver, child, space_of(child), -1, 0);
	if (told) {
		assert_string_equal(names_of(leaf(child, space_of(child), addr)), "two");
		assert_int_equal(resolver_counts(resolver)->debug_left_out, 1);
		/* its executable, whose descriptor is known */
		resolver_see(resolver, child, space_of(child), exe, 0);
		assert_string_equal(names_of(leaf(child, space_of(child), own)), "work");
		assert_int_equal(resolver_counts(resolver)->debug_left_out, 2);
	}
	close(exe);
	/* A process of the host has the file, too. Frames that were found before stay. */
	resolver_see(resolver, getpid(), space_of(getpid()), -1, 0);
	assert_string_equal(names_of(self_frame(call("one"))), "shared<one");
	close_resolver(NULL);
	open_resolver(&(struct resolver_options){ .inlined = RESOLVER_INLINE_ALL });
	resolver_see(resolver, child, space_of(child), -1, 0);
	assert_string_equal(names_of(leaf(child, space_of(child), addr)), "own<two");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ready[0]);
	close(ready[1]);
}

/* A program in place of the kernel, with do_work() at 0x10 or more after _stext. */
static const char kernel_source[] =
	"__asm__(\".globl _stext\\n_stext: nop\\n.balign 16\\n\");\n"
	"static inline __attribute__((always_inline)) void spin(void)\n"
	"{\n"
	"\t__asm__ volatile(\"nop\");\n"
	"}\n"
	"__attribute__((noinline)) void do_work(void)\n"
	"{\n"
	"\tspin();\n"
	"}\n"
	"void (*volatile own_code)(void) = spin;\n"
	"int main(void) { do_work(); }\n";

static void the_kernel(void **state)
{
	static char vmlinux[256], kallsyms[256], modules[256], notes[256], text[512];
	struct resolver_options options = {
		.inlined = RESOLVER_INLINE_CHEAP, .lines = true, .vmlinux = vmlinux,
		.kallsyms = kallsyms, .modules = modules, .notes = notes,
	};
	const u64 base = 0xffffffff92000000;
	struct sym_index *index;
	struct text_error why;
	u32 list[RESOLVER_INLINED_MAX];
	u64 start, entry, own;
	int fd;

	write_file(in_directory("k.c"), kernel_source);
	sh("cc -g -O2 -fno-toplevel-reorder -Wl,--build-id -o vmlinux k.c && "
	   "cc -g -O2 -fno-toplevel-reorder -Wl,--build-id -DOTHER -o other k.c -Wl,-z,now && "
	   "objcopy -O binary --only-section=.note.gnu.build-id vmlinux notes && : >modules");
	snprintf(vmlinux, sizeof(vmlinux), "%s", in_directory("vmlinux"));
	snprintf(kallsyms, sizeof(kallsyms), "%s", in_directory("kallsyms"));
	snprintf(modules, sizeof(modules), "%s", in_directory("modules"));
	snprintf(notes, sizeof(notes), "%s", in_directory("notes"));
	fd = open(vmlinux, O_RDONLY);
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	close(fd);
	assert_true(sym_index_by_name(index, "_stext", &start));
	assert_true(sym_index_by_name(index, "do_work", &entry));
	assert_true(sym_index_by_name(index, "spin", &own));
	sym_index_destroy(index);
	snprintf(text, sizeof(text), "%llx T _stext\n%llx T do_work\n%llx t spin\n%llx T _etext\n",
		 base, base + entry - start, base + own - start, base + 0x1000);
	write_file(kallsyms, text);
	open_resolver(&options);
	assert_string_equal(names_of(resolver_kernel_frame(resolver, base + entry - start, false)),
			    "spin:4<do_work:8");
	assert_int_equal(resolver_inlined(resolver, list), 1);
	assert_true(profile_function_of(profile, list[0])->addr == own - start);
	assert_string_equal(names_of(resolver_kernel_frame(resolver, base + entry - start + 2,
							   true)), "do_work:9");
	assert_string_equal(names_of(resolver_kernel_frame(resolver, base + 0x800000, false)),
			    "(no symbol)");
	close_resolver(NULL);
	/* Refused: a file of another build, one that is no program, and none at all. */
	snprintf(vmlinux, sizeof(vmlinux), "%s", in_directory("other"));
	profile = profile_create();
	assert_null(resolver_create(profile, &options, &why));
	assert_non_null(strstr(why.what, "its build-id is "));
	assert_non_null(strstr(why.hint, "vmlinux"));
	snprintf(vmlinux, sizeof(vmlinux), "%s", in_directory("modules"));
	assert_null(resolver_create(profile, &options, &why));
	snprintf(vmlinux, sizeof(vmlinux), "%s", in_directory("nothing"));
	assert_null(resolver_create(profile, &options, &why));
	assert_non_null(strstr(why.what, "No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(with_lines, close_resolver),
		cmocka_unit_test_teardown(without_lines, close_resolver),
		cmocka_unit_test_teardown(return_addresses, close_resolver),
		cmocka_unit_test_teardown(stacks, close_resolver),
		cmocka_unit_test_teardown(one_function, close_resolver),
		cmocka_unit_test_teardown(cheap_files, close_resolver),
		cmocka_unit_test_teardown(files_of_containers, close_resolver),
		cmocka_unit_test_teardown(the_kernel, close_resolver),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
