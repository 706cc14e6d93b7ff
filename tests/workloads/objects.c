// SPDX-License-Identifier: GPL-2.0-only
/*
 * objects WHERE[=MS]...: spends MS milliseconds (10) of CPU time in each WHERE by turns: exe, lib
 * (LIB=path, or libbeside.so), vdso, anon, kernel. A WHERE that changes the process's memory takes
 * a COUNT instead, and acts once, in the COUNTth turn: twice (load the library again), unmap
 * (unload the library), over (map a copy of exe's loop over the loop), exec (another program).
 */
#include <dlfcn.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "count_down.h"
#include "page.h"

typedef void loop(long turns);

static void *library, *second_library;
static loop *anonymous;

/* Alone in its page, or pages, so that they can be replaced. */
__attribute__((noinline, aligned(PAGE_MAX_BYTES))) static void exe_loop(long turns)
{
	COUNT_DOWN(turns);
	__asm__ volatile(".balign 65536");
}

static void vdso_loop(long turns)
{
	struct timespec now;

	while ((turns -= 100) > 0)
		clock_gettime(CLOCK_MONOTONIC, &now);
}

static void kernel_loop(long turns)
{
	while ((turns -= 1000) > 0)
		syscall(SYS_getppid);
}

static loop *load(void **handle, Lmid_t space)
{
	const char *path = getenv("LIB");
	loop *found;

	*handle = dlmopen(space, path ? path : "libbeside.so", RTLD_NOW);
	found = *handle ? (loop *)dlsym(*handle, "beside_loop") : NULL;
	if (!found)
		errx(1, "%s", dlerror());
	return found;
}

static loop *copy_loop(void *at)
{
#ifdef __aarch64__
	/* subs x0, x0, #1; b.ne; ret */
	static const uint32_t code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#else
	/* dec rdi; jnz; ret */
	static const uint8_t code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif
	void *copy = mmap(at, PAGE_MAX_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (copy == MAP_FAILED)
		err(1, "mmap");
	memcpy(copy, code, sizeof(code));
	__builtin___clear_cache((char *)copy, (char *)copy + sizeof(code));
	mprotect(copy, PAGE_MAX_BYTES, PROT_READ | PROT_EXEC);
	return (loop *)copy;
}

static void spend(loop *function, long ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do {
		function(100000);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
}

static void change(const char *what)
{
	if (!strcmp(what, "twice"))
		load(&second_library, LM_ID_NEWLM);
	else if (!strcmp(what, "unmap"))
		dlclose(library);
	else if (!strcmp(what, "over"))
		copy_loop((void *)exe_loop);
	else if (!strcmp(what, "exec"))
		execlp("proportions", "proportions", (char *)NULL);
	else
		errx(2, "what is '%s'?", what);
}

int main(int argc, char **argv)
{
	loop *beside = NULL;
	int is_gone = 0, round, i;

	anonymous = copy_loop(NULL);
	for (round = 1;; round++) {
		for (i = 1; i < argc; i++) {
			const char *equals = strchr(argv[i], '=');
			long number = equals ? atol(equals + 1) : 10;
			char *what = strndupa(argv[i], equals ? (size_t)(equals - argv[i]) : 99);

			if (!strcmp(what, "exe")) {
				spend(exe_loop, number);
			} else if (!strcmp(what, "lib")) {
				if (!beside)
					beside = load(&library, LM_ID_BASE);
				spend(is_gone ? exe_loop : beside, number);
			} else if (!strcmp(what, "vdso")) {
				spend(vdso_loop, number);
			} else if (!strcmp(what, "anon")) {
				spend(anonymous, number);
			} else if (!strcmp(what, "kernel")) {
				spend(kernel_loop, number);
			} else if (round == number) {
				change(what);
				is_gone |= !strcmp(what, "unmap");
			}
		}
	}
}
