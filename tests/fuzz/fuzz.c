// SPDX-License-Identifier: GPL-2.0-only
/* Memory limits of one input, files in memory, and the use of an index: see fuzz.h. */
#include <sanitizer/allocator_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "fuzz.h"

#define FOUND_MAX 512	/* entries of an index that are checked one by one */

static struct {
	bool is_counting;
	s64 live, peak, limit;		/* bytes held for this input */
	s64 peak_max;			/* for all inputs */
	double times_max;		/* maximum beyond the base, in input sizes */
	size_t len;
	int talk;	/* standard error, which libFuzzer closes for the code under test */
} fuzz;

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void __attribute__((noreturn)) give_up(const char *what)
{
	dprintf(fuzz.talk, "fuzz: %s (%zu bytes of input)\n", what, fuzz.len);
	abort();
}

static void at_malloc(const volatile void *block, size_t len)
{
	if (!fuzz.is_counting)
		return;
	fuzz.live += len;
	if (fuzz.live <= fuzz.peak)
		return;
	fuzz.peak = fuzz.live;
	if (fuzz.peak <= fuzz.limit)
		return;
	fuzz.is_counting = false;
	dprintf(fuzz.talk, "fuzz: %lld bytes held, the last %zu of them asked for here\n",
		(long long)fuzz.peak, len);
	give_up("more memory than a multiple of the file's size");
}

static void at_free(const volatile void *block)
{
	if (fuzz.is_counting && block)
		fuzz.live -= __sanitizer_get_allocated_size(block);
}

static void at_time_limit(int signal_number)
{
	fuzz.is_counting = false;
	give_up("more processor time than one file may take");
}

/* 0: no limit. */
static void limit_time(int seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = seconds }, NULL);
}

static void report(void)
{
	dprintf(fuzz.talk, "fuzz: at most %lld KB held by one file, beyond %u KB at most %.1f "
		"times its size\n", (long long)fuzz.peak_max >> 10, FUZZ_MEMORY_BASE >> 10,
		fuzz.times_max);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz.talk = dup(STDERR_FILENO);
	if (!__sanitizer_install_malloc_and_free_hooks(at_malloc, at_free))
		give_up("no place for the hooks that count memory");
	signal(SIGPROF, at_time_limit);
	atexit(report);
	return 0;
}

void fuzz_begin(size_t len)
{
	fuzz.len = len;
	fuzz.live = fuzz.peak = 0;
	fuzz.limit = (s64)len * FUZZ_MEMORY_TIMES + FUZZ_MEMORY_BASE;
	fuzz.is_counting = true;
	limit_time(FUZZ_SECONDS_MAX);
}

void fuzz_end(void)
{
	double beyond = (double)fuzz.peak - FUZZ_MEMORY_BASE;

	limit_time(0);
	fuzz.is_counting = false;
	if (fuzz.peak > fuzz.peak_max)
		fuzz.peak_max = fuzz.peak;
	if (fuzz.len && beyond / fuzz.len > fuzz.times_max)
		fuzz.times_max = beyond / fuzz.len;
}

void fuzz_require(bool is_true, const char *what)
{
	if (!is_true)
		give_up(what);
}

int fuzz_file(const u8 *bytes, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_require(fd >= 0 && write(fd, bytes, len) == (ssize_t)len &&
		     !lseek(fd, 0, SEEK_SET), "no file in memory");
	return fd;
}

void fuzz_path(int fd, char path[64])
{
	snprintf(path, 64, "/proc/self/fd/%d", fd);
}

/* Entries are disjoint, ascending and not empty, and are found by their addresses. */
static void use_entry(const struct sym_index *index, size_t i)
{
	const struct sym *sym = sym_index_at(index, i);
	char name[256];

	fuzz_require(sym->start < sym->end && sym->entry <= sym->start,
		     "an entry without addresses");
	fuzz_require(!i || sym_index_at(index, i - 1)->end <= sym->start, "entries overlap");
	fuzz_require(sym_index_find(index, sym->start) == sym &&
		     sym_index_find(index, sym->end - 1) == sym, "an entry is not found");
	sym_name(sym, name, sizeof(name));
	fuzz_require(!strpbrk(name, "\n\033\t"), "a name is not clean");
	sym_name(sym, name, 5);
	fuzz_require(strlen(name) < 5, "a name is too long");
}

void fuzz_use_index(struct sym_index *index)
{
	size_t nr = sym_index_size(index), step = nr / FOUND_MAX + 1, i;
	const struct sym *first, *last;
	u64 addr, low, high;
	char name[256];
	double share;

	fuzz_require(nr, "an index without entries");
	first = sym_index_at(index, 0);
	last = sym_index_at(index, nr - 1);
	for (i = 0; i < nr; i += step)
		use_entry(index, i);
	fuzz_require(sym_index_by_name(index, last->name, &addr), "a name is not found");
	sym_name(first, name, sizeof(name));
	sym_index_by_name(index, name, &addr);
	sym_index_by_name(index, "main", &addr);
	sym_index_find(index, 0);
	sym_index_find(index, UINT64_MAX);
	share = sym_index_coverage(index, first->start, last->end);
	fuzz_require(share > 0 && share <= 1, "a share of addresses that is none");
	share = sym_index_agreement(index, index);
	fuzz_require(share == 1, "an index does not agree with itself");
	if (sym_index_module_range(index, "fuse", &low, &high))
		fuzz_require(low < high, "a module without addresses");
	sym_index_move(index, 0x10000);
}
