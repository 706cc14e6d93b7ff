// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files made so that readers of them would take hours, or gigabytes: too large for fuzzing
 * (tests/fuzz), whose files have 80 KB. A test that takes a minute is killed.
 */
#include <elf.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "command.h"
#include "internal.h"
#include "profile/profile_save.h"
#include "profile/unsampled.h"
#include "rows.h"
#include "save.h"
#include "verify.h"

/* Processor time that a hostile file may take; linear work here takes a tenth of it. */
#define SECONDS_MAX	5

/* Of the address sanitizer, whose header gcc does not bring. */
size_t __sanitizer_get_current_allocated_bytes(void);

static int memfd_of(const void *bytes, size_t len)
{
	int fd = memfd_create("input", 0);

	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Ten sections, each of which is the whole file: what is read of them comes to twice its size. */
static void sections_that_overlap(void **state)
{
	enum { NR = 10, LEN = 1 << 16 };
	union {
		struct {
			Elf64_Ehdr header;
			Elf64_Shdr sections[1 + NR];
		};
		char bytes[LEN];
	} *bytes = calloc(1, sizeof(*bytes));
	struct elf_file file;
	GElf_Shdr header;

	(void)state;
	bytes->header = (Elf64_Ehdr){
		.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 1 + NR,
	};
	for (int i = 1; i <= NR; i++)
		bytes->sections[i] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_size = LEN };
	assert_int_equal(elf_open_memory(bytes->bytes, LEN, &file, NULL), 0);
	for (int round = 0; round < 2; round++)
		for (int i = 1; i <= NR; i++) {
			Elf_Scn *section = elf_getscn(file.elf, i);

			assert_non_null(gelf_getshdr(section, &header));
			assert_int_equal(elf_data(&file, section, &header) != NULL, i <= 2);
		}
	elf_close(&file);
	free(bytes);
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

static uint64_t nr_compared;

static bool is_other(const void *owner, uint32_t position, const void *key)
{
	(void)owner;
	(void)position;
	(void)key;
	nr_compared++;
	return false;
}

/* The second of two words with which both had one hash, whatever the first was: FNV without key. */
static uint64_t colliding(uint64_t first)
{
	uint64_t hash = (0xcbf29ce484222325 ^ first) * 0x100000001b3;

	return hash ^ hash >> 32;
}

static void words_that_collide(void **state)
{
	enum { NR = 20000 };
	struct intern index = { 0 };
	uint64_t words[2], hash;

	(void)state;
	nr_compared = 0;
	for (uint32_t i = 0; i < NR; i++) {
		words[0] = i;
		words[1] = colliding(i);
		hash = intern_hash(0, words, sizeof(words));
		assert_int_equal(intern_find(&index, hash, is_other, NULL, words), INTERN_NONE);
		assert_int_equal(intern_add(&index, hash, i), 0);
	}
	/* Two of them may have the same 32 bits by chance: once in 20 runs. */
	assert_in_range(nr_compared, 0, 10);
	intern_deinit(&index);
}

/* Texts that go on where others end have another hash. */
static void texts_split_elsewhere(void **state)
{
	uint64_t ab_c = intern_hash(intern_hash(0, "ab", 2), "c", 1);

	(void)state;
	assert_true(ab_c != intern_hash(intern_hash(0, "a", 1), "bc", 2));
	assert_true(ab_c != intern_hash(0, "abc", 3));
	assert_true(ab_c == intern_hash(intern_hash(0, "ab", 2), "c", 1));
	assert_true(intern_hash(0, "a\0", 2) != intern_hash(0, "a", 1));
	assert_true(intern_hash(1, "a", 1) != intern_hash(0, "a", 1));
}

static double own_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_utime.tv_sec + used.ru_utime.tv_usec / 1e6 + used.ru_stime.tv_sec +
	       used.ru_stime.tv_usec / 1e6;
}

/* One stack of each of these frames, for which the file has a line of its own. */
static struct profile *one_frame_each(uint32_t nr, void (*make)(uint32_t i, struct profile *profile,
								struct profile_frame *frame))
{
	struct profile *profile = profile_create();
	struct profile_frame frame;
	uint32_t process, at;

	process = profile_add_process(profile, &(struct profile_process){
		.kind = CPUPROBE_KIND_PROCESS, .pid = 7, .name = "hostile" });
	for (uint32_t i = 0; i < nr; i++) {
		frame = (struct profile_frame){ .function = MARK_USER };
		make(i, profile, &frame);
		at = profile_add_frame(profile, &frame);
		assert_int_equal(profile_add_stack(profile, process, CPUPROBE_MODE_USER, &at, 1, 1,
						   1000), 0);
	}
	profile->taken = nr;
	profile->taken_ns = nr * 1000.0;
	return profile;
}

/* A command in a process of its own, which is killed when it takes too long. */
static void run_in_time(const struct command *command, char *path)
{
	char *argv[] = { (char *)command->name, path, NULL };
	const struct rlimit limit = { SECONDS_MAX, SECONDS_MAX };
	pid_t pid = fork();
	int status;

	if (!pid) {
		setrlimit(RLIMIT_CPU, &limit);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		status = command->run(command, argv);
		fflush(stdout);
		_exit(status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void keep(const struct profile *profile, const char *path)
{
	struct run_result result = {
		.account = { .taken = profile->taken, .expected = profile->taken }, .nr_cpus = 1
	};
	struct record_writer writer;

	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add_result(&writer, &result);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, NULL), 0);
}

static void show_in_time(const struct profile *profile)
{
	char path[] = "/tmp/cpuprobe-hostile-XXXXXX";

	close(mkstemp(path));
	keep(profile, path);
	run_in_time(&command_flat, path);
	run_in_time(&command_graph, path);
	unlink(path);
}

static void make_colliding(uint32_t i, struct profile *profile, struct profile_frame *frame)
{
	(void)profile;
	frame->line = i;
	frame->addr = colliding((uint64_t)frame->function << 32 | i);
}

/* A kept run of 3.9 MB, of which frames take 1.4. */
static void frames_that_collide(void **state)
{
	enum { NR = 60000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_colliding);

	(void)state;
	assert_int_equal(profile->nr_frames, PROFILE_MARK_COUNT + NR);
	show_in_time(profile);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

static void make_other_file(uint32_t i, struct profile *profile, struct profile_frame *frame)
{
	static char file[16];

	(void)profile;
	sprintf(file, "%x", i);
	frame->file = file;
}

/* A frame is told apart by the file of its line too. */
static void frames_of_many_files(void **state)
{
	enum { NR = 60000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_other_file);

	(void)state;
	assert_int_equal(profile->nr_frames, PROFILE_MARK_COUNT + NR);
	show_in_time(profile);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

static void make_function_there(uint32_t i, struct profile *profile, struct profile_frame *frame)
{
	const struct profile_object object = { .kind = PROFILE_FILE, .name = "a", .path = "/a" };
	struct profile_function function = { .addr = 4096 };
	char name[16];

	sprintf(name, "%x", i);
	function.name = name;
	function.object = profile_add_object(profile, &object);
	frame->function = profile_add_function(profile, &function);
	frame->addr = 4096;
}

static int no_symbols(void *context, const struct profile_object *object, unsampled_add add,
		      void *to, struct text_error *error_ret)
{
	(void)context;
	(void)object;
	(void)error_ret;
	assert_int_equal(add(to, 4096, "seen"), 0);
	return add(to, 8192, "unseen");
}

/* Functions of one address, and no other name: those without samples are told by the address. */
static void functions_at_one_address(void **state)
{
	enum { NR = 150000 };
	double before = own_seconds();
	struct profile *profile = one_frame_each(NR, make_function_there);
	struct unsampled *unsampled =
		unsampled_create(profile, FLAT_BASE_MACHINE, no_symbols, NULL);

	(void)state;
	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	assert_int_equal(unsampled->nr_rows, 1);
	assert_string_equal(unsampled->rows[0].name, "unseen");
	unsampled_destroy(unsampled);
	profile_destroy(profile);
	assert_true(own_seconds() - before < SECONDS_MAX);
}

/* Entries of PFUN as docs/format.md has them. */
struct kept_function {
	uint32_t name;
	uint32_t object;
	uint64_t addr;
};

/* A run of that many functions, each of which has the text at @step times its number as a name. */
static struct profile *load_names(const char *texts, size_t len, uint32_t nr, uint32_t step)
{
	static const char totals[48], object[48];
	struct kept_function *functions = calloc(nr, sizeof(*functions));
	char path[] = "/tmp/cpuprobe-hostile-XXXXXX";
	struct record_writer writer;
	struct profile *profile;
	struct record record;

	close(mkstemp(path));
	for (uint32_t i = 0; i < nr; i++)
		functions[i] = (struct kept_function){ 1 + i * step, 0, 4096 + i };
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add(&writer, "PROF", totals, sizeof(totals));
	record_add(&writer, "PTXT", texts, len);
	record_add(&writer, "POBJ", object, sizeof(object));
	record_add(&writer, "PFUN", functions, nr * sizeof(*functions));
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	profile = profile_load(&record, NULL);
	record_deinit(&record);
	unlink(path);
	free(functions);
	return profile;
}

/* 8,000 names, each the end of the one before: half a gigabyte of them in a file of 200 KB. */
static void texts_share_their_end(void **state)
{
	enum { NR = 8000, LEN = 65536 };
	size_t before = __sanitizer_get_current_allocated_bytes();
	char *texts = calloc(1, LEN);
	struct profile *profile;

	(void)state;
	memset(texts + 1, 'a', LEN - 2);
	profile = load_names(texts, LEN, NR, 1);
	assert_in_range(__sanitizer_get_current_allocated_bytes() - before, 1, 4 << 20);
	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	assert_int_equal(strlen(profile->functions[PROFILE_MARK_COUNT].name), PROFILE_NAME_MAX - 1);
	assert_string_equal(profile->functions[PROFILE_MARK_COUNT + 1].name, "");
	profile_destroy(profile);
	free(texts);
}

/* 30,000 functions of one name of a megabyte, which nobody should read as often. */
static void one_long_text(void **state)
{
	enum { NR = 30000, LEN = 1 << 20 };
	char *texts = calloc(1, LEN);
	struct profile *profile;
	double before;

	(void)state;
	memset(texts + 1, 'a', LEN - 2);
	before = own_seconds();
	profile = load_names(texts, LEN, NR, 0);
	assert_true(own_seconds() - before < SECONDS_MAX);
	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	profile_destroy(profile);
	free(texts);
}

/* Names of a measurement stay whole; a cut is between letters. */
static void long_names_are_cut(void **state)
{
	char text[PROFILE_PATH_MAX + 2];
	struct profile *profile = profile_create();
	struct profile_object object = { .kind = PROFILE_FILE, .name = text, .path = text };
	const struct profile_object *kept;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[PROFILE_NAME_MAX - 1] = '\0';
	kept = &profile->objects[profile_add_object(profile, &object)];
	assert_string_equal(kept->name, text);
	assert_string_equal(kept->path, text);
	/* The last letter of the name has two bytes, of which one would fit. */
	memcpy(text + PROFILE_NAME_MAX - 2, "\u00b5", 2);
	text[PROFILE_PATH_MAX] = '\0';
	kept = &profile->objects[profile_add_object(profile, &object)];
	assert_int_equal(strlen(kept->name), PROFILE_NAME_MAX - 2);
	assert_int_equal(strlen(kept->path), PROFILE_PATH_MAX - 1);
	profile_destroy(profile);
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
		LIMITED(sections_that_overlap), LIMITED(names_share_their_end), LIMITED(one_name_for_all),
		LIMITED(names_that_double), LIMITED(many_cpus), LIMITED(identities_that_collide),
		LIMITED(many_accounts), LIMITED(words_that_collide), LIMITED(texts_split_elsewhere),
		LIMITED(frames_that_collide), LIMITED(frames_of_many_files),
		LIMITED(functions_at_one_address), LIMITED(texts_share_their_end),
		LIMITED(one_long_text), LIMITED(long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
