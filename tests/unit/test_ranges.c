// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of functions from call frame information: their order, linkage tables, and a real file. */
#include "unit.h"
#include "frames.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sym_ranges.h"

static struct frames f;

static int file_of(const u8 *bytes, size_t len)
{
	int fd = memfd_create("object", MFD_CLOEXEC);

	assert_int_equal(write(fd, bytes, len), len);
	return fd;
}

static int create_from(const u8 *object, size_t len, struct sym_ranges **ret)
{
	struct sym_error reason;
	int fd = file_of(object, len), error = sym_ranges_create(fd, ret, &reason);

	close(fd);
	return error;
}

/* The ranges of the information, which is freed. */
static struct sym_ranges *ranges_of(struct frames *frames)
{
	struct sym_ranges *ranges;
	size_t len;
	u8 *object = make_object(frames, ".eh_frame", 0, &len);

	assert_int_equal(create_from(object, len, &ranges), 0);
	free(object);
	free(frames->bytes);
	memset(frames, 0, sizeof(*frames));
	return ranges;
}

/* Require that [@start, @end) of the code, and nothing around it, is one range. */
static void require_range(const struct sym_ranges *ranges, u64 start, u64 end)
{
	u64 low, high;

	for (u64 addr = start; addr < end; addr++) {
		assert_true(sym_ranges_find(ranges, CODE_ADDR + addr, &low, &high));
		assert_int_equal(low, CODE_ADDR + start);
		assert_int_equal(high, CODE_ADDR + end);
	}
	if (sym_ranges_find(ranges, CODE_ADDR + end, &low, &high))
		assert_int_equal(low, CODE_ADDR + end);
	if (sym_ranges_find(ranges, CODE_ADDR + start - 1, &low, &high))
		assert_int_equal(high, CODE_ADDR + start);
}

static void require_none(const struct sym_ranges *ranges, u64 addr)
{
	u64 low = 1, high = 2;

	assert_false(sym_ranges_find(ranges, addr, &low, &high));
	assert_true(low == 1 && high == 2);
}

static void ranges_in_any_order_and_overlapping(void **state)
{
	struct sym_ranges *ranges;

	put_common(&f);
	FUNCTION(&f, 0x80, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x00, 0x40, DW_CFA_nop);
	FUNCTION(&f, 0x10, 0x08, DW_CFA_nop);	/* inside the former, and cuts it */
	FUNCTION(&f, 0x88, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x60, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x60, 0x20, DW_CFA_nop);	/* the first one counts */
	FUNCTION(&f, CODE_LEN - 8, 0x20, DW_CFA_nop);	/* ends with the segment */
	FUNCTION(&f, CODE_LEN, 0x20, DW_CFA_nop);	/* no code */
	ranges = ranges_of(&f);
	assert_int_equal(sym_ranges_size(ranges), 6);
	require_range(ranges, 0, 0x10);
	require_range(ranges, 0x10, 0x18);
	require_range(ranges, 0x60, 0x70);
	require_range(ranges, 0x80, 0x88);
	require_range(ranges, 0x88, 0x98);
	require_range(ranges, CODE_LEN - 8, CODE_LEN);
	require_none(ranges, CODE_ADDR - 1);
	require_none(ranges, CODE_ADDR + 0x18);
	require_none(ranges, CODE_ADDR + 0x5f);
	require_none(ranges, CODE_ADDR + 0x98);
	require_none(ranges, CODE_ADDR + CODE_LEN);
	require_none(ranges, 0);
	require_none(ranges, UINT64_MAX);
	sym_ranges_destroy(ranges);
	sym_ranges_destroy(NULL);
}

/* By address, though two segments are in another order in the file. */
static void ranges_are_sorted_by_address(void **state)
{
	struct sym_ranges *ranges;
	Elf64_Phdr *segment;
	size_t len;
	u8 *object;

	put_common(&f);
	FUNCTION(&f, 0x20, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x1000, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x2000, 0x10, DW_CFA_nop);
	object = make_object(&f, ".eh_frame", 0, &len);
	((Elf64_Ehdr *)object)->e_phnum = 2;
	segment = (Elf64_Phdr *)(object + sizeof(Elf64_Ehdr));
	segment[1] = segment[0];
	segment[0].p_filesz = segment[0].p_memsz = 0x1000;
	segment[0].p_offset = 0x21000;
	segment[1].p_vaddr += 0x1000;
	segment[1].p_filesz = segment[1].p_memsz = 0x1008;
	segment[1].p_offset = 0x500;
	assert_int_equal(create_from(object, len, &ranges), 0);
	assert_int_equal(sym_ranges_size(ranges), 3);
	require_range(ranges, 0x20, 0x30);
	require_range(ranges, 0x1000, 0x1010);
	require_range(ranges, 0x2000, 0x2008);
	sym_ranges_destroy(ranges);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

/* Put a section of code named @name over [@start, @end) of the code. The caller frees the result. */
static u8 *add_section(u8 *object, size_t *len, const char *name, u64 start, u64 end)
{
	Elf64_Ehdr *header;
	Elf64_Shdr *sections;
	char *names;

	object = realloc(object, *len + sizeof(*sections));
	assert_non_null(object);
	header = (Elf64_Ehdr *)object;
	sections = (Elf64_Shdr *)(object + header->e_shoff);
	names = (char *)object + sections[2].sh_offset;
	sections[header->e_shnum] = (Elf64_Shdr){
		.sh_name = 16 * (header->e_shnum - 2), .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = CODE_ADDR + start,
		.sh_offset = CODE_OFFSET + start, .sh_size = end - start,
	};
	strcpy(names + sections[header->e_shnum].sh_name, name);
	header->e_shnum++;
	*len += sizeof(*sections);
	return object;
}

static void linkage_tables_have_names_of_their_own(void **state)
{
	struct sym_ranges *ranges;
	size_t len;
	u8 *object;

	put_common(&f);
	FUNCTION(&f, 0x00, 0x40, DW_CFA_nop);
	FUNCTION(&f, 0x40, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x50, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x60, 0x10, DW_CFA_nop);
	object = make_object(&f, ".eh_frame", 0, &len);
	object = add_section(object, &len, ".plt", 0, 0x40);
	object = add_section(object, &len, ".plt.sec", 0x48, 0x60);
	object = add_section(object, &len, ".text.plt", 0x60, 0x70);
	assert_int_equal(create_from(object, len, &ranges), 0);
	assert_int_equal(sym_ranges_size(ranges), 2);
	require_none(ranges, CODE_ADDR);
	require_none(ranges, CODE_ADDR + 0x3f);
	require_range(ranges, 0x40, 0x50);
	require_none(ranges, CODE_ADDR + 0x50);
	require_range(ranges, 0x60, 0x70);
	sym_ranges_destroy(ranges);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

static void files_without_ranges(void **state)
{
	struct sym_ranges *ranges = NULL;
	struct sym_error reason;
	size_t len;
	u8 *object;
	int fd;

	put_common(&f);
	FUNCTION(&f, 0x10, 0x10, DW_CFA_nop);
	object = make_object(&f, ".text", 0, &len);
	assert_int_equal(create_from(object, len, &ranges), -ENODATA);
	assert_int_equal(create_from(object, 3, &ranges), -ENOEXEC);
	free(object);
	/* Linkage tables only. */
	object = make_object(&f, ".eh_frame", 0, &len);
	object = add_section(object, &len, ".plt", 0, 0x40);
	fd = file_of(object, len);
	assert_int_equal(sym_ranges_create(fd, &ranges, &reason), -ENODATA);
	assert_string_equal(reason.text, "no call frame information for any function");
	close(fd);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
	assert_null(ranges);
}

static void a_range_ends_before_the_last_address(void **state)
{
	struct sym_ranges *ranges;
	Elf64_Phdr *segment;
	size_t len;
	u8 *object;
	u64 low, high;

	begin_common(&f, "zR", DW_EH_PE_absptr);
	end_entry(&f);
	FUNCTION(&f, -(u64)CODE_ADDR - 0x100, 0x10, DW_CFA_nop);
	FUNCTION(&f, -(u64)CODE_ADDR - 0x40, 0x80, DW_CFA_nop);	/* would end at 0x40 */
	object = make_object(&f, ".eh_frame", 0, &len);
	segment = (Elf64_Phdr *)(object + sizeof(Elf64_Ehdr));
	segment->p_vaddr = -0x1000ULL;
	segment->p_memsz = 0x800;
	assert_int_equal(create_from(object, len, &ranges), 0);
	assert_int_equal(sym_ranges_size(ranges), 1);
	assert_true(sym_ranges_find(ranges, -0x100ULL, &low, &high));
	assert_true(low == -0x100ULL && high == -0xf0ULL);
	require_none(ranges, -0x20ULL);
	sym_ranges_destroy(ranges);
	free(object);
	free(f.bytes);
	memset(&f, 0, sizeof(f));
}

/* This program: the start of a function's range is that of its symbol. */
static void functions_of_a_real_file(void **state)
{
	static const char *const names[] = { "functions_of_a_real_file", "ranges_are_sorted_by_address",
					     "files_without_ranges", "main" };
	int fd = open("/proc/self/exe", O_RDONLY);
	struct sym_ranges *ranges;
	struct sym_index *index;
	u64 addr, low, high;

	assert_int_equal(sym_ranges_create(fd, &ranges, NULL), 0);
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	close(fd);
	assert_true(sym_ranges_size(ranges) >= 10);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(sym_index_by_name(index, names[i], &addr));
		assert_true(sym_ranges_find(ranges, addr, &low, &high));
		assert_true(low == addr);
		assert_true(high == sym_index_find(index, addr)->end);
		assert_true(sym_ranges_find(ranges, high - 1, &low, &high) && low == addr);
	}
	/* The C library's functions are called through a table of this program. */
	assert_true(sym_index_by_name(index, "memfd_create@plt", &addr));
	require_none(ranges, addr);
	sym_index_destroy(index);
	sym_ranges_destroy(ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_in_any_order_and_overlapping),
		cmocka_unit_test(ranges_are_sorted_by_address),
		cmocka_unit_test(linkage_tables_have_names_of_their_own),
		cmocka_unit_test(files_without_ranges),
		cmocka_unit_test(a_range_ends_before_the_last_address),
		cmocka_unit_test(functions_of_a_real_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
