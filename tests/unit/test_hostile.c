// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs of `probe sys`, made to take hours or gigabytes: see hostile.h. */
#include "hostile.h"
#include "sys/rows.h"
#include "run/run_save.h"
#include "verify/verify.h"

static struct fold_cell a_cell(u64 id, u32 cpu)
{
	return (struct fold_cell){ .id = { id * 0x9e3779b97f4a7c15ULL, id },
				   .kind = CPUPROBE_KIND_EXE,
		.cpu = cpu, .name = "a", .hits = { 1 }, .time_ns = { 1000 } };
}

/* 3,000 programs on 8,000 CPUs: rows take memory for existing cells, not for each pair. */
static void many_cpus(void **state)
{
	enum { CPUS = 8000, CELLS = 8000, PROGRAMS = 3000 };
	struct fold_cell *cells = calloc(CELLS, sizeof(*cells));
	struct fold_cpu *cpus = calloc(CPUS, sizeof(*cpus));
	double *shares = calloc(CPUS, sizeof(*shares));
	struct fold *fold;
	struct rows rows;
	size_t before;

	for (int i = 0; i < CELLS; i++) {
		cells[i] = a_cell(i % PROGRAMS, i);
		cpus[i] = (struct fold_cpu){ 1000, 1000 };
	}
	fold = fold_create_kept(cells, CELLS, cpus, CPUS, CELLS);
	before = __sanitizer_get_current_allocated_bytes();
	assert_int_equal(rows_init(&rows, fold, 0), 0);
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

/* Identities with one sum, by which cells were once hashed: a search would pass all others. */
static void identities_that_collide(void **state)
{
	enum { NR = 200000 };
	struct fold_cell *cells = calloc(NR, sizeof(*cells));
	struct fold_cpu cpu = { NR * 1000, NR * 1000 };
	struct fold *fold;
	size_t nr;

	for (int i = 0; i < NR; i++)
		cells[i] = a_cell(i, 0);
	fold = fold_create_kept(cells, NR, &cpu, 1, NR);
	fold_processes(fold, &nr);
	assert_int_equal(nr, NR);
	fold_destroy(fold);
	free(cells);
}

/* As many CPU accounts as cells. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(many_cpus), LIMITED(identities_that_collide), LIMITED(many_accounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
