// SPDX-License-Identifier: GPL-2.0-only
/* Entries of call frame information: encodings, augmentations, sections, order and place of functions. */
#include "unit.h"
#include "frames.h"
#include <errno.h>
#include <zlib.h>

#define PCREL4 (DW_EH_PE_pcrel | DW_EH_PE_sdata4)
#define USUAL_RULES DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1

static struct frames f;

static void put_uleb(u64 number)
{
	for (; number > 0x7f; number >>= 7)
		OP(&f, (u8)(number | 0x80));
	OP(&f, (u8)number);
}

static void put_sleb(s64 number)
{
	for (; number < -64 || number > 63; number >>= 7)
		OP(&f, (u8)(number | 0x80));
	OP(&f, (u8)(number & 0x7f));
}

static void put_number(u8 format, u64 number)
{
	switch (format) {
	case DW_EH_PE_uleb128:
		put_uleb(number);
		break;
	case DW_EH_PE_sleb128:
		put_sleb(number);
		break;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		put(&f, number, 2);
		break;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		put(&f, number, 4);
		break;
	default:
		put(&f, number, 8);
	}
}

/* A function of 16 bytes, its addresses in some encoding. */
static void put_encoded(u8 encoding, u64 start)
{
	begin_common(&f, "zR", encoding);
	OP(&f, USUAL_RULES);
	end_entry(&f);
	begin_entry(&f);
	put_common_pointer(&f);
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		start -= FRAMES_ADDR + f.len;
	put_number(encoding & 0x0f, start);
	put_number(encoding & 0x0f, 16);
	OP(&f, 0, DW_CFA_nop);
	end_entry(&f);
}

static void every_encoding_is_read(void **state)
{
	const u8 formats[] = { DW_EH_PE_absptr, DW_EH_PE_uleb128, DW_EH_PE_udata4, DW_EH_PE_udata8,
			       DW_EH_PE_sleb128, DW_EH_PE_sdata4, DW_EH_PE_sdata8 };
	const u8 bases[] = { DW_EH_PE_absptr, DW_EH_PE_pcrel, DW_EH_PE_textrel, DW_EH_PE_datarel };

	for (size_t i = 0; i < sizeof(formats); i++)
		for (size_t j = 0; j < sizeof(bases); j++) {
			u8 encoding = formats[i] | bases[j];

			/* Unsigned numbers of 32 bits do not lead back. */
			if (encoding == (DW_EH_PE_udata4 | DW_EH_PE_pcrel))
				continue;
			put_encoded(encoding, CODE_ADDR + 0x123);
			ROWS(&f, { 0x123, FROM_SP(8) }, { 0x133, NONE });
		}
}

static void encodings_that_nobody_can_read_are_malformed(void **state)
{
	const u8 encodings[] = { DW_EH_PE_indirect | PCREL4, DW_EH_PE_funcrel | DW_EH_PE_udata4,
				 DW_EH_PE_aligned, DW_EH_PE_omit, 0x05, 0x0d, 0x60 };
	struct sym_unwind *unwind;

	for (size_t i = 0; i < sizeof(encodings); i++) {
		put_encoded(encodings[i], CODE_ADDR);
		put_encoded(PCREL4, CODE_ADDR + 0x100);
		assert_int_equal(compile_frames(&f, &unwind), 0);
		assert_int_equal(unwind->nr_malformed, 1);
		assert_int_equal(unwind->nr_functions, 1);
		sym_unwind_destroy(unwind);
	}
}

/* A common entry with augmentation @data of its length. */
static void put_augmented(const char *letters, const void *data, size_t len)
{
	begin_entry(&f);
	f.common = f.entry;
	put(&f, 0, 4);
	OP(&f, 1);
	put_bytes(&f, letters, strlen(letters) + 1);
	OP(&f, 1, 0x78, RA);
	if (letters[0] == 'z')
		OP(&f, (u8)len);
	put_bytes(&f, data, len);
	OP(&f, USUAL_RULES);
	end_entry(&f);
	f.encoding = strchr(letters, 'R') ? PCREL4 : DW_EH_PE_absptr;
	f.has_data = letters[0] == 'z';
}

static void augmentations_are_skipped(void **state)
{
	put_augmented("zPLR", (u8 []){ PCREL4 | DW_EH_PE_indirect, 1, 2, 3, 4, DW_EH_PE_omit, PCREL4 }, 7);
	FUNCTION(&f, 0, 16, DW_CFA_def_cfa_offset, 16);
	put_augmented("zRB", (u8 []){ PCREL4 }, 1);
	FUNCTION(&f, 16, 16, DW_CFA_def_cfa_offset, 24);
	put_augmented("zR!?", (u8 []){ PCREL4, 7, 7, 7 }, 4);	/* unknown letters */
	FUNCTION(&f, 32, 16, DW_CFA_def_cfa_offset, 32);
	put_augmented("z", "", 0);
	FUNCTION(&f, 48, 16, DW_CFA_def_cfa_offset, 40);
	put_augmented("", "", 0);
	FUNCTION(&f, 64, 16, DW_CFA_def_cfa_offset, 48);
	/* A function's augmentation data is no program. */
	put_augmented("zRL", (u8 []){ PCREL4, DW_EH_PE_udata4 }, 2);
	begin_function(&f, 80, 16);
	f.bytes[f.len - 1] = 4;
	OP(&f, 0xff, 0xff, 0xff, 0xff, DW_CFA_def_cfa_offset, 56);
	end_entry(&f);
	ROWS(&f, { 0, FROM_SP(16) }, { 16, FROM_SP(24) }, { 32, FROM_SP(32) }, { 48, FROM_SP(40) },
	     { 64, FROM_SP(48) }, { 80, FROM_SP(56) }, { 96, NONE });
}

static void malformed_common_entries_take_their_functions(void **state)
{
	struct sym_unwind *unwind;
	const struct {
		const char *letters;
		u8 data[2];
		size_t len;
	} bad[] = {
		{ "eh", { 0 }, 2 },
		{ "R", { PCREL4 }, 1 },
		{ "z!R", { PCREL4 }, 1 },	/* where is the encoding? */
		{ "zR", { 0 }, 0 },
		{ "zPR", { DW_EH_PE_udata4, 0 }, 2 },
		{ "zLR", { 0 }, 1 },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put_augmented(bad[i].letters, bad[i].data, bad[i].len);
		FUNCTION(&f, 0, 16, DW_CFA_nop);
		put_common(&f);
		FUNCTION(&f, 32, 16, DW_CFA_nop);
		assert_int_equal(compile_frames(&f, &unwind), 0);
		assert_int_equal(unwind->nr_malformed, 2);
		assert_int_equal(unwind->nr_functions, 1);
		sym_unwind_destroy(unwind);
	}
	/* Versions: 1 and 3 are in use. */
	for (int version = 0; version < 6; version++) {
		put_common(&f);
		f.bytes[f.common + 8] = version;
		FUNCTION(&f, 0, 16, DW_CFA_nop);
		assert_int_equal(compile_frames(&f, &unwind), version == 1 || version == 3 ? 0 : -ENODATA);
		if (version == 1 || version == 3)
			sym_unwind_destroy(unwind);
	}
}

static void lengths_and_pointers_that_lead_nowhere(void **state)
{
	struct sym_unwind *unwind;
	size_t first;

	put_common(&f);
	FUNCTION(&f, 0, 16, DW_CFA_nop);
	first = f.entry;
	FUNCTION(&f, 32, 0, DW_CFA_nop);		/* empty */
	put(&f, 0, 4);					/* end of an object file's part */
	for (int i = 0; i < 4; i++) {
		const u32 distances[] = { 1, 8, 0xffffffff, 0x80000000 };

		begin_entry(&f);
		put(&f, i == 1 ? f.len - first : distances[i], 4);	/* a function; outside; itself */
		put(&f, 0, 8);
		end_entry(&f);
	}
	begin_entry(&f);
	OP(&f, 1, 2);				/* too short for anything */
	end_entry(&f);
	FUNCTION(&f, 64, 16, DW_CFA_nop);
	begin_entry(&f);			/* too short for a range */
	put_common_pointer(&f);
	put(&f, 0, 7);
	end_entry(&f);
	begin_entry(&f);			/* augmentation beyond the end */
	put_common_pointer(&f);
	put(&f, 0, 8);
	OP(&f, 1);
	end_entry(&f);
	FUNCTION(&f, 96, 16, DW_CFA_nop);
	f.bytes[f.entry]++;			/* beyond the end of the section */
	assert_int_equal(compile_frames(&f, &unwind), 0);
	assert_int_equal(unwind->nr_functions, 2);
	assert_int_equal(unwind->nr_malformed, 8);
	assert_int_equal(unwind->nr_rows, 4);
	sym_unwind_destroy(unwind);
}

static void entries_with_64_bit_lengths(void **state)
{
	put(&f, 0xffffffff, 4);
	put(&f, 22, 8);
	put(&f, 0, 8);
	OP(&f, 1, 'z', 'R', 0, 1, 0x78, RA, 1, PCREL4, USUAL_RULES);
	put(&f, 0xffffffff, 4);
	put(&f, 17, 8);
	put(&f, f.len, 8);
	put(&f, CODE_ADDR - FRAMES_ADDR - f.len, 4);
	put(&f, 16, 4);
	OP(&f, 0);
	ROWS(&f, { 0, FROM_SP(8) }, { 16, NONE });
}

static void sections_for_debuggers(void **state)
{
	struct sym_unwind *unwind;

	for (int version = 1; version <= 4; version++) {
		f.is_debug_frame = true;
		begin_entry(&f);
		f.common = f.entry;
		f.encoding = DW_EH_PE_absptr;
		f.has_data = false;
		put(&f, 0xffffffff, 4);
		OP(&f, (u8)version, 0);
		if (version == 4)
			OP(&f, 8, 0);
		OP(&f, 1, 0x78, RA, USUAL_RULES);
		end_entry(&f);
		FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
		if (version != 2)
			ROWS(&f, { 0x20, FROM_SP(8) }, { 0x30, NONE });
		else
			assert_int_equal(compile_frames(&f, &unwind), -ENODATA);
	}
	/* Returns from signal handlers. */
	f.is_debug_frame = true;
	begin_common(&f, "S", DW_EH_PE_absptr);
	EXPRESSION(&f, DW_CFA_def_cfa_expression, -1, DW_OP_breg7, 8, DW_OP_deref);
	EXPRESSION(&f, DW_CFA_expression, RA, DW_OP_breg7, 16);
	end_entry(&f);
	FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
	ROWS(&f, { 0x20, { .kind = CPUPROBE_RULE_SIGNAL, .offset = 8, .ra = CPUPROBE_SAVED_STACK,
			   .ra_words = 2 } }, { 0x30, NONE });
	/* Other sizes of addresses and segments. */
	for (int i = 0; i < 2; i++) {
		f.is_debug_frame = true;
		begin_entry(&f);
		put(&f, 0xffffffff, 4);
		OP(&f, 4, 0, i ? 8 : 4, (u8)i, 1, 0x78, RA, USUAL_RULES);
		end_entry(&f);
		FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
		assert_int_equal(compile_frames(&f, &unwind), -ENODATA);
	}
}

/* Replace the section by its compressed form, which claims the size @claimed. */
static void pack(struct frames *frames, u64 claimed)
{
	uLongf len = compressBound(frames->len);
	Elf64_Chdr *packed = calloc(1, sizeof(*packed) + len);

	assert_non_null(packed);
	*packed = (Elf64_Chdr){ .ch_type = ELFCOMPRESS_ZLIB, .ch_size = claimed, .ch_addralign = 8 };
	assert_int_equal(compress((Bytef *)(packed + 1), &len, frames->bytes, frames->len), Z_OK);
	free(frames->bytes);
	frames->bytes = (u8 *)packed;
	frames->len = sizeof(*packed) + len;
}

/* Go's compiler compresses the section for debuggers. */
static void compressed_sections_are_read(void **state)
{
	struct sym_unwind *unwind = NULL;
	struct sym_error reason;
	size_t len;
	u8 *object;

	/* The size that it has, one that it has not, and more than may be read. */
	for (int i = 0; i < 3; i++) {
		f.is_debug_frame = true;
		begin_entry(&f);
		f.common = f.entry;
		f.encoding = DW_EH_PE_absptr;
		f.has_data = false;
		put(&f, 0xffffffff, 4);
		OP(&f, 3, 0, 1, 0x78, RA, USUAL_RULES);
		end_entry(&f);
		FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
		pack(&f, i == 0 ? f.len : i == 1 ? f.len - 1 : 1ULL << 40);
		object = make_object(&f, ".debug_frame", SHF_COMPRESSED, &len);
		assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), i ? -ENODATA : 0);
		if (!i) {
			assert_int_equal(unwind->nr_rows, 2);
			assert_int_equal(unwind->rules[unwind->rows[0] >> 16].kind, CPUPROBE_RULE_CFA);
			sym_unwind_destroy(unwind);
			unwind = NULL;
		}
		free(object);
		free(f.bytes);
		memset(&f, 0, sizeof(f));
	}
	assert_null(unwind);
}

/* The vdso of arm64 has no call frame information, but code to which signal handlers return. */
static void returns_from_signals_are_found(void **state)
{
	static const u8 code[] = { 0x1f, 0x20, 0x03, 0xd5, 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };
	struct sym_unwind *unwind = NULL;
	struct sym_error reason;
	size_t len, i;
	u64 place;
	u8 *object;

	for (i = 0; i < 8; i++)
		put(&f, 0xd503201f, 4);
	for (i = 0; i < sizeof(code); i++)
		OP(&f, code[i]);
	put(&f, 0xd65f03c0, 4);
	object = make_object(&f, ".text", 0, &len);
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENODATA);
	((Elf64_Ehdr *)object)->e_machine = EM_AARCH64;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), 0);
	place = (u8 *)memmem(object, len, code, sizeof(code)) - object;
	assert_int_equal(unwind->nr_rows, 2);
	assert_int_equal(unwind->rows[0] & 0xffff, place & 0xffff);
	assert_int_equal(unwind->rules[unwind->rows[0] >> 16].kind, CPUPROBE_RULE_SIGNAL);
	assert_int_equal(unwind->rows[1] & 0xffff, (place + sizeof(code)) & 0xffff);
	assert_int_equal(unwind->rules[unwind->rows[1] >> 16].kind, CPUPROBE_RULE_NONE);
	assert_int_equal(unwind->nr_functions, 1);
	sym_unwind_destroy(unwind);
	/* other code */
	((u8 *)memmem(object, len, code, sizeof(code)))[5] = 0x10;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENODATA);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

static void sections_that_are_of_no_use(void **state)
{
	struct sym_unwind *unwind = NULL;
	struct sym_error reason;
	size_t len;
	u8 *object;

	put_common(&f);
	FUNCTION(&f, 0, 16, DW_CFA_nop);
	object = make_object(&f, ".eh_frame", SHF_COMPRESSED, &len);
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENODATA);
	assert_string_equal(reason.text, "no call frame information");
	free(object);
	object = make_object(&f, ".text", 0, &len);
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENODATA);
	free(object);
	object = make_object(&f, ".eh_frame", 0, &len);
	((Elf64_Ehdr *)object)->e_machine = EM_S390;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENOEXEC);
	((Elf64_Ehdr *)object)->e_machine = EM_X86_64;
	((Elf64_Phdr *)(object + sizeof(Elf64_Ehdr)))->p_flags = PF_R;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENOEXEC);
	assert_int_equal(sym_unwind_create_memory(object, 3, &unwind, &reason), -ENOEXEC);
	assert_int_equal(sym_unwind_create_memory(object, 0, &unwind, &reason), -ENOEXEC);
	assert_null(unwind);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

static void functions_in_any_order_and_overlapping(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0x80, 0x10, DW_CFA_def_cfa_offset, 16);
	FUNCTION(&f, 0x00, 0x40, DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc | 0x18,
		 DW_CFA_def_cfa_offset, 32);
	FUNCTION(&f, 0x10, 0x08, DW_CFA_def_cfa_offset, 40);	/* inside the former, and cuts it */
	FUNCTION(&f, 0x88, 0x10, DW_CFA_def_cfa_offset, 48);
	FUNCTION(&f, 0x60, 0x10, DW_CFA_def_cfa_offset, 56);
	FUNCTION(&f, 0x60, 0x20, DW_CFA_def_cfa_offset, 64);	/* the first one counts */
	ROWS(&f, { 0, FROM_SP(24) }, { 0x10, FROM_SP(40) }, { 0x18, NONE }, { 0x60, FROM_SP(56) },
	     { 0x70, NONE }, { 0x80, FROM_SP(16) }, { 0x88, FROM_SP(48) }, { 0x98, NONE });
}

static void functions_outside_the_code(void **state)
{
	put_common(&f);
	FUNCTION(&f, -1ULL, 16, DW_CFA_nop);
	FUNCTION(&f, -(u64)CODE_ADDR, 16, DW_CFA_nop);	/* removed by the linker */
	FUNCTION(&f, CODE_LEN, 16, DW_CFA_nop);
	FUNCTION(&f, CODE_LEN - 16, 0xffffffff, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 16,
		 DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 24);
	ROWS(&f, { CODE_LEN - 16, FROM_SP(8) }, { CODE_LEN - 8, FROM_SP(16) }, { CODE_LEN, NONE });
	put_common(&f);
	FUNCTION(&f, CODE_LEN - 16, 17, DW_CFA_nop);
	ROWS(&f, { CODE_LEN - 16, FROM_SP(8) }, { CODE_LEN, NONE });
}

/* Two executable segments, whose order in the file is not that of their addresses. */
static void segments_tell_the_place_in_the_file(void **state)
{
	struct sym_unwind *unwind;
	struct sym_error reason;
	Elf64_Phdr *segment;
	size_t len;
	u8 *object;

	put_common(&f);
	FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x1000, 0x10, DW_CFA_def_cfa_offset, 16);
	object = make_object(&f, ".eh_frame", 0, &len);
	((Elf64_Ehdr *)object)->e_phnum = 3;
	segment = (Elf64_Phdr *)(object + sizeof(Elf64_Ehdr));
	segment[1] = segment[2] = segment[0];
	segment[0].p_filesz = segment[0].p_memsz = 0x1000;
	segment[0].p_offset = 0x21000;
	segment[1].p_vaddr += 0x1000;
	segment[1].p_filesz = segment[1].p_memsz = 8;
	segment[1].p_offset = 0x500;
	segment[2].p_vaddr += 0x1000;
	segment[2].p_flags = PF_R;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), 0);
	assert_int_equal(unwind->nr_rows, 4);
	assert_int_equal(unwind->first_page, 0);
	assert_int_equal(unwind->nr_pages, 3);
	assert_int_equal(unwind->rows[0] & 0xffff, 0x500);
	assert_int_equal(unwind->rows[1] & 0xffff, 0x508);
	assert_int_equal(unwind->rows[2] & 0xffff, 0x1020);
	assert_int_equal(unwind->rules[unwind->rows[0] >> 16].offset, 16);
	assert_int_equal(unwind->pages[1], 2);
	assert_int_equal(unwind->pages[2], 2);
	assert_int_equal(unwind->pages[3], 4);
	sym_unwind_destroy(unwind);
	/* A segment that the file does not contain, in part or at all. */
	segment[1].p_offset = len - 4;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), 0);
	assert_int_equal(unwind->code_len, 0x10 + 4);
	assert_int_equal(unwind->rows[3] & 0xffff, len & 0xffff);
	sym_unwind_destroy(unwind);
	segment[1].p_offset = len;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), 0);
	assert_int_equal(unwind->nr_functions, 1);
	sym_unwind_destroy(unwind);
	segment[1].p_offset = segment[0].p_offset = UINT64_MAX - 0x10;
	assert_int_equal(sym_unwind_create_memory(object, len, &unwind, &reason), -ENODATA);
	assert_string_equal(reason.text, "no call frame information for any code");
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_encoding_is_read),
		cmocka_unit_test(encodings_that_nobody_can_read_are_malformed),
		cmocka_unit_test(augmentations_are_skipped),
		cmocka_unit_test(malformed_common_entries_take_their_functions),
		cmocka_unit_test(lengths_and_pointers_that_lead_nowhere),
		cmocka_unit_test(entries_with_64_bit_lengths),
		cmocka_unit_test(sections_for_debuggers),
		cmocka_unit_test(compressed_sections_are_read),
		cmocka_unit_test(returns_from_signals_are_found),
		cmocka_unit_test(sections_that_are_of_no_use),
		cmocka_unit_test(functions_in_any_order_and_overlapping),
		cmocka_unit_test(functions_outside_the_code),
		cmocka_unit_test(segments_tell_the_place_in_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
