// SPDX-License-Identifier: GPL-2.0-only
/* Inlined calls of programs: symbolizer/inlines.c. */
#include <fcntl.h>

#include "directory.h"
#include "inputs.h"
#include "pipes.h"

/* Labels mark instructions of known functions. The first line of each function is in a comment. */
static const char source[] =
	"#define AT(label) __asm__ volatile(\".globl \" #label \"\\n\" #label \": nop\")\n"
	"#define INLINE static inline __attribute__((always_inline))\n"
	"INLINE void inner(void)\n"	/* 3 */
	"{\n"
	"\tAT(at_inner);\n"
	"}\n"
	"INLINE void middle(void)\n"	/* 7 */
	"{\n"
	"\tAT(at_middle);\n"
	"\tinner();\n"
	"\tAT(after_inner);\n"
	"}\n"
	"__attribute__((noinline)) void outer(void)\n"	/* 13 */
	"{\n"
	"\tAT(at_outer);\n"
	"\tmiddle();\n"
	"\tAT(after_middle);\n"
	"}\n"
	"void both(void)\n"		/* 19 */
	"{\n"
	"\t__asm__ volatile(\"nop\");\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"\touter();\n"
	"\t__asm__ volatile(\".globl at_both\\nat_both:\");\n"
	"\tboth();\n"
	"\treturn 0;\n"
	"}\n";

/** A program with debug information. */
struct program {
	struct sym_index *index;
	struct sym_lines *lines;
};

static void open_program(struct program *program, const char *name)
{
	int fd = open(in_directory(name), O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(sym_index_create_elf(fd, &program->index, NULL), 0);
	assert_int_equal(sym_lines_create(fd, &program->lines, NULL), 0);
	close(fd);
}

static void close_program(struct program *program)
{
	sym_lines_destroy(program->lines);
	sym_index_destroy(program->index);
}

static u64 addr_of(const struct program *program, const char *label)
{
	u64 addr = 0;

	assert_true(sym_index_by_name(program->index, label, &addr));
	return addr;
}

/* The inlined calls of an address, "inner:10<middle:16", innermost first, with lines of the calls. */
static const char *calls_at(const struct program *program, u64 addr)
{
	static char text[1024];
	struct sym_inlined list[SYM_INLINED_MAX];
	size_t nr = sym_lines_inlined(program->lines, addr, true, list), i;
	char *at = text;

	text[0] = '\0';
	for (i = 0; i < nr; i++)
		at += sprintf(at, "%s%s:%u", i ? "<" : "", list[i].name, list[i].line);
	return text;
}

static void check_program(const struct program *program)
{
	struct sym_inlined list[SYM_INLINED_MAX];

	assert_string_equal(calls_at(program, addr_of(program, "at_inner")), "inner:10<middle:16");
	assert_string_equal(calls_at(program, addr_of(program, "at_middle")), "middle:16");
	assert_string_equal(calls_at(program, addr_of(program, "after_inner")), "middle:16");
	assert_string_equal(calls_at(program, addr_of(program, "at_outer")), "");
	assert_string_equal(calls_at(program, addr_of(program, "after_middle")), "");
	assert_string_equal(calls_at(program, addr_of(program, "at_both")), "both:27");
	assert_string_equal(calls_at(program, addr_of(program, "both")), "");
	assert_string_equal(calls_at(program, 0), "");
	assert_string_equal(calls_at(program, UINT64_MAX), "");
	/* A function with code of its own says where that is, and is known to other units. */
	assert_int_equal(sym_lines_inlined(program->lines, addr_of(program, "at_both"), true, list),
			 1);
	assert_true(list[0].entry == addr_of(program, "both"));
	assert_true(list[0].is_global);
	assert_string_equal(list[0].file, in_directory("a.c"));
	assert_int_equal(sym_lines_inlined(program->lines, addr_of(program, "at_inner"), false,
					   list), 2);
	assert_true(!list[0].entry && !list[0].is_global && !list[0].line && !list[0].file[0]);
}

static void inlined_calls(void **state)
{
	static const char *const compilers[] = { "gcc", "gcc -gdwarf-4", "clang",
						 "clang -gdwarf-4" };
	struct program program;
	char command[256];
	size_t i;

	write_file(in_directory("a.c"), source);
	for (i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		/* Clang need not be there. */
		if (compilers[i][0] == 'c' && system("clang --version >/dev/null 2>&1"))
			continue;
		snprintf(command, sizeof(command), "%s -g -O2 -o a a.c", compilers[i]);
		sh(command);
		open_program(&program, "a");
		check_program(&program);
		close_program(&program);
	}
}

/* Mangled names, as the symbols have them; a debug file; and a unit of the linker (LTO). */
static void names_and_files(void **state)
{
	struct program program;

	write_file(in_directory("a.c"), source);
	write_file(in_directory("b.cc"),
		   "namespace geometry {\nstruct Circle {\n"
		   "\t__attribute__((always_inline)) void draw() { __asm__ volatile(\"nop\"); }\n"
		   "};\n}\nint main()\n{\n\tgeometry::Circle c;\n"
		   "\t__asm__ volatile(\".globl at\\nat:\");\n\tc.draw();\n}\n");
	sh("g++ -g -O2 -o b b.cc && gcc -g -O2 -o a a.c && objcopy --only-keep-debug a a.debug && "
	   "gcc -g -O2 -flto -o c a.c");
	open_program(&program, "b");
	assert_string_equal(calls_at(&program, addr_of(&program, "at")),
			    "_ZN8geometry6Circle4drawEv:10");
	close_program(&program);
	open_program(&program, "a.debug");
	check_program(&program);
	close_program(&program);
	open_program(&program, "c");
	assert_string_equal(calls_at(&program, addr_of(&program, "at_inner")),
			    "inner:10<middle:16");
	close_program(&program);
}

/* More inlined calls at one address than are told: the outermost ones are left out. */
static void deep_calls(void **state)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	struct program program;
	char code[8192], *at = code;
	int i;

	at += sprintf(at, "#define F(n, body) static inline __attribute__((always_inline)) "
		      "void f##n(void) { body; }\n"
		      "F(0, __asm__ volatile(\".globl at\\nat: nop\"))\n");
	for (i = 1; i < 40; i++)
		at += sprintf(at, "F(%d, f%d())\n", i, i - 1);
	sprintf(at, "int main(void) { f39(); }\n");
	write_file(in_directory("d.c"), code);
	sh("gcc -g -O2 -o d d.c");
	open_program(&program, "d");
	assert_int_equal(sym_lines_inlined(program.lines, addr_of(&program, "at"), false, list),
			 SYM_INLINED_MAX);
	assert_string_equal(list[0].name, "f0");
	assert_string_equal(list[SYM_INLINED_MAX - 1].name, "f31");
	close_program(&program);
}

/* Many units, each looked up more than once. */
static void many_units(void **state)
{
	struct program program;
	char label[32];
	int round, i;

	/* compiled once, then assembled under 100 names; these must keep their lengths, which debug information counts */
	sh("printf 'static inline __attribute__((always_inline)) void in(void) "
	   "{ __asm__ volatile(\"nop\"); }\\nvoid u_NN(void) "
	   "{ __asm__ volatile(\".globl at_NN\\\\nat_NN:\"); in(); }\\n' >u.c && "
	   "gcc -g -O2 -S u.c && for i in $(seq -w 0 99); do "
	   "sed s/_NN/_$i/g u.s | as -o u$i.o || exit 1; done && "
	   "gcc -shared -o u.so u??.o");
	open_program(&program, "u.so");
	for (round = 0; round < 2; round++)
		for (i = 0; i < 100; i++) {
			snprintf(label, sizeof(label), "at_%02d", i);
			assert_string_equal(calls_at(&program, addr_of(&program, label)), "in:2");
		}
	close_program(&program);
}

/* Every byte of the debug information damaged in turn: no crash, no endless loop, no wild pointer. */
static void damaged_files(void **state)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	struct program program;
	struct sym_lines *lines;
	u64 addr[3];
	size_t len, i, at;
	u8 bytes[65536];
	int fd;

	write_file(in_directory("a.c"), source);
	sh("gcc -g -O2 -o a a.c && objcopy --only-keep-debug a e");
	open_program(&program, "e");
	addr[0] = addr_of(&program, "at_inner");
	addr[1] = addr_of(&program, "at_both");
	addr[2] = addr_of(&program, "at_outer");
	close_program(&program);
	fd = open(in_directory("e"), O_RDONLY);
	len = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_true(len < sizeof(bytes));
	for (i = 0; i < len; i++) {
		u8 before = bytes[i];

		bytes[i] ^= i % 3 ? 0xff : 1 << i % 8;
		fd = memfd_of(bytes, len);
		if (!sym_lines_create(fd, &lines, NULL)) {
			for (at = 0; at < 3; at++)
				assert_true(sym_lines_inlined(lines, addr[at], true, list) <=
					    SYM_INLINED_MAX);
			sym_lines_destroy(lines);
		}
		close(fd);
		bytes[i] = before;
	}
}

/*
 * A function with an inlined call, in DWARF 4. The macros are: ALTLINK, a section that names another file of debug
 * information, ABBREV, the form of the reference to the inlined function, and REFERENCE, its bytes.
 */
static const char reference_source[] =
	".text\n.globl at\n.type at,@function\nat: nop\n nop\n nop\n.Lend: .size at,.-at\n"
	".section .debug_line,\"\",@progbits\n"
	"ALTLINK\n"
	".section .debug_abbrev,\"\",@progbits\n"
	".uleb128 1,0x11\n.byte 1\n.uleb128 0x11,1, 0x12,7, 0x03,8, 0,0\n"
	".uleb128 2,0x2e\n.byte 1\n.uleb128 0x11,1, 0x12,7, 0x03,8, 0,0\n"
	".uleb128 3,0x1d\n.byte 0\n.uleb128 0x31,FORM, 0x11,1, 0x12,7, 0,0\n"
	".uleb128 4,0x2e\n.byte 0\n.uleb128 0x03,8, 0x20,0x0b, 0,0\n"
	".uleb128 5,0x41\n.byte 1\n.uleb128 0x03,8, 0,0\n"
	".byte 0\n"
	".section .debug_info,\"\",@progbits\n"
	".long .Le-.Ls\n.Ls: .value 4\n.long 0\n.byte 8\n"
	".uleb128 1\n.quad at\n.quad .Lend-at\n.asciz \"unit\"\n"
	".Lin: .uleb128 4\n.asciz \"own\"\n.byte 1\n"
	".uleb128 2\n.quad at\n.quad .Lend-at\n.asciz \"at\"\n"
	".uleb128 3\nREFERENCE\n.quad at\n.quad 2\n.byte 0\n.byte 0\n.Le:\n";

/* The inlined calls of such a program at its first instruction, without the lines. */
static const char *call_by_reference(const char *altlink, const char *form, const char *reference)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	static char name[64];
	struct program program;
	char command[2048];
	size_t nr;

	write_file(in_directory("r.in"), reference_source);
	snprintf(command, sizeof(command), "sed 's|ALTLINK|%s|; s|FORM|%s|; s|REFERENCE|%s|' r.in >r.s && "
		 "gcc -nostdlib -shared -o r.so r.s", altlink, form, reference);
	sh(command);
	open_program(&program, "r.so");
	nr = sym_lines_inlined(program.lines, addr_of(&program, "at"), true, list);
	snprintf(name, sizeof(name), "%s", nr ? list[0].name : "");
	close_program(&program);
	return name;
}

#define OWN_OFFSET "33"		/* of the entry .Lin in the unit */

/*
 * Three calls within each other, in DWARF 4. The code of the second one is in two ranges, of which the later begins
 * after the third: the order of the ranges does not tell which call is the innermost.
 */
static const char ranges_source[] =
	".text\n.globl at\n.type at,@function\nat: nop\n nop\n.Lmid: nop\n.globl late\nlate: nop\n.Lend: .size at,.-at\n"
	".section .debug_line,\"\",@progbits\n"
	".section .debug_ranges,\"\",@progbits\n"
	".quad 0,.Lmid-at, .Lmid-at,.Lend-at, 0,0\n"
	".section .debug_abbrev,\"\",@progbits\n"
	".uleb128 1,0x11\n.byte 1\n.uleb128 0x11,1, 0x12,7, 0x03,8, 0,0\n"
	".uleb128 2,0x2e\n.byte 1\n.uleb128 0x11,1, 0x12,7, 0x03,8, 0,0\n"
	".uleb128 3,0x1d\n.byte 1\n.uleb128 0x31,0x13, 0x11,1, 0x12,7, 0,0\n"
	".uleb128 4,0x1d\n.byte 1\n.uleb128 0x31,0x13, 0x55,0x17, 0,0\n"
	".uleb128 5,0x2e\n.byte 0\n.uleb128 0x03,8, 0x20,0x0b, 0,0\n"
	".byte 0\n"
	".section .debug_info,\"\",@progbits\n"
	".long .Le-.Ls\n.Ls: .value 4\n.long 0\n.byte 8\n"
	".uleb128 1\n.quad at\n.quad .Lend-at\n.asciz \"unit\"\n"
	".L1: .uleb128 5\n.asciz \"first\"\n.byte 1\n"
	".L2: .uleb128 5\n.asciz \"second\"\n.byte 1\n"
	".L3: .uleb128 5\n.asciz \"third\"\n.byte 1\n"
	".uleb128 2\n.quad at\n.quad .Lend-at\n.asciz \"at\"\n"
	".uleb128 3\n.long .L1-.Ls+4\n.quad at\n.quad .Lend-at\n"
	".uleb128 4\n.long .L2-.Ls+4\n.long 0\n"
	".uleb128 3\n.long .L3-.Ls+4\n.quad at\n.quad .Lend-at\n"
	".byte 0\n.byte 0\n.byte 0\n.byte 0\n.byte 0\n.Le:\n";

static void three_levels(void **state)
{
	struct program program;

	write_file(in_directory("t.s"), ranges_source);
	sh("gcc -nostdlib -shared -o t.so t.s");
	open_program(&program, "t.so");
	assert_string_equal(calls_at(&program, addr_of(&program, "at")), "third:0<second:0<first:0");
	assert_string_equal(calls_at(&program, addr_of(&program, "late")), "third:0<second:0<first:0");
	close_program(&program);
}

/* Debug information may name a file that it shares with others, a pipe or a device too: nothing opens the file. */
static void shared_file(void **state)
{
	static const char *const names[] = { ".gnu_debugaltlink", ".gnu_debugaltlink.dwo" };
	struct watched_pipe watched;
	char path[128], altlink[512];
	size_t i;

	assert_string_equal(call_by_reference("", "0x13", ".long .Lin-.Ls+4"), "own");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s", in_directory("pipe"));
		snprintf(altlink, sizeof(altlink), ".section %s,\"\",@progbits; .asciz \"%s\"; .fill 20,1,7",
			 names[i], path);
		watch_pipe(&watched, path);
		assert_string_equal(call_by_reference(altlink, "0x1f20", ".long " OWN_OFFSET), "");
		assert_false(was_pipe_opened(&watched));
		/* All else stays known. */
		assert_string_equal(call_by_reference(altlink, "0x13", ".long .Lin-.Ls+4"), "own");
	}
}

/* A function in .debug_types: its offset there is that of another function in .debug_info. */
static void other_section(void **state)
{
	const char *types = ".section .debug_types,\"\",@progbits; .long .Lte-.Lts; .Lts: .value 4; .long 0; .byte 8; "
		".quad 0x77; .long .Ltin-.Lts+4; .uleb128 5; .asciz \"12345678\"; "
		".Ltin: .uleb128 4; .asciz \"other\"; .byte 1; .byte 0; .Lte:";

	assert_string_equal(call_by_reference(types, "0x20", ".quad 0x77"), "");
}

/* A function of one byte with CALLS inlined calls that share a list of 20000 empty ranges, and one that has the byte. */
static const char shared_ranges[] =
	".text\n.globl f\n.type f,@function\nf: nop\n.size f,1\n"
	".section .debug_abbrev,\"\",@progbits\n.byte 1,0x11,1,0x11,1,0x12,7,0,0\n"
	".byte 2,0x1d,0,0x55,0x17,0,0\n.byte 3,0x1d,0,0x31,0x13,0x11,1,0x12,7,0,0\n"
	".byte 4,0x2e,0,3,8,0,0\n.byte 5,0x2e,1,0x11,1,0x12,7,0,0,0\n"
	".section .debug_info,\"\",@progbits\n"
	".long 2f-1f\n1: .short 4\n.long 0\n.byte 8,1\n.quad f,1\n.byte 4\n.asciz \"callee\"\n"
	".byte 5\n.quad f,1\n.rept CALLS\n.byte 2\n.long 0\n.endr\n.byte 3\n.long 28\n.quad f,1\n.byte 0,0\n2:\n"
	".section .debug_ranges,\"\",@progbits\n.rept 20000\n.quad 8,8\n.endr\n.quad 0,0\n"
	".section .debug_line,\"\",@progbits\n.long 0\n";

/* Two million ranges of a unit are not read, though all are empty. */
static void calls_that_share_ranges(void **state)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	struct program program;
	u64 addr;

	write_file(in_directory("shared.s"), shared_ranges);
	sh("for n in 10 100; do sed s/CALLS/$n/ shared.s >s.s && as -o s.o s.s && ld -shared -o s$n.so s.o; done");
	open_program(&program, "s10.so");
	assert_true(sym_index_by_name(program.index, "f", &addr));
	assert_int_equal(sym_lines_inlined(program.lines, addr, false, list), 1);
	assert_string_equal(list[0].name, "callee");
	close_program(&program);
	open_program(&program, "s100.so");
	assert_int_equal(sym_lines_inlined(program.lines, addr, false, list), 0);
	close_program(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_calls), cmocka_unit_test(names_and_files),
		cmocka_unit_test(deep_calls), cmocka_unit_test(three_levels), cmocka_unit_test(many_units),
		cmocka_unit_test(calls_that_share_ranges), cmocka_unit_test(damaged_files), cmocka_unit_test(shared_file),
		cmocka_unit_test(other_section),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
