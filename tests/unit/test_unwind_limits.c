// SPDX-License-Identifier: GPL-2.0-only
/* Call frame information that is too large, or made to take hours or gigabytes: see hostile.h. */
#include "hostile.h"
#include "frames.h"

static struct frames f;

static void require_table(const struct sym_unwind *unwind)
{
	struct cfi cfi = cfi_of(unwind);

	assert_int_equal(cfi_check(&cfi), 0);
}

/* A function with a row of its own rule for each byte, of which the first has @first bytes of frame. */
static void put_many_rows(u64 start, u32 nr, u64 first)
{
	begin_function(&f, start, nr);
	for (u32 i = 0; i < nr; i++) {
		u64 bytes = first + 8 * i;

		OP(&f, DW_CFA_def_cfa_offset, (u8)(bytes | 0x80), (u8)(bytes >> 7 | 0x80), (u8)(bytes >> 14),
		   DW_CFA_advance_loc | 1);
	}
	end_entry(&f);
}

static void more_rules_than_numbers(void **state)
{
	struct sym_unwind *unwind;
	const struct cpuprobe_rule *rule;
	struct cfi cfi;
	double begin = own_seconds();

	put_common(&f);
	put_many_rows(0, 65534, 8);
	put_many_rows(0x10000, 1000, 8 + 8 * 65534);	/* no numbers are left */
	put_many_rows(0x20000, 1000, 8);		/* known rules */
	assert_int_equal(compile_frames(&f, &unwind), 0);
	require_table(unwind);
	assert_int_equal(unwind->nr_rules, CPUPROBE_UNWIND_RULES_MAX);
	assert_int_equal(unwind->nr_unsupported, 1);
	assert_int_equal(unwind->unsupported_len, 1000);
	cfi = cfi_of(unwind);
	for (u32 i = 0; i < 65534; i++) {
		rule = cfi_find(&cfi, CODE_OFFSET + i);
		assert_int_equal(rule->kind, CPUPROBE_RULE_CFA);
		assert_int_equal(rule->offset, 8 + 8 * i);
	}
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + 0x10000 + 500)->kind, CPUPROBE_RULE_UNSUPPORTED);
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + 0x20000 + 999)->offset, 8 + 8 * 999);
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + 0x20000 + 1000)->kind, CPUPROBE_RULE_NONE);
	sym_unwind_destroy(unwind);
	assert_true(own_seconds() - begin < SECONDS_MAX);
}

/* The hash of rule_set.c, to make rules whose hashes end alike: see hash_rule() there. */
static u32 hash_of(u64 offset, u64 fp_words)
{
	struct cpuprobe_rule rule = FROM_SP(offset, FP_AT(fp_words));
	u64 words[2];

	memcpy(words, &rule, sizeof(words));
	return ((words[0] ^ words[1] * 0xc2b2ae3d27d4eb4fULL) * 0x9e3779b97f4a7c15ULL) >> 32;
}

static void rules_with_equal_hashes(void **state)
{
	struct sym_unwind *unwind;
	double begin;
	u32 nr = 0;

	put_common(&f);
	begin_function(&f, 0, 0x20000);
	for (u32 words = 1; words < 128 && nr < 40000; words++)
		for (u32 offset = 0; offset < 1 << 17; offset++) {
			/* A few places of 2^17. */
			if (hash_of(offset, -(int)words) & 0x1ff00)
				continue;
			OP(&f, DW_CFA_def_cfa_offset, (u8)(offset | 0x80), (u8)(offset >> 7 | 0x80),
			   (u8)(offset >> 14), DW_CFA_offset | FP, (u8)words, DW_CFA_advance_loc | 1);
			nr++;
		}
	end_entry(&f);
	assert_true(nr > 15000);
	begin = own_seconds();
	assert_int_equal(compile_frames(&f, &unwind), 0);
	assert_true(own_seconds() - begin < SECONDS_MAX / 5.0);
	require_table(unwind);
	assert_int_equal(unwind->nr_rows, nr + 1);
	sym_unwind_destroy(unwind);
}

/* The program of a common entry runs once, not once for each of its functions. */
static void a_long_program_shared_by_many_functions(void **state)
{
	const u32 nr = 10000, len = 1000000;
	struct sym_unwind *unwind;
	double begin;

	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	for (u32 i = 0; i < len; i++)
		OP(&f, DW_CFA_nop);
	OP(&f, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1);
	end_entry(&f);
	for (u32 i = 0; i < nr; i++)
		FUNCTION(&f, 16 * (nr - i), 8, DW_CFA_def_cfa_offset, i % 100);	/* from last to first */
	begin = own_seconds();
	assert_int_equal(compile_frames(&f, &unwind), 0);
	assert_true(own_seconds() - begin < SECONDS_MAX / 5.0);
	require_table(unwind);
	assert_int_equal(unwind->nr_functions, nr);
	assert_int_equal(unwind->nr_rows, 2 * nr);
	sym_unwind_destroy(unwind);
}

/* As many common entries as functions, each function with another one than its predecessor. */
static void many_common_entries(void **state)
{
	static u32 position[20000];
	const u32 nr = 20000;
	struct sym_unwind *unwind;
	double begin;

	for (u32 i = 0; i < nr; i++) {
		put_common(&f);
		position[i] = f.common;
	}
	for (u32 i = 0; i < nr; i++) {
		f.common = position[i * 7919 % nr];
		FUNCTION(&f, 8 * i, 8, DW_CFA_nop);
	}
	begin = own_seconds();
	assert_int_equal(compile_frames(&f, &unwind), 0);
	assert_true(own_seconds() - begin < SECONDS_MAX / 5.0);
	assert_int_equal(unwind->nr_functions, nr);
	assert_int_equal(unwind->nr_rows, 2);
	sym_unwind_destroy(unwind);
}

/* The table ends with a row for all that is not described any more. */
static void more_rows_than_a_table_has(void **state)
{
	const u32 nr = CPUPROBE_UNWIND_ROWS_MAX + 10;
	struct sym_unwind *unwind;
	struct sym_error reason;
	Elf64_Ehdr *header;
	Elf64_Shdr *sections;
	struct cfi cfi;
	size_t len;
	u8 *object;

	put_common(&f);
	begin_function(&f, 0, nr);
	for (u32 i = 0; i < nr; i++)
		OP(&f, DW_CFA_def_cfa_offset, i % 2 ? 8 : 16, DW_CFA_advance_loc | 1);
	end_entry(&f);
	object = make_object(&f, ".eh_frame", 0, &len);
	header = (Elf64_Ehdr *)object;
	sections = (Elf64_Shdr *)(object + header->e_shoff);
	((Elf64_Phdr *)(header + 1))->p_filesz = nr;
	((Elf64_Phdr *)(header + 1))->p_memsz = nr;
	assert_true(len > CODE_OFFSET + nr && sections[1].sh_size > nr);
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), 0);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
	require_table(unwind);
	assert_int_equal(unwind->nr_rows, CPUPROBE_UNWIND_ROWS_MAX);
	assert_int_equal(unwind->nr_unsupported, 1);
	cfi = cfi_of(unwind);
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + CPUPROBE_UNWIND_ROWS_MAX - 2)->offset, 16);
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + CPUPROBE_UNWIND_ROWS_MAX - 1)->kind,
			 CPUPROBE_RULE_UNSUPPORTED);
	assert_int_equal(cfi_find(&cfi, CODE_OFFSET + nr - 1)->kind, CPUPROBE_RULE_UNSUPPORTED);
	sym_unwind_destroy(unwind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(more_rules_than_numbers),
		LIMITED(rules_with_equal_hashes),
		LIMITED(a_long_program_shared_by_many_functions),
		LIMITED(many_common_entries),
		LIMITED(more_rows_than_a_table_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
