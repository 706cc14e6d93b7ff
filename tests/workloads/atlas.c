// SPDX-License-Identifier: GPL-2.0-only
/*
 * atlas MODE: maps code in many ways and compares the record of the module atlas (tests/modules) with
 * /proc/self/maps. Exit status 0: they agree.
 *	check		the mappings that the program begins with
 *	object		the same; prints number and seq of its executable's object
 *	random SEED N	N random changes of mappings
 *	threads SEED N	the same in four threads at once
 *	forks SEED N	N children, one after the other, that map, fork, execute this program, or call vfork
 *	fresh N		N libraries, each loaded at a new address and unloaded: the record stays short
 *	many N		N libraries loaded at the same time; prints the length of the record, or "unknown"
 *	open		the executable's object opens as the same file, and one of another seq does not
 *	leaderless	prints "ready" after its first thread has ended, and ends after a line of input
 *	crowd N		N children with 20 libraries each; prints "ready", and ends after a line of input
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page.h"

#define ARENA_PAGES	64
#define FILES		4
#define PARAMETERS	"/sys/module/atlas/parameters/"

struct range {
	unsigned long start, end, page, inode;
	unsigned int object, seq;
	bool is_vdso, is_code;
};

struct ranges {
	unsigned int nr;
	bool is_known;
	struct range at[4096];
};

static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" (process %d)\n", getpid());
	fflush(stdout);
	_exit(1);
}

/* The record of this process. */
static void read_record(struct ranges *record)
{
	FILE *file = fopen("/proc/atlas", "r");
	char line[256], word[16];
	int pid;

	memset(record, 0, sizeof(*record));
	if (!file || !fgets(line, sizeof(line), file) || sscanf(line, "%d %15s", &pid, word) != 2)
		fail("no record to read");
	record->is_known = !strcmp(word, "known");
	while (fgets(line, sizeof(line), file)) {
		struct range *at = &record->at[record->nr++];

		if (sscanf(line, "%lx-%lx %lx %u %u %lu", &at->start, &at->end, &at->page, &at->object,
			   &at->seq, &at->inode) != 6 || record->nr == 4096)
			fail("cannot read %s", line);
	}
	fclose(file);
}

/* The mappings of this process that may be executed. */
static void read_maps(struct ranges *maps)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4400], modes[8];

	memset(maps, 0, sizeof(*maps));
	while (file && fgets(line, sizeof(line), file)) {
		struct range *at = &maps->at[maps->nr];

		if (sscanf(line, "%lx-%lx %7s %lx %*x:%*x %lu", &at->start, &at->end, modes, &at->page,
			   &at->inode) != 5)
			fail("cannot read %s", line);
		at->page /= page_bytes;
		at->is_vdso = strstr(line, "[vdso]");
		at->is_code = at->is_vdso || at->inode;
		/* The page of the kernel above all of the process's memory. */
		if (modes[2] == 'x' && !strstr(line, "[vsyscall]") && ++maps->nr == 4096)
			fail("too many mappings");
	}
	if (file)
		fclose(file);
}

static const struct range *find_range(const struct ranges *ranges, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < ranges->nr; i++)
		if (addr >= ranges->at[i].start && addr < ranges->at[i].end)
			return &ranges->at[i];
	return NULL;
}

/* Compare page by page: the record may divide a mapping that the kernel has merged. */
static void compare(const struct range *vma, const struct ranges *record)
{
	unsigned long addr;

	for (addr = vma->start; addr < vma->end; addr += page_bytes) {
		const struct range *at = find_range(record, addr);

		if (!vma->is_code && at)
			fail("%lx is anonymous memory, recorded as object %u", addr, at->object);
		if (!vma->is_code)
			continue;
		if (!at)
			fail("%lx of inode %lu is not recorded", addr, vma->inode);
		if (at->inode != vma->inode || (at->object == 0) != vma->is_vdso)
			fail("%lx: inode %lu is recorded in place of %lu", addr, at->inode, vma->inode);
		if (!vma->is_vdso &&
		    at->page + (addr - at->start) / page_bytes != vma->page + (addr - vma->start) / page_bytes)
			fail("%lx: another page of inode %lu is recorded", addr, vma->inode);
	}
}

static unsigned int check(void)
{
	static __thread struct ranges record, maps;
	unsigned int i;

	read_maps(&maps);
	read_record(&record);
	if (!record.is_known)
		fail("this process is not known");
	for (i = 1; i < record.nr; i++)
		if (record.at[i].start < record.at[i - 1].end)
			fail("the record is not in order");
	for (i = 0; i < maps.nr; i++)
		compare(&maps.at[i], &record);
	return record.nr;
}

static int files[FILES];

static void make_files(void)
{
	char name[32];
	int i;

	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "file%d.%d", i, getpid());
		files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
		if (files[i] < 0 || ftruncate(files[i], ARENA_PAGES * page_bytes))
			fail("cannot make files");
		unlink(name);
	}
}

static char *make_arena(void)
{
	char *arena = mmap(NULL, ARENA_PAGES * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (arena == MAP_FAILED)
		fail("no arena");
	return arena;
}

/* Change the mappings of a random part of an arena. Failures (of mprotect across holes) do no harm. */
static void change(char *arena, unsigned int *seed)
{
	unsigned long first = rand_r(seed) % ARENA_PAGES;
	unsigned long nr = 1 + rand_r(seed) % (ARENA_PAGES - first), page = rand_r(seed) % ARENA_PAGES;
	char *at = arena + first * page_bytes;
	int file = files[rand_r(seed) % FILES], fixed = MAP_PRIVATE | MAP_FIXED;

	switch (rand_r(seed) % 8) {
	case 0:
	case 1:
		mmap(at, nr * page_bytes, PROT_READ | PROT_EXEC, fixed, file, page * page_bytes);
		break;
	case 2:
		mmap(at, nr * page_bytes, PROT_READ, fixed, file, page * page_bytes);
		break;
	case 3:
		mmap(at, nr * page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, fixed | MAP_ANONYMOUS, -1, 0);
		break;
	case 4:
	case 5:
		mprotect(at, nr * page_bytes, PROT_READ | PROT_EXEC);
		break;
	case 6:
		mprotect(at, nr * page_bytes, PROT_READ);
		break;
	case 7:
		mmap(at, nr * page_bytes, PROT_NONE, fixed | MAP_ANONYMOUS, -1, 0);
		break;
	}
}

static void change_and_check(unsigned int seed, unsigned int nr)
{
	char *arena = make_arena();

	while (nr--) {
		change(arena, &seed);
		if (nr % 16 == 0)
			check();
	}
	munmap(arena, ARENA_PAGES * page_bytes);
}

static unsigned int thread_changes;

static void *change_in_thread(void *data)
{
	unsigned int seed = (uintptr_t)data, i;
	char *arena = make_arena();

	for (i = 0; i < thread_changes; i++)
		change(arena, &seed);
	return NULL;
}

static void change_in_threads(unsigned int seed, unsigned int nr)
{
	pthread_t thread[4];
	uintptr_t i;

	thread_changes = nr;
	for (i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, change_in_thread, (void *)(seed * 4 + i)))
			fail("no thread");
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	check();
}

static void await(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) < 0)
		fail("no child");
	if (status)
		fail("child %d ended with status %x", child, status);
}

static void execute_check(void)
{
	execl("/proc/self/exe", "atlas", "check", NULL);
	_exit(2);
}

/* Forked children inherit the record; what they map later is their own. */
static void live(unsigned int seed, int depth)
{
	pid_t child;

	check();
	switch (rand_r(&seed) % 4) {
	case 0:
		change_and_check(seed, 16);
		break;
	case 1:
		execute_check();
		break;
	case 2:
		child = vfork();
		if (!child)
			execute_check();
		await(child);
		break;
	case 3:
		change_in_threads(seed, 4);
		break;
	}
	if (depth) {
		child = fork();
		if (!child) {
			live(seed + 1, depth - 1);
			_exit(0);
		}
		await(child);
	}
	check();
}

static void live_and_die(unsigned int seed, unsigned int nr)
{
	char *arena = make_arena();
	pid_t child;

	while (nr--) {
		change(arena, &seed);
		child = fork();
		if (!child) {
			live(seed + nr, 2);
			_exit(0);
		}
		await(child);
		check();
	}
}

static void *map_library(unsigned long at)
{
	void *library = mmap((void *)at, 2 * page_bytes, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | (at ? MAP_FIXED_NOREPLACE : 0), files[0], 0);

	if (library == MAP_FAILED)
		fail("cannot map: %s", strerror(errno));
	return library;
}

static void load_and_unload(unsigned int nr)
{
	unsigned int i, length;
	void *library;

	for (i = 0; i < nr; i++) {
		library = map_library(0x100000000UL + i * 16 * page_bytes);
		if (i % 64 == 0)
			check();
		munmap(library, 2 * page_bytes);
	}
	length = check();
	/* A search at each power of two, from 32 on. */
	if (length > 64)
		fail("%u mappings are recorded after all are gone", length);
}

static void load_many(unsigned int nr)
{
	static struct ranges record;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		map_library(0x100000000UL + i * 4 * page_bytes);
		/* Memory of replaced maps comes back after a grace period. */
		usleep(i > 200 ? 2000 : 0);
	}
	read_record(&record);
	if (record.is_known)
		printf("%u\n", check());
	else
		puts("unknown");
}

/* The record of this program's own code. */
static const struct range *own_range(void)
{
	static struct ranges record;
	const struct range *own;

	read_record(&record);
	own = find_range(&record, (unsigned long)own_range);
	if (!own)
		fail("the executable is not recorded");
	return own;
}

/* Returns a descriptor, or -errno. */
static int open_object(unsigned int object, unsigned int seq)
{
	int to = open(PARAMETERS "open", O_WRONLY), fd = -1;
	FILE *from;

	if (to < 0 || dprintf(to, "%u %u", object, seq) < 0) {
		fd = -errno;
		close(to);
		return fd;
	}
	close(to);
	from = fopen(PARAMETERS "open", "r");
	if (!from || fscanf(from, "%d", &fd) != 1)
		fail("no descriptor");
	fclose(from);
	return fd;
}

static void open_own(void)
{
	const struct range *own = own_range();
	struct stat status = { .st_ino = 0 };
	int fd = open_object(own->object, own->seq);

	if (fd < 0 || fstat(fd, &status) || status.st_ino != own->inode)
		fail("object %u opens as inode %lu, %d", own->object, (unsigned long)status.st_ino, fd);
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC) || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
		fail("opened with other flags");
	close(fd);
	fd = open_object(own->object, own->seq + 1);
	if (fd != -ESTALE)
		fail("another seq: %d", fd);
	fd = open_object(1U << 31, 0);
	if (fd != -ESTALE)
		fail("no object: %d", fd);
	fd = open_object(0, 0);
	if (fd != -1)
		fail("the vdso: %d", fd);
}

/* The children end with their parent: they read from a pipe that nobody writes to. */
static void make_crowd(unsigned int nr)
{
	int ready[2], end[2];
	unsigned int i, j;
	char byte;

	if (pipe(ready) || pipe(end))
		fail("no pipe");
	for (i = 0; i < nr; i++) {
		if (!fork()) {
			close(end[1]);
			for (j = 0; j < 20; j++)
				map_library(0x100000000UL + j * 4 * page_bytes);
			_exit(write(ready[1], "", 1) != 1 || read(end[0], &byte, 1));
		}
		if (read(ready[0], &byte, 1) != 1)
			fail("no child");
	}
	puts("ready");
	fflush(stdout);
	getchar();
	exit(0);
}

static void *await_input(void *data)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	/* The first thread stays as a zombie, without memory. */
	for (;;) {
		FILE *file = fopen(path, "r");
		char state = 'R';

		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1 || state == 'Z')
			break;
		fclose(file);
		usleep(1000);
	}
	puts("ready");
	fflush(stdout);
	getchar();
	exit(0);
}

static void end_first_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, await_input, NULL))
		fail("no thread");
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "check";
	unsigned int a = argc > 2 ? atoi(argv[2]) : 1, b = argc > 3 ? atoi(argv[3]) : 1;

	make_files();
	if (!strcmp(mode, "leaderless"))
		end_first_thread();
	check();
	if (!strcmp(mode, "object"))
		printf("%u %u\n", own_range()->object, own_range()->seq);
	else if (!strcmp(mode, "random"))
		change_and_check(a, b);
	else if (!strcmp(mode, "threads"))
		change_in_threads(a, b);
	else if (!strcmp(mode, "forks"))
		live_and_die(a, b);
	else if (!strcmp(mode, "fresh"))
		load_and_unload(a);
	else if (!strcmp(mode, "many"))
		load_many(a);
	else if (!strcmp(mode, "open"))
		open_own();
	else if (!strcmp(mode, "crowd"))
		make_crowd(a);
	else if (strcmp(mode, "check"))
		fail("unknown mode %s", mode);
	return 0;
}
