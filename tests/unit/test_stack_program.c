// SPDX-License-Identifier: GPL-2.0-only
/* The program that counts stacks fits, and all its jumps land in it: cli/bpf/stack_program.c. */
#include "unit.h"
#include "bpf/stack_program.h"

static bool is_jump(const struct bpf_insn *insn)
{
	u8 kind = BPF_OP(insn->code);

	return BPF_CLASS(insn->code) == BPF_JMP && kind != BPF_CALL && kind != BPF_EXIT;
}

/* Whether an instruction is the second word of a map's address. */
static bool is_second_word(const struct encode *code, s64 at)
{
	return at > 0 && code->insn[at - 1].code == (BPF_LD | BPF_DW | BPF_IMM);
}

static u32 count_calls(const struct encode *code, s32 helper)
{
	u32 i, nr = 0;

	for (i = 0; i < code->nr; i++)
		nr += code->insn[i].code == (BPF_JMP | BPF_CALL) && code->insn[i].imm == helper;
	return nr;
}

static void check_program(const struct stack_program *program)
{
	struct encode code = { .nr = 0 };
	u32 i, nr_back = 0;
	bool has_user;

	stack_program_write(&code, program);
	assert_false(code.is_wrong);
	assert_int_equal(code.insn[code.nr - 1].code, BPF_JMP | BPF_EXIT);
	for (i = 0; i < code.nr; i++) {
		s64 target = (s64)i + 1 + code.insn[i].off;

		if (!is_jump(&code.insn[i]))
			continue;
		/* A jump of 0 would be one that never landed. */
		assert_true(target >= 0 && target < code.nr && code.insn[i].off);
		assert_false(is_second_word(&code, target));
		nr_back += code.insn[i].off < 0;
	}
	has_user = program->frames & CPUPROBE_FRAMES_USER;
	/* The walk of user code reads anew or not; that of a task in the kernel is one loop. */
	assert_int_equal(nr_back, has_user ? 2 + program->finds_regs : 0);
	/* Each kind of stack of the kernel is numbered in both turns, that of user code where it is new. */
	assert_int_equal(count_calls(&code, BPF_FUNC_get_stackid),
			 2 * __builtin_popcount(program->frames) + has_user);
	assert_int_equal(count_calls(&code, BPF_FUNC_get_stack), __builtin_popcount(program->frames));
	assert_int_equal(count_calls(&code, BPF_FUNC_task_pt_regs),
			 program->finds_regs && program->frames & CPUPROBE_FRAMES_USER ? 1 : 0);
	assert_int_equal(count_calls(&code, BPF_FUNC_current_task_under_cgroup), program->cgroup_fd >= 0);
}

static void all_programs_are_whole(void **state)
{
	struct stack_program program = { .depth = STACK_FRAMES, .factor = 0x123456789abcdef1 };
	u32 choice;

	for (choice = 0; choice < 24; choice++) {
		program.frames = choice / 8 + 1;
		program.pid = choice & 1 ? 4711 : 0;
		program.cgroup_fd = choice & 2 ? 9 : -1;
		program.finds_regs = choice & 4;
		check_program(&program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_programs_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
