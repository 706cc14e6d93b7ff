// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files made so that readers of them would take hours, or gigabytes: too large for fuzzing
 * (tests/fuzz), whose files have 80 KB. A test that takes a minute is killed.
 */
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "internal.h"
#include "rows.h"
#include "save.h"
#include "verify.h"

/* Of the address sanitizer, whose header gcc does not bring. */
size_t __sanitizer_get_current_allocated_bytes(void);

static int memfd_of(const void *bytes, size_t len)
{
	int fd = memfd_create("input", 0);

	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* 20,000 symbols at one address, their names the ends of one name of a megabyte. */
static void names_share_their_end(void **state)
{
	enum { NR = 20000, NAMES = 1 << 20 };
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[4];
		Elf64_Sym syms[NR];
		char names[NAMES];
	} *file = calloc(1, sizeof(*file));
	struct sym_index *index;
	uint64_t addr;
	int fd;

	(void)state;
	file->header = (Elf64_Ehdr){
		.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = offsetof(typeof(*file), sections), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4,
	};
	file->sections[1] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_addr = 4096, .sh_size = 64,
					  .sh_flags = SHF_ALLOC | SHF_EXECINSTR };
	file->sections[2] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 3,
		.sh_offset = offsetof(typeof(*file), syms), .sh_size = sizeof(file->syms),
		.sh_entsize = sizeof(Elf64_Sym) };
	file->sections[3] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
		.sh_offset = offsetof(typeof(*file), names), .sh_size = NAMES };
	memset(file->names + 1, 'a', NAMES - 2);
	for (int i = 0; i < NR; i++)
		file->syms[i] = (Elf64_Sym){ .st_name = 1 + i, .st_shndx = 1, .st_value = 4096,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };
	fd = memfd_of(file, sizeof(*file));
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_int_equal(sym_index_size(index), 1);
	assert_true(sym_index_agreement(index, index) == 1);
	assert_false(sym_index_by_name(index, "aaa::aaa", &addr));
	sym_index_destroy(index);
	close(fd);
	free(file);
}

static void one_name_for_all(void **state)
{
	enum { NR = 100000, LINE = 13 };
	struct sym_index *index;
	char *text = malloc(NR * LINE + 1);
	int fd;

	(void)state;
	for (int i = 0; i < NR; i++)
		sprintf(text + i * LINE, "%08x T a\n", 4096 + i);
	fd = memfd_of(text, NR * LINE);
	assert_int_equal(sym_index_create_text(fd, &index, NULL), 0);
	assert_int_equal(sym_index_size(index), NR);
	assert_true(sym_index_agreement(index, index) == 1);
	sym_index_destroy(index);
	close(fd);
	free(text);
}

/* Each substitution says the one before it twice: 30 of them would make a gigabyte. */
static void names_that_double(void **state)
{
	char cxx[512] = "_Z1fISt4pairIiiE", rust[512] = "_RINvC1a1fTllE", readable[64];
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct sym sym = { .name = cxx };
	int at = 10, len;
	char ref[8];

	(void)state;
	for (int i = 1; i <= 30; i++)
		sprintf(cxx + strlen(cxx), "S0_IS%c_S%c_E", i < 10 ? '0' + i : 'A' + i - 10,
			i < 10 ? '0' + i : 'A' + i - 10);
	strcat(cxx, "Evv");
	assert_null(name_demangle(cxx));
	sym_name(&sym, readable, sizeof(readable));
	assert_memory_equal(readable, "_Z1fISt4pairIiiE", 16);
	/* The first tuple is 8 bytes behind "_R"; the others are 8 or 6 bytes long. */
	for (at = 8, len = 4; strlen(rust) < 250; at = strlen(rust) - 2 - len) {
		if (at - 1 < 62)
			sprintf(ref, "B%c_", digits[at - 1]);
		else
			sprintf(ref, "B%c%c_", digits[(at - 1) / 62], digits[(at - 1) % 62]);
		len = sprintf(rust + strlen(rust), "T%s%sE", ref, ref);
	}
	strcat(rust, "E");
	assert_null(name_demangle(rust));
	rust[14] = 'E', rust[15] = '\0';
	sym.name = rust;
	sym_name(&sym, readable, sizeof(readable));
	assert_string_equal(readable, "a::f::<(i32, i32)>");
}

static struct fold_cell a_cell(uint64_t id, uint32_t cpu)
{
	return (struct fold_cell){ .id = { id * 0x9e3779b97f4a7c15ULL, id },
				   .kind = CPUPROBE_KIND_EXE,
		.cpu = cpu, .name = "a", .hits = { 1 }, .time_ns = { 1000 } };
}

/* 3,000 programs on 8,000 CPUs: rows need memory for what there is, not for each pair. */
static void many_cpus(void **state)
{
	enum { CPUS = 8000, CELLS = 8000, PROGRAMS = 3000 };
	struct fold_cell *cells = calloc(CELLS, sizeof(*cells));
	struct fold_cpu *cpus = calloc(CPUS, sizeof(*cpus));
	double *shares = calloc(CPUS, sizeof(*shares));
	struct fold *fold;
	struct rows rows;
	size_t before;

	(void)state;
	for (int i = 0; i < CELLS; i++) {
		cells[i] = a_cell(i % PROGRAMS, i);
		cpus[i] = (struct fold_cpu){ 1000, 1000 };
	}
	fold = fold_create_kept(cells, CELLS, cpus, CPUS, CELLS);
	before = __sanitizer_get_current_allocated_bytes();
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_in_range(__sanitizer_get_current_allocated_bytes() - before, 1, 4 << 20);
	assert_int_equal(rows.nr, PROGRAMS);
	rows_cpu_shares(&rows, &rows.row[7], shares);
	assert_true(shares[7] == 1 && shares[PROGRAMS + 7] == 1 && shares[8] == 0);
	rows_limit(&rows, ROWS_SORT_TOTAL, 10);
	rows_cpu_shares(&rows, &rows.row[10], shares);
	assert_string_equal(rows.row[10].name, "(2990 others)");
	assert_true(shares[7] + shares[PROGRAMS + 7] > 0);
	rows_deinit(&rows);
	fold_destroy(fold);
	free(shares);
	free(cells);
	free(cpus);
}

/* Identities of one sum by which cells were once found: each search would pass all others. */
static void identities_that_collide(void **state)
{
	enum { NR = 200000 };
	struct fold_cell *cells = calloc(NR, sizeof(*cells));
	struct fold_cpu cpu = { NR * 1000, NR * 1000 };
	struct fold *fold;
	size_t nr;

	(void)state;
	for (int i = 0; i < NR; i++)
		cells[i] = a_cell(i, 0);
	fold = fold_create_kept(cells, NR, &cpu, 1, NR);
	fold_processes(fold, &nr);
	assert_int_equal(nr, NR);
	fold_destroy(fold);
	free(cells);
}

/* As many accounts of CPUs as cells. */
static void many_accounts(void **state)
{
	enum { NR = 60000 };
	struct run_result result = { .account = { .taken = NR, .expected = NR }, .nr_cpus = 1 };
	struct receipt_cpu *accounts = calloc(NR, sizeof(*accounts));
	struct fold_cell *cells = calloc(NR, sizeof(*cells));
	struct fold_cpu cpu = { NR * 1000, NR * 1000 };
	char path[] = "/tmp/cpuprobe-hostile-XXXXXX";
	FILE *out = fopen("/dev/null", "w");
	struct verify_result verified;
	struct receipt receipt = { .taken = NR };
	struct record_writer writer;
	struct record record;

	(void)state;
	close(mkstemp(path));
	for (int i = 0; i < NR; i++)
		cells[i] = a_cell(i, 0);
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add_result(&writer, &result);
	record_add(&writer, "RCPT", &receipt, sizeof(receipt));
	record_add(&writer, "ACCT", accounts, NR * sizeof(*accounts));
	record_add(&writer, "CPUS", &cpu, sizeof(cpu));
	record_add(&writer, "CELL", cells, NR * sizeof(*cells));
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_int_equal(verify_record(&record, out, &verified, NULL), 0);
	assert_true(verified.nr_wrong > NR && verified.nr_checked > 4 * NR);
	record_deinit(&record);
	unlink(path);
	fclose(out);
	free(accounts);
	free(cells);
}

static int set_alarm(void **state)
{
	(void)state;
	alarm(60);
	return 0;
}

#define LIMITED(test) cmocka_unit_test_setup(test, set_alarm)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(names_share_their_end), LIMITED(one_name_for_all),
		LIMITED(names_that_double), LIMITED(many_cpus), LIMITED(identities_that_collide),
		LIMITED(many_accounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
