/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An assembler of call frame information, and a shared object in memory around it. Code of the
 * object is at CODE_ADDR, its first byte at CODE_OFFSET of the file; the information is at FRAMES_ADDR.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include <dwarf.h>
#include <elf.h>

#include "cfi.h"
#include "sym_unwind.h"

#define CODE_OFFSET	0x12000
#define CODE_ADDR	0x401000
#define CODE_LEN	0x30000
#define FRAMES_ADDR	0x800000

enum { RAX = 0, FP = 6, SP = 7, R10 = 10, RA = 16, XMM0 = 17 };	/* registers of x86-64 */
enum { ARM64_FP = 29, ARM64_LR = 30, ARM64_SP = 31 };

struct frames {
	u8 *bytes;
	size_t len;
	size_t max;
	size_t entry;		/* position of the entry's length */
	size_t common;		/* position of the last common entry */
	u8 encoding;
	bool has_data;
	bool is_debug_frame;
	u16 machine;		/* 0: x86-64 */
	const u32 *linkage;	/* instructions of a linkage table; NULL: there is none */
	size_t nr_linkage;
	u64 linkage_place;	/* from the beginning of the code */
};

static inline void put_bytes(struct frames *frames, const void *bytes, size_t len)
{
	if (frames->len + len > frames->max) {
		frames->max = 2 * (frames->len + len);
		frames->bytes = realloc(frames->bytes, frames->max);
		assert_non_null(frames->bytes);
	}
	memcpy(frames->bytes + frames->len, bytes, len);
	frames->len += len;
}

static inline void put(struct frames *frames, u64 word, size_t len)
{
	put_bytes(frames, &word, len);
}

/* Instructions with operands of a byte each. */
#define OP(frames, ...) do {						\
	const u8 op_[] = { __VA_ARGS__ };				\
	put_bytes(frames, op_, sizeof(op_));				\
} while (0)

/* An instruction, a register unless it is negative, and an expression. */
#define EXPRESSION(frames, code, number, ...) do {			\
	const u8 expression_[] = { __VA_ARGS__ };			\
	OP(frames, code);						\
	if ((number) >= 0)						\
		OP(frames, (u8)(number));				\
	OP(frames, sizeof(expression_));				\
	put_bytes(frames, expression_, sizeof(expression_));		\
} while (0)

static inline void begin_entry(struct frames *frames)
{
	frames->entry = frames->len;
	put(frames, 0, 4);
}

static inline void end_entry(struct frames *frames)
{
	u32 len = frames->len - frames->entry - 4;

	memcpy(frames->bytes + frames->entry, &len, 4);
}

/* A common entry up to its instructions: code factor 1, data factor -8. */
static inline void begin_common(struct frames *frames, const char *letters, u8 encoding)
{
	begin_entry(frames);
	frames->common = frames->entry;
	frames->encoding = encoding;
	frames->has_data = letters[0] == 'z';
	put(frames, frames->is_debug_frame ? 0xffffffff : 0, 4);
	OP(frames, 1);
	put_bytes(frames, letters, strlen(letters) + 1);
	OP(frames, 1, 0x78, frames->machine == EM_AARCH64 ? ARM64_LR : RA);
	if (!frames->has_data)
		return;
	OP(frames, letters[1] == 'R');
	if (letters[1] == 'R')
		OP(frames, encoding);
}

/* The usual common entry: at a function's entry, CFA = sp + 8, return address at CFA - 8. */
static inline void put_common(struct frames *frames)
{
	begin_common(frames, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(frames, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1, DW_CFA_nop, DW_CFA_nop);
	end_entry(frames);
}

static inline void put_common_pointer(struct frames *frames)
{
	put(frames, frames->is_debug_frame ? frames->common : frames->len - frames->common, 4);
}

/* A function up to its instructions; @start counts from the beginning of the code. */
static inline void begin_function(struct frames *frames, u64 start, u64 len)
{
	bool is_short = frames->encoding == (DW_EH_PE_pcrel | DW_EH_PE_sdata4);

	begin_entry(frames);
	put_common_pointer(frames);
	start += CODE_ADDR;
	if (frames->encoding & DW_EH_PE_pcrel)
		start -= FRAMES_ADDR + frames->len;
	put(frames, start, is_short ? 4 : 8);
	put(frames, len, is_short ? 4 : 8);
	if (frames->has_data)
		OP(frames, 0);
}

#define FUNCTION(frames, start, len, ...) do {				\
	begin_function(frames, start, len);				\
	OP(frames, __VA_ARGS__);					\
	end_entry(frames);						\
} while (0)

/* Put an object around the information, with 64 KiB and more before the code. The caller frees it. */
static inline u8 *make_object(const struct frames *frames, const char *section, u64 flags,
			      size_t *len_ret)
{
	const size_t at = CODE_OFFSET + CODE_LEN, names_at = (at + frames->len + 7) & ~7UL;
	size_t len = names_at + 64 + 4 * sizeof(Elf64_Shdr), linkage_len = frames->nr_linkage * sizeof(u32);
	u64 place = CODE_OFFSET + frames->linkage_place;
	u8 *object = calloc(1, len);
	Elf64_Ehdr *header = (Elf64_Ehdr *)object;
	Elf64_Phdr *segment = (Elf64_Phdr *)(header + 1);
	Elf64_Shdr *sections = (Elf64_Shdr *)(object + names_at + 64);

	assert_non_null(object);
	*header = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = frames->machine ?: EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(*header), .e_phoff = sizeof(*header), .e_phnum = 1,
		.e_phentsize = sizeof(*segment), .e_shentsize = sizeof(*sections),
		.e_shnum = frames->linkage ? 4 : 3,
		.e_shoff = names_at + 64, .e_shstrndx = 2,
	};
	*segment = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = CODE_OFFSET, .p_vaddr = CODE_ADDR,
		.p_filesz = CODE_LEN, .p_memsz = CODE_LEN,
	};
	sections[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = FRAMES_ADDR,
				    .sh_flags = flags, .sh_offset = at, .sh_size = frames->len };
	sections[2] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = names_at,
				    .sh_size = 64 };
	sections[3] = (Elf64_Shdr){ .sh_name = 32, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				    .sh_addr = CODE_ADDR + frames->linkage_place, .sh_offset = place,
				    .sh_size = linkage_len };
	memcpy(object + at, frames->bytes, frames->len);
	if (frames->linkage)
		memcpy(object + place, frames->linkage, linkage_len);
	strcpy((char *)object + names_at + 1, section);
	strcpy((char *)object + names_at + 32, ".plt");
	*len_ret = len;
	return object;
}

/* Compile the information, and free it. */
static inline int compile_frames(struct frames *frames, struct sym_unwind **ret)
{
	struct sym_error reason;
	size_t len;
	u8 *object = make_object(frames, frames->is_debug_frame ? ".debug_frame" : ".eh_frame", 0, &len);
	int error = sym_unwind_create_memory(object, len, ret, &reason);

	free(object);
	free(frames->bytes);
	memset(frames, 0, sizeof(*frames));
	return error;
}

static inline struct cfi cfi_of(const struct sym_unwind *unwind)
{
	return (struct cfi){ unwind->first_page, unwind->nr_pages, unwind->nr_rows, unwind->nr_rules,
			     unwind->pages, unwind->rows, unwind->rules };
}

/* A row; the place counts from the beginning of the code. */
struct row {
	u64 place;
	struct cpuprobe_rule rule;
};

/* Require that the information compiles to these rows and no others. */
static inline void require_rows(struct frames *frames, const struct row *rows, size_t nr)
{
	struct sym_unwind *unwind;
	struct cfi cfi;
	size_t i = 0;

	assert_int_equal(compile_frames(frames, &unwind), 0);
	cfi = cfi_of(unwind);
	assert_int_equal(cfi_check(&cfi), 0);
	assert_int_equal(unwind->nr_rows, nr);
	for (u32 page = 0; page < unwind->nr_pages; page++)
		for (; i < unwind->pages[page + 1]; i++) {
			u64 place = (u64)(unwind->first_page + page) << 16 | (u16)unwind->rows[i];

			assert_int_equal(place, CODE_OFFSET + rows[i].place);
			assert_memory_equal(&unwind->rules[unwind->rows[i] >> 16], &rows[i].rule,
					    sizeof(rows[i].rule));
		}
	sym_unwind_destroy(unwind);
}

#define ROWS(frames, ...) do {						\
	const struct row rows_[] = { __VA_ARGS__ };			\
	require_rows(frames, rows_, sizeof(rows_) / sizeof(rows_[0]));	\
} while (0)

/* Rules: the return address is the word below the CFA. */
#define NONE		{ .kind = CPUPROBE_RULE_NONE }
#define UNSUPPORTED	{ .kind = CPUPROBE_RULE_UNSUPPORTED }
#define OUTERMOST	{ .kind = CPUPROBE_RULE_OUTERMOST }
#define RA_ABOVE	.ra = CPUPROBE_SAVED_STACK, .ra_words = -1
#define FP_AT(words)	.fp = CPUPROBE_SAVED_STACK, .fp_words = (words)
#define FP_LOST		.fp = CPUPROBE_SAVED_LOST
#define FROM_SP(bytes, ...) { .kind = CPUPROBE_RULE_CFA, .offset = (bytes), RA_ABOVE, ##__VA_ARGS__ }
#define FROM_FP(bytes, ...) FROM_SP(bytes, .base = 1, ##__VA_ARGS__)
#define DEREF(from, bytes, addend, ...) { .kind = CPUPROBE_RULE_DEREF, .base = (from) == FP, \
	.offset = (bytes), .add = (addend), RA_ABOVE, ##__VA_ARGS__ }
#define REALIGNED(bytes, words) { .kind = CPUPROBE_RULE_REALIGNED, .base = 1, .offset = (bytes), \
	FP_AT(words), RA_ABOVE }
#define REGISTER(number, bytes) { .kind = CPUPROBE_RULE_REGISTER, .base = (number), .offset = (bytes), \
	RA_ABOVE }

#endif
