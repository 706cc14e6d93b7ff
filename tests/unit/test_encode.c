// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of BPF instructions, as in the kernel's documentation: cli/bpf/encode.c. */
#include "unit.h"
#include "bpf/encode.h"

static void check_bytes(const struct encode *code, const char *hex)
{
	char text[ENCODE_MAX * 17] = "";
	const unsigned char *byte = (const unsigned char *)code->insn;
	size_t i, used = 0;

	for (i = 0; i < code->nr * sizeof(code->insn[0]); i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%02x",
				 i && i % 8 == 0 ? " " : "", byte[i]);
	assert_false(code->is_wrong);
	assert_string_equal(text, hex);
}

static void instructions_have_their_bytes(void **state)
{
	struct encode code = { .nr = 0 };

	encode_set(&code, BPF_REG_0, -1);
	encode_copy(&code, BPF_REG_6, BPF_REG_1);
	encode_alu(&code, BPF_RSH, BPF_REG_0, 32);
	encode_alu(&code, BPF_AND, BPF_REG_6, 3);
	encode_load(&code, BPF_DW, BPF_REG_6, BPF_REG_1, 136);
	encode_store(&code, BPF_W, BPF_REG_10, -24, BPF_REG_0);
	encode_map(&code, BPF_REG_1, 5);
	encode_map_value(&code, BPF_REG_2, 5);
	encode_set_wide(&code, BPF_REG_3, 0x9e3779b97f4a7c15);
	encode_variable(&code, BPF_REG_1, 8427);
	encode_call(&code, BPF_FUNC_map_lookup_elem);
	encode_exit(&code);
	check_bytes(&code, "b7000000ffffffff bf16000000000000 7700000020000000 5706000003000000 "
		    "7916880000000000 630ae8ff00000000 1811000005000000 0000000000000000 "
		    "1822000005000000 0000000000000000 18030000157c4a7f 00000000b979379e "
		    "18310000eb200000 0000000000000000 "
		    "8500000001000000 9500000000000000");
}

static void jumps_land_behind_what_they_skip(void **state)
{
	struct encode code = { .nr = 0 };
	u32 miss = encode_jump(&code, BPF_JEQ, BPF_REG_0, 0), always, negative;

	encode_set(&code, BPF_REG_0, 0);
	always = encode_jump(&code, BPF_JA, 0, 0);
	encode_land(&code, miss);
	negative = encode_jump(&code, BPF_JSLT, BPF_REG_7, 0);
	encode_land(&code, always);
	encode_land(&code, negative);
	encode_exit(&code);
	check_bytes(&code, "1500020000000000 b700000000000000 0500010000000000 c507000000000000 "
		    "9500000000000000");
}

static void loops_jump_back(void **state)
{
	struct encode code = { .nr = 0 };
	u32 loop, is_above;

	encode_alu_reg(&code, BPF_SUB, BPF_REG_1, BPF_REG_2);
	loop = code.nr;
	encode_alu(&code, BPF_ADD, BPF_REG_6, 1);
	is_above = encode_jump_reg(&code, BPF_JLT, BPF_REG_7, BPF_REG_8);
	encode_back(&code, BPF_JLT, BPF_REG_6, 65, loop);
	encode_land(&code, is_above);
	encode_exit(&code);
	check_bytes(&code, "1f21000000000000 0706000001000000 ad87010000000000 a506fdff41000000 "
		    "9500000000000000");
}

static void long_programs_are_refused(void **state)
{
	struct encode code = { .nr = 0 };
	int i;

	for (i = 0; i < ENCODE_MAX; i++)
		encode_exit(&code);
	assert_false(code.is_wrong);
	encode_exit(&code);
	assert_true(code.is_wrong);
	assert_int_equal(code.nr, ENCODE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_their_bytes),
		cmocka_unit_test(jumps_land_behind_what_they_skip),
		cmocka_unit_test(loops_jump_back),
		cmocka_unit_test(long_programs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
