// SPDX-License-Identifier: GPL-2.0-only
/* Runtimes that walk stacks: symbolizer/runtime.c. */
#include <errno.h>
#include <fcntl.h>

#include "directory.h"
#include "inputs.h"

/* The runtime of a file that is linked from assembly; @link: how. */
static enum sym_runtime runtime_of(const char *text, const char *link)
{
	enum sym_runtime runtime;
	char command[1000];
	int fd;

	snprintf(command, sizeof(command), "printf '.text\\n.globl _start\\n_start: ret\\n%s' >a.s && "
		 "as -o a.o a.s && ld %s -o a.so a.o", text, link);
	sh(command);
	fd = open(in_directory("a.so"), O_RDONLY);
	assert_int_equal(sym_runtime_read(fd, &runtime, NULL), 0);
	close(fd);
	return runtime;
}

static void imports_and_definitions_count(void **state)
{
	assert_int_equal(runtime_of("", "-shared"), SYM_RUNTIME_PLAIN);
	assert_int_equal(runtime_of(".data\\n.quad _Unwind_Backtrace\\n", "-shared"), SYM_RUNTIME_PLAIN);
	assert_int_equal(runtime_of(".data\\n.quad _Unwind_Resume\\n", "-shared -s"), SYM_RUNTIME_EXCEPTIONS);
	assert_int_equal(runtime_of(".data\\n.quad __cxa_throw\\n", "-shared -s"), SYM_RUNTIME_EXCEPTIONS);
	assert_int_equal(runtime_of(".globl _Unwind_RaiseException\\n_Unwind_RaiseException: ret\\n", "-shared -s"),
			 SYM_RUNTIME_EXCEPTIONS);
}

/* A C library has the unwinder in static programs. */
static void static_programs_need_a_language(void **state)
{
	assert_int_equal(runtime_of("_Unwind_Resume: ret\\n_Unwind_RaiseException: ret\\n", ""), SYM_RUNTIME_PLAIN);
	assert_int_equal(runtime_of("__gxx_personality_v0: ret\\n", ""), SYM_RUNTIME_EXCEPTIONS);
	assert_int_equal(runtime_of("rust_eh_personality: ret\\n", ""), SYM_RUNTIME_EXCEPTIONS);
}

static void sections_show_go(void **state)
{
	assert_int_equal(runtime_of(".section .go.buildinfo\\n.quad 1\\n", ""), SYM_RUNTIME_GO);
	assert_int_equal(runtime_of(".section .note.go.buildid\\n.quad __cxa_throw\\n", "-shared -s"), SYM_RUNTIME_GO);
}

static void other_files_have_none(void **state)
{
	enum sym_runtime runtime;
	int fd = memfd_of("text", 4);

	assert_int_equal(sym_runtime_read(fd, &runtime, NULL), -ENOEXEC);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(imports_and_definitions_count),
		cmocka_unit_test(static_programs_need_a_language),
		cmocka_unit_test(sections_show_go),
		cmocka_unit_test(other_files_have_none),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
