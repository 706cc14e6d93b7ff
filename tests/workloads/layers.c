// SPDX-License-Identifier: GPL-2.0-only
/*
 * layers N: calls its functions a known number of times, in a known order. Each of N rounds: outer() calls
 * middle() and leaf(), middle() calls leaf() twice; one getppid() in leaf(). Then countdown() 10 deep; dive()
 * 100 deep; and hop() 4 deep, N times, which longjmp() leaves.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void leaf(void);
void middle(void);
void outer(void);
void countdown(int depth);
void dive(int depth);
void hop(int depth);

static volatile long done;
static jmp_buf landing;

__attribute__((noipa)) void leaf(void)
{
	syscall(SYS_getppid);
	done++;
}

__attribute__((noipa)) void middle(void)
{
	leaf();
	leaf();
	done++;
}

__attribute__((noipa)) void outer(void)
{
	middle();
	leaf();
	done++;
}

__attribute__((noipa)) void countdown(int depth)
{
	if (depth > 1)
		countdown(depth - 1);
	done++;
}

__attribute__((noipa)) void dive(int depth)
{
	if (depth > 1)
		dive(depth - 1);
	done++;
}

__attribute__((noipa)) void hop(int depth)
{
	if (depth > 1)
		hop(depth - 1);
	else if (done)
		longjmp(landing, 1);
	done++;
}

int main(int argc, char **argv)
{
	volatile long nr = argc > 1 ? atol(argv[1]) : 10, i;

	for (i = 0; i < nr; i++)
		outer();
	countdown(10);
	dive(100);
	for (i = 0; i < nr; i++)
		if (!setjmp(landing))
			hop(4);
	outer();
	return 0;
}
