// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of real files beside libdw: the program itself, its libraries, and the vdso. For every row,
 * both find the caller's registers from the same registers and memory, at the first and at the last
 * byte of the row; the results must be equal. `test_unwind_files FILE...` compares other files.
 */
#include "unit.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cfi.h"
#include "sym_unwind.h"

enum { FP = 6, SP = 7, PC = 16 };

/* A function's registers; memory is a function of the address. */
static u64 registers[17];

static u64 memory(u64 addr)
{
	return (addr ^ addr >> 29) * 0x9e3779b97f4a7c15ULL;
}

static void set_registers(u64 pc)
{
	for (size_t i = 0; i < PC; i++)
		registers[i] = memory(pc + 2 + i);
	registers[SP] = memory(pc) & ~15ULL;
	registers[FP] = memory(pc + 1) & ~15ULL;
	registers[PC] = pc;
}

/* The caller's registers as far as they are known. */
struct caller {
	u64 cfa, fp, ra;
	bool has_cfa, has_fp, has_ra;
	bool is_outermost;
	bool is_fp_based;	/* its place is told by a register other than the CFA */
};

/* Evaluate an expression of libdw. False: it needs registers that the module does not follow. */
static bool evaluate(const Dwarf_Op *ops, size_t nr, u64 cfa, u64 *value_ret)
{
	u64 stack[8] = { 0 };
	bool is_place = true;
	size_t top = 0;

	for (const Dwarf_Op *op = ops; op < ops + nr; op++) {
		u64 number = op->atom - DW_OP_breg0, offset = op->number;

		assert_true(top < 7);
		if (op->atom == DW_OP_bregx) {
			number = op->number;
			offset = op->number2;
		}
		if (op->atom == DW_OP_bregx || (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)) {
			/* Others can only be added to. */
			if (number != SP && number != FP && number != PC && (nr > 1 || number > PC))
				return false;
			stack[++top] = registers[number] + offset;
		} else if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
			stack[++top] = op->atom - DW_OP_lit0;
		} else if (op->atom == DW_OP_call_frame_cfa) {
			stack[++top] = cfa;
		} else if (op->atom == DW_OP_deref) {
			stack[top] = memory(stack[top]);
		} else if (op->atom == DW_OP_plus_uconst) {
			stack[top] += op->number;
		} else if (op->atom == DW_OP_stack_value) {
			is_place = false;
		} else if (op->atom == DW_OP_plus) {
			top--;
			stack[top] += stack[top + 1];
		} else if (op->atom == DW_OP_and) {
			top--;
			stack[top] &= stack[top + 1];
		} else if (op->atom == DW_OP_shl) {
			top--;
			stack[top] <<= stack[top + 1];
		} else if (op->atom == DW_OP_ge) {
			top--;
			stack[top] = (s64)stack[top] >= (s64)stack[top + 1];
		} else {
			return false;
		}
	}
	*value_ret = is_place ? stack[top] : ~stack[top];
	return is_place;
}

static bool find_register(Dwarf_Frame *frame, int number, u64 cfa, u64 *value_ret,
			  bool *is_undefined_ret, bool *is_based_ret)
{
	Dwarf_Op memory_of_ops[3], *ops;
	size_t nr;
	u64 place;

	assert_int_equal(dwarf_frame_register(frame, number, memory_of_ops, &ops, &nr), 0);
	*is_undefined_ret = !nr && ops;
	/* libdw puts the CFA before every expression, as if it were used. */
	*is_based_ret = nr == 2 && ops[1].atom >= DW_OP_breg0 && ops[1].atom <= DW_OP_breg31;
	if (!nr)
		*value_ret = registers[number];
	if (!nr || !evaluate(ops, nr, cfa, &place))
		return !nr && !ops;
	*value_ret = memory(place);
	return true;
}

/* False: libdw refuses the information. */
static bool ask_libdw(Dwarf_Frame *frame, struct caller *caller_ret)
{
	struct caller caller = { 0 };
	bool is_ignored;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr))
		return false;
	caller.has_cfa = evaluate(ops, nr, 0, &caller.cfa);
	caller.has_ra = find_register(frame, PC, caller.cfa, &caller.ra, &caller.is_outermost,
				      &is_ignored);
	caller.has_fp = find_register(frame, FP, caller.cfa, &caller.fp, &is_ignored,
				      &caller.is_fp_based);
	*caller_ret = caller;
	return true;
}

static struct caller follow_rule(const struct cpuprobe_rule *rule)
{
	struct caller caller = { .is_outermost = rule->kind == CPUPROBE_RULE_OUTERMOST };
	bool is_register = rule->kind == CPUPROBE_RULE_REGISTER;
	u64 base = registers[is_register ? rule->base : rule->base ? FP : SP], from;

	if (rule->kind == CPUPROBE_RULE_OUTERMOST || rule->kind == CPUPROBE_RULE_UNSUPPORTED)
		return caller;
	caller.has_cfa = caller.has_ra = true;
	caller.has_fp = rule->fp != CPUPROBE_SAVED_LOST;
	caller.cfa = base + rule->offset;
	if (rule->kind == CPUPROBE_RULE_DEREF || rule->kind == CPUPROBE_RULE_SIGNAL ||
	    rule->kind == CPUPROBE_RULE_REALIGNED)
		caller.cfa = memory(caller.cfa) + rule->add;
	if (rule->kind == CPUPROBE_RULE_PLT)
		caller.cfa += 8 * ((registers[PC] & 15) >= (u64)rule->add);
	from = rule->kind == CPUPROBE_RULE_SIGNAL ? base : caller.cfa;
	assert_int_equal(rule->ra, CPUPROBE_SAVED_STACK);
	caller.ra = memory(from + 8 * rule->ra_words);
	if (rule->kind == CPUPROBE_RULE_REALIGNED)
		from = base;
	caller.fp = rule->fp == CPUPROBE_SAVED_STACK ? memory(from + 8 * rule->fp_words) :
		registers[FP];
	return caller;
}

static size_t nr_compared, nr_refused, nr_unsupported, nr_without_fp;

static void compare_at(Dwarf_CFI *frames, const struct cpuprobe_rule *rule, u64 addr)
{
	Dwarf_Frame *frame = NULL;
	struct caller truth, ours;
	int error = dwarf_cfi_addrframe(frames, addr, &frame);

	assert_int_equal(error != 0, rule->kind == CPUPROBE_RULE_NONE);
	if (error)
		return;
	set_registers(addr);
	if (!ask_libdw(frame, &truth)) {
		free(frame);
		nr_refused++;
		return;
	}
	free(frame);
	ours = follow_rule(rule);
	nr_compared++;
	assert_int_equal(ours.is_outermost, truth.is_outermost);
	if (truth.is_outermost)
		return;
	assert_int_equal(ours.has_cfa, truth.has_cfa && truth.has_ra);
	if (!ours.has_cfa) {
		nr_unsupported++;
		return;
	}
	assert_int_equal(ours.cfa, truth.cfa);
	assert_int_equal(ours.ra, truth.ra);
	if (!ours.has_fp) {
		/* A place relative to a base that is not the CFA's has no form in a rule. */
		assert_true(!truth.has_fp || truth.is_fp_based);
		nr_without_fp++;
		return;
	}
	assert_true(truth.has_fp);
	assert_int_equal(ours.fp, truth.fp);
}

static void compare_table(const struct sym_unwind *unwind, Elf *elf, const struct sym_image *image)
{
	struct cfi cfi = { unwind->first_page, unwind->nr_pages, unwind->nr_rows, unwind->nr_rules,
			   unwind->pages, unwind->rows, unwind->rules };
	Dwarf_CFI *frames = dwarf_getcfi_elf(elf);
	u64 last = 0, addr;
	int byte;

	assert_non_null(frames);
	assert_int_equal(cfi_check(&cfi), 0);
	for (u32 page = 0; page < unwind->nr_pages; page++)
		for (u32 i = unwind->pages[page]; i < unwind->pages[page + 1]; i++) {
			u64 place = (u64)(unwind->first_page + page) << 16 | (u16)unwind->rows[i];

			if (i && sym_image_addr(image, place - 1, &addr))
				compare_at(frames, cfi_find(&cfi, place - 1), addr);
			if (i + 1 < unwind->nr_rows && sym_image_addr(image, place, &addr))
				compare_at(frames, cfi_find(&cfi, place), addr);
			/* The rule of linkage tables depends on the place. */
			for (byte = 1; byte < 16 && unwind->rules[unwind->rows[i] >> 16].kind ==
			     CPUPROBE_RULE_PLT; byte++)
				compare_at(frames, cfi_find(&cfi, place + byte), addr + byte);
			assert_true(!i || place > last);
			last = place;
		}
	dwarf_cfi_end(frames);
}

static void compare_file(const char *path)
{
	struct sym_unwind *unwind;
	struct sym_image image;
	struct sym_error error;
	int fd = open(path, O_RDONLY);
	Elf *elf;

	assert_true(fd >= 0);
	if (sym_unwind_create(fd, &unwind, &error))
		fail_msg("%s: %s", path, error.text);
	assert_int_equal(sym_image_read(fd, &image, &error), 0);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	nr_compared = nr_refused = nr_unsupported = nr_without_fp = 0;
	compare_table(unwind, elf, &image);
	print_message("%s: %u rows, %zu places, %zu unsupported, %zu without frame pointer, %zu refused by libdw\n",
		      path, unwind->nr_rows, nr_compared, nr_unsupported, nr_without_fp, nr_refused);
	elf_end(elf);
	sym_unwind_destroy(unwind);
	close(fd);
}

static char **given_files;

static void rows_of_given_files_agree_with_libdw(void **state)
{
	for (char **path = given_files; *path; path++)
		compare_file(*path);
}

static void rows_of_files_agree_with_libdw(void **state)
{
	struct sym_maps maps;

	assert_int_equal(sym_maps_read(getpid(), &maps), 0);
	for (size_t i = 0; i < maps.nr; i++)
		if (maps.maps[i].path[0] == '/')
			compare_file(maps.maps[i].path);
	sym_maps_deinit(&maps);
}

static void rows_of_the_vdso_agree_with_libdw(void **state)
{
	char *start = (char *)getauxval(AT_SYSINFO_EHDR), path[] = "/tmp/vdso-XXXXXX";
	struct sym_unwind *unwind;
	struct sym_maps maps;
	size_t len = 0;
	int fd;

	assert_int_equal(sym_maps_read(getpid(), &maps), 0);
	for (size_t i = 0; i < maps.nr; i++)
		if (maps.maps[i].start == (u64)start)
			len = maps.maps[i].end - maps.maps[i].start;
	sym_maps_deinit(&maps);
	if (!len)
		skip();
	assert_int_equal(sym_unwind_create_memory(start, len, &unwind, NULL), 0);
	assert_true(unwind->nr_rows > 10);
	assert_int_equal(unwind->first_page, 0);
	assert_int_equal(unwind->nr_malformed, 0);
	sym_unwind_destroy(unwind);
	fd = mkstemp(path);
	assert_int_equal(write(fd, start, len), len);
	close(fd);
	compare_file(path);
	unlink(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_files_agree_with_libdw),
		cmocka_unit_test(rows_of_the_vdso_agree_with_libdw),
	};

	const struct CMUnitTest given[] = {
		cmocka_unit_test(rows_of_given_files_agree_with_libdw),
	};

	elf_version(EV_CURRENT);
	given_files = argv + 1;
	return argc > 1 ? cmocka_run_group_tests(given, NULL, NULL) :
		cmocka_run_group_tests(tests, NULL, NULL);
}
