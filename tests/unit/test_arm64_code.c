// SPDX-License-Identifier: GPL-2.0-only
/* Frames as the instructions of arm64 tell of them: kmod/arch_arm64_code.h. The encodings are the GNU assembler's. */
#include "unit.h"
#include "arch_arm64_code.h"

#define BEGIN		0x400000ul
#define NOP		0xd503201f
#define BL(from, to)	(0x94000000 | (((to) - (from)) / 4 & 0x3ffffff))

/** Properties of an instruction, or of the state before it. */
enum { MOVES = 1, STORES = 2, ENDS = 4, IN_LR = 8 };

static const struct {
	u32 code;
	u32 wanted;
} known[] = {
	{ 0xd10083ff, MOVES },		/* sub sp, sp, #32 */
	{ 0x910083ff, MOVES },		/* add sp, sp, #32 */
	{ 0x910003bf, MOVES },		/* mov sp, x29 */
	{ 0xd10043bf, MOVES },		/* sub sp, x29, #16 */
	{ 0xcb2163ff, MOVES },		/* sub sp, sp, x1 */
	{ 0x8b2243ff, MOVES },		/* add sp, sp, w2, uxtw */
	{ 0x927ced3f, MOVES },		/* and sp, x9, #-16 */
	{ 0xf81f0fe0, MOVES },		/* str x0, [sp, #-16]! */
	{ 0xf84107e0, MOVES },		/* ldr x0, [sp], #16 */
	{ 0xfc1f0fe8, MOVES },		/* str d8, [sp, #-16]! */
	{ 0x384017e0, MOVES },		/* ldrb w0, [sp], #1 */
	{ 0xa9be53f3, MOVES },		/* stp x19, x20, [sp, #-32]! */
	{ 0xa8c253f3, MOVES },		/* ldp x19, x20, [sp], #32 */
	{ 0x6dbe27e8, MOVES },		/* stp d8, d9, [sp, #-32]! */
	{ 0xa8c27bfd, MOVES },		/* ldp x29, x30, [sp], #32 */
	{ 0xa9be7bfd, MOVES | STORES | ENDS | IN_LR },	/* stp x29, x30, [sp, #-32]! */
	{ 0xa9017bfd, STORES | IN_LR },	/* stp x29, x30, [sp, #16] */
	{ 0x910003fd, IN_LR },		/* mov x29, sp */
	{ 0x910043fd, IN_LR },		/* add x29, sp, #16 */
	{ 0xd65f03c0, ENDS | IN_LR },	/* ret */
	{ 0xd65f0bff, ENDS | IN_LR },	/* retaa */
	{ 0xd65f0fff, ENDS | IN_LR },	/* retab */
	{ 0xd503233f, ENDS | IN_LR },	/* paciasp */
	{ 0xd503237f, ENDS | IN_LR },	/* pacibsp */
	{ 0xd50323bf, ENDS | IN_LR },	/* autiasp */
	{ 0xd50323ff, ENDS | IN_LR },	/* autibsp */
	{ 0xd503245f, ENDS | IN_LR },	/* bti c */
	{ 0xd61f0220, ENDS | IN_LR },	/* br x17 */
	{ 0x90000010, ENDS | IN_LR },	/* adrp x16, PAGE */
	{ 0xf9400e11, ENDS | IN_LR },	/* ldr x17, [x16, #24] */
	{ 0x91006210, ENDS | IN_LR },	/* add x16, x16, #24 */
	{ 0x910043e0, 0 },		/* add x0, sp, #16 */
	{ 0xf10043ff, 0 },		/* cmp sp, #16 */
	{ 0xf10043e0, 0 },		/* subs x0, sp, #16 */
	{ 0xb100043f, 0 },		/* cmn x1, #1 */
	{ 0xf2400c20, 0 },		/* ands x0, x1, #15 */
	{ 0xf2400c3f, 0 },		/* tst x1, #15 */
	{ 0xb27c0c20, 0 },		/* orr x0, x1, #0xf0 */
	{ 0xf9000be0, 0 },		/* str x0, [sp, #16] */
	{ 0xa90153f3, 0 },		/* stp x19, x20, [sp, #16] */
	{ 0xf8410420, 0 },		/* ldr x0, [x1], #16 */
	{ 0xa9bf0440, 0 },		/* stp x0, x1, [x2, #-16]! */
	{ 0xf8216be0, 0 },		/* str x0, [sp, x1] */
	{ 0xf85f83e0, 0 },		/* ldur x0, [sp, #-8] */
	{ 0xf82003e1, 0 },		/* ldadd x0, x1, [sp] */
	{ 0xd65f0020, 0 },		/* ret x1 */
	{ 0xd61f0200, 0 },		/* br x16 */
	{ 0xf9400e10, 0 },		/* ldr x16, [x16, #24] */
	{ 0x94000002, 0 },		/* bl */
	{ NOP, 0 },
};

static void instructions_are_told_apart(void **state)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		u32 code = known[i].code;
		u32 found = (moves_sp(code) ? MOVES : 0) | (stores_record(code) ? STORES : 0) |
			(is_entry_or_end(code) ? ENDS : 0) | (has_caller_in_lr(code) ? IN_LR : 0);

		if (found != known[i].wanted)
			fail_msg("%08x: %x instead of %x", code, found, known[i].wanted);
	}
}

/* Code from BEGIN on. Addresses before and after it cannot be read. */
static u32 text[ARM64_LEAF_BYTES / 4 + 256];

static bool read_text(unsigned long addr, u32 *code_ret)
{
	if (addr < BEGIN || addr >= BEGIN + sizeof(text) || addr & 3)
		return false;
	*code_ret = text[(addr - BEGIN) / 4];
	return true;
}

static unsigned long at(u32 i)
{
	return BEGIN + 4 * i;
}

static void set(u32 i, u32 code)
{
	text[i] = code;
}

static int begin(void **state)
{
	for (u32 i = 0; i < sizeof(text) / 4; i++)
		set(i, NOP);
	return 0;
}

/* A leaf without a record at 100, called at 10: in its middle, only the call tells that lr is its caller. */
static void leaf_returns_to_lr(void **state)
{
	unsigned long lr = at(11);

	set(10, BL(at(10), at(100)));
	assert_true(arm64_is_caller(lr, 0, at(110), read_text));
	assert_false(arm64_is_caller(0, 0, at(110), read_text));
	/* lr follows no call, the function begins after pc, or pc is beyond its assumed end */
	assert_false(arm64_is_caller(at(12), 0, at(110), read_text));
	assert_false(arm64_is_caller(lr, 0, at(99), read_text));
	assert_true(arm64_is_caller(lr, 0, at(100) + ARM64_LEAF_BYTES - 4, read_text));
	assert_false(arm64_is_caller(lr, 0, at(100) + ARM64_LEAF_BYTES, read_text));
	/* a record that says the same: the function may be the caller's caller */
	set(10, BL(at(10), at(100)));
	assert_false(arm64_is_caller(lr, lr, at(110), read_text));
	/* before its end lr is known without the call */
	set(10, NOP);
	set(110, 0xd65f03c0);
	assert_true(arm64_is_caller(lr, lr, at(110), read_text));
	/* unreadable code */
	assert_false(arm64_is_caller(lr, 0, BEGIN + sizeof(text), read_text));
}

/* A call backwards, of a function before it. */
static void calls_reach_backwards(void **state)
{
	set(200, BL(at(200), at(100)));
	assert_true(arm64_is_caller(at(201), 0, at(105), read_text));
	/* the function has stored a record: lr may be inside it */
	set(102, 0xa9be7bfd);
	assert_false(arm64_is_caller(at(201), 0, at(105), read_text));
	assert_true(arm64_is_caller(at(201), 0, at(101), read_text));
	/* too far for the search */
	set(102, NOP);
	assert_false(arm64_is_caller(at(201), 0, at(100 + ARM64_SEARCHED + 1), read_text));
	assert_true(arm64_is_caller(at(201), 0, at(100 + ARM64_SEARCHED), read_text));
	/* a record may be where the code cannot be read */
	set(200, BL(at(200), BEGIN - 8));
	assert_false(arm64_is_caller(at(201), 0, at(3), read_text));
}

/* lr after a call inside the function that runs, of a function before it; @saved tells where this one begins. */
static void lr_may_be_inside(void **state)
{
	set(150, BL(at(150), at(100)));
	set(220, BL(at(220), at(140)));
	assert_false(arm64_is_caller(at(151), at(221), at(145), read_text));
	/* that function begins after pc */
	set(220, BL(at(220), at(148)));
	assert_true(arm64_is_caller(at(151), at(221), at(145), read_text));
	/* one that begins before the target tells nothing */
	set(220, BL(at(220), at(90)));
	assert_true(arm64_is_caller(at(151), at(221), at(145), read_text));
	/* between the target and pc, and not at all inside */
	assert_false(arm64_is_caller(at(151), 0, at(160), read_text));
	assert_false(arm64_is_caller(at(151), 0, at(151), read_text));
}

static void stack_pointer_may_have_moved(void **state)
{
	unsigned long lr = at(11);

	set(10, BL(at(10), at(100)));
	assert_false(arm64_has_moved_sp(lr, at(110), read_text));
	set(104, 0xd10083ff);
	assert_true(arm64_has_moved_sp(lr, at(110), read_text));
	assert_true(arm64_has_moved_sp(lr, at(105), read_text));
	assert_false(arm64_has_moved_sp(lr, at(104), read_text));
	/* before ret the caller's is back */
	set(110, 0xd65f03c0);
	assert_false(arm64_has_moved_sp(lr, at(110), read_text));
	/* nothing is known without the call, or of code that cannot be read */
	set(10, NOP);
	assert_true(arm64_has_moved_sp(lr, at(109), read_text));
	assert_true(arm64_has_moved_sp(lr, BEGIN + sizeof(text), read_text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_told_apart),
		cmocka_unit_test_setup(leaf_returns_to_lr, begin),
		cmocka_unit_test_setup(calls_reach_backwards, begin),
		cmocka_unit_test_setup(lr_may_be_inside, begin),
		cmocka_unit_test_setup(stack_pointer_may_have_moved, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
