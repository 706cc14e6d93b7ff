// SPDX-License-Identifier: GPL-2.0-only
/* Whether an address is preceded by a call: cli/code/arch_x86.c. */
#include <fcntl.h>
#include <unistd.h>

#include "unit.h"
#include "symbolizer.h"
#include "code/native.h"

static void calls(void **state)
{
	static const struct { u8 bytes[8]; size_t len; enum calls_kind kind; } way[] = {
		{ { 0xe8, 4, 3, 2, 1 }, 5, CALLS_DIRECT },
		{ { 0x66, 0x48, 0xe8, 4, 3, 2, 1 }, 7, CALLS_DIRECT },
		{ { 0xe9, 4, 3, 2, 1 }, 5, CALLS_NONE },		/* jmp */
		{ { 0xff, 0xd0 }, 2, CALLS_INDIRECT },			/* call *%rax */
		{ { 0x41, 0xff, 0xd7 }, 3, CALLS_INDIRECT },		/* *%r15 */
		{ { 0x3e, 0xff, 0xd2 }, 3, CALLS_INDIRECT },		/* notrack */
		{ { 0xff, 0xe0 }, 2, CALLS_NONE },			/* jmp *%rax */
		{ { 0xff, 0x10 }, 2, CALLS_INDIRECT },			/* *(%rax) */
		{ { 0xff, 0x14 }, 2, CALLS_NONE },			/* needs a SIB byte */
		{ { 0xff, 0x15 }, 2, CALLS_NONE },			/* needs 32 bits */
		{ { 0xff, 0x15, 1, 2, 3, 4 }, 6, CALLS_INDIRECT },	/* *x(%rip) */
		{ { 0xff, 0x14, 0xc8 }, 3, CALLS_INDIRECT },		/* *(%rax,%rcx,8) */
		{ { 0xff, 0x14, 0xc5 }, 3, CALLS_NONE },		/* no base: needs 32 bits */
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
	s32 distance = 0;
	size_t i;

	for (i = 0; i < sizeof(way) / sizeof(way[0]); i++)
		assert_int_equal(calls_before(way[i].bytes, way[i].len, &distance), way[i].kind);
	calls_before(way[0].bytes, 5, &distance);
	assert_int_equal(distance, 0x01020304);
}

/* "mov $15, %rax; syscall" in two lengths, whole and as the first instructions. */
static void returns_from_signals(void **state)
{
	static const u8 rax[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	static const u8 eax[] = { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05, 0x90, 0x90 };
	u8 other[sizeof(rax)];

	assert_true(calls_is_signal(rax, sizeof(rax)));
	assert_false(calls_is_signal(rax, sizeof(rax) - 1));
	assert_true(calls_is_signal(eax, sizeof(eax)));
	assert_true(calls_is_signal(eax, 7));
	assert_false(calls_is_signal(eax, 6));
	for (size_t i = 0; i < sizeof(rax); i++) {
		memcpy(other, rax, sizeof(rax));
		other[i] ^= 1;
		assert_false(calls_is_signal(other, sizeof(other)));
	}
}

/* Every call that the disassembler finds in a real program is one, and nearly nothing else is. */
static void calls_of_a_real_program(void **state)
{
	static const char program[] = "/bin/bash";
	int fd = open(program, O_RDONLY);
	struct sym_image image;
	char line[256], command[256];
	u64 addr, before = 0, offset, nr = 0, nr_calls = 0, nr_taken = 0, nr_missed = 0;
	bool was_call = false;
	s32 distance;
	u8 bytes[CALLS_BYTES];
	FILE *text;

	assert_int_equal(sym_image_read(fd, &image, NULL), 0);
	snprintf(command, sizeof(command), "objdump -d -j .text --no-show-raw-insn %s | "
		 "head -n 100000", program);
	text = popen(command, "r");
	while (fgets(line, sizeof(line), text)) {
		if (line[0] != ' ' || sscanf(line, " %llx:", &addr) != 1)
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
		line[strcspn(line, "<")] = '\0';	/* names may contain any text */
		was_call = strstr(line, "call") != NULL;
		before = addr;
	}
	pclose(text);
	close(fd);
	print_message("%llu instructions, %llu calls, %llu missed, %llu false\n", nr,
		      nr_calls, nr_missed, nr_taken);
	assert_true(nr_calls > 1000);
	assert_int_equal(nr_missed, 0);
	assert_true(nr_taken * 50 < nr - nr_calls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls), cmocka_unit_test(returns_from_signals),
		cmocka_unit_test(calls_of_a_real_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
