// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of programs: symbolizer/lines.c. */
#include <errno.h>
#include <fcntl.h>

#include "directory.h"
#include "inputs.h"
#include "lines_parts.h"

static const char *file;
static u32 line;

/* The line number of an address; 0: unknown. */
static u32 line_at(struct sym_lines *lines, u64 addr)
{
	return sym_lines_find(lines, addr, &file, &line) ? line : 0;
}

/* The symbols of a program, and its file, open. */
static int open_program(const char *name, struct sym_index **index_ret)
{
	int fd = open(in_directory(name), O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(sym_index_create_elf(fd, index_ret, NULL), 0);
	return fd;
}

static void source_lines(void **state)
{
	struct sym_lines *lines, *debug_lines;
	u64 twice_addr, main_addr;
	struct sym_index *index;
	int fd, debug_fd;

	sh("printf '\\n\\nint twice(int n)\\n{\\n\\treturn 2 * n;\\n}\\n"
	   "int main(void)\\n{\\n\\treturn twice(1);\\n}\\n' >a.c && "
	   "cc -g -O0 -o a a.c && objcopy --only-keep-debug a a.debug && "
	   "objcopy -g --add-gnu-debuglink=a.debug a b");
	fd = open_program("a", &index);
	assert_true(sym_index_by_name(index, "twice", &twice_addr));
	assert_true(sym_index_by_name(index, "main", &main_addr));
	assert_int_equal(sym_lines_create(fd, &lines, NULL), 0);
	close(fd);
	assert_int_equal(line_at(lines, twice_addr), 4);
	assert_string_equal(file, in_directory("a.c"));
	assert_int_equal(line_at(lines, main_addr), 8);
	assert_int_equal(line_at(lines, 0), 0);
	assert_int_equal(line_at(lines, UINT64_MAX), 0);
	/* The stripped copy has no lines, but its debug file does. */
	fd = open(in_directory("b"), O_RDONLY);
	assert_int_equal(sym_lines_create(fd, &debug_lines, NULL), -ENODATA);
	debug_fd = sym_debug_open(fd, in_directory("b"), NULL);
	assert_true(debug_fd >= 0);
	assert_int_equal(sym_lines_create(debug_fd, &debug_lines, NULL), 0);
	assert_int_equal(line_at(debug_lines, main_addr), 8);
	assert_int_equal(sym_debug_open(debug_fd, "/nowhere/a", NULL), -ENOENT);
	close(debug_fd);
	close(fd);
	sym_lines_destroy(lines);
	sym_lines_destroy(debug_lines);
	sym_index_destroy(index);
}

/* More compilation units than are kept open at a time. */
static void many_units(void **state)
{
	struct sym_lines *lines;
	struct sym_index *index;
	u64 addr;
	int fd;

	/* One object many times over, two bytes of code each. */
	sh("printf '.text\\n.globl f\\n.type f,@function\\n"
	   "f: nop\\n ret\\n.size f,.-f\\n' >f.s && as -g -o f.o f.s && "
	   "ld -shared -z muldefs -o all $(yes f.o | head -n 1100)");
	fd = open_program("all", &index);
	assert_true(sym_index_by_name(index, "f", &addr));
	assert_int_equal(sym_lines_create(fd, &lines, NULL), 0);
	for (int i = 0; i < 2200; i++)
		assert_int_equal(line_at(lines, addr + i), 4 + i % 2);
	assert_int_equal(line_at(lines, addr), 4);
	assert_int_equal(line_at(lines, addr + 2200), 0);
	/* The rows are limited as well, three of each unit: those of all would be 3300. */
	lines->rows_max = 100;
	for (int i = 0; i < 2200; i++) {
		assert_int_equal(line_at(lines, addr + i), 4 + i % 2);
		assert_true(i < 2 || lines->nr_rows <= 102);
	}
	assert_true(lines->nr_rows > 0);
	sym_lines_destroy(lines);
	sym_index_destroy(index);
	close(fd);
}

/*
 * The linker drops a function of 25 KB, with a hundred lines of an inlined one, and keeps one of the same unit,
 * and one of a unit without debug information, which lie below 25 KB. The line table has the dropped one first, or last.
 */
static void a_dropped_function(void **state)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	static const char *const options[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gz" };
	struct sym_lines *lines;
	struct sym_index *index;
	char command[256];
	u64 kept, bare;
	size_t i, at;
	int fd;

	sh("{ echo 'static inline __attribute__((always_inline)) void gone(void) {' && "
	   "for i in $(seq 100); do echo '__asm__ volatile(\".skip 250,0x90\");'; done && "
	   "echo '}' && echo '__attribute__((visibility(\"hidden\"))) void dropped(void) { gone(); }'; } >first && "
	   "{ echo 'void kept(void) {' && "
	   "for i in $(seq 4); do echo '__asm__ volatile(\".skip 256,0x90\");'; done && echo '}'; } >second && "
	   "cat first second >d0.c && cat second first >d1.c && "
	   "echo 'void bare(void) { __asm__ volatile(\".skip 256,0x90\"); }' >n.c && cc -O1 -c n.c");
	for (i = 0; i < 6; i++) {
		snprintf(command, sizeof(command), "cc -O1 %s -ffunction-sections -fPIC -c d%zu.c -o d.o && "
			 "cc %s -nostdlib -shared -Wl,--gc-sections -o d.so d.o n.o", options[i / 2], i % 2,
			 options[i / 2]);
		sh(command);
		fd = open_program("d.so", &index);
		assert_true(sym_index_by_name(index, "kept", &kept));
		assert_true(sym_index_by_name(index, "bare", &bare));
		assert_true(kept < 25000 && bare < 25000);
		assert_int_equal(sym_lines_create(fd, &lines, NULL), 0);
		for (at = 0; at < 1024; at++) {
			assert_int_equal(line_at(lines, kept + at), (i % 2 ? 2 : 105) + at / 256);
			assert_int_equal(sym_lines_inlined(lines, kept + at, false, list), 0);
		}
		for (at = 0; at < 256; at++)
			assert_int_equal(line_at(lines, bare + at), 0);
		sym_lines_destroy(lines);
		sym_index_destroy(index);
		close(fd);
	}
}

static void no_lines(void **state)
{
	struct sym_lines *lines = NULL;
	int fd = memfd_of("", 0);

	assert_int_equal(sym_lines_create(fd, &lines, NULL), -ENODATA);
	assert_int_equal(write(fd, "\177ELF\2\1\1", 7), 7);
	assert_int_equal(sym_lines_create(fd, &lines, NULL), -ENODATA);
	assert_null(lines);
	assert_true(sym_debug_open(fd, "/x", NULL) < 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_lines), cmocka_unit_test(many_units),
		cmocka_unit_test(a_dropped_function), cmocka_unit_test(no_lines),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
