// SPDX-License-Identifier: GPL-2.0-only
// Exceptions: climb() calls itself three times and throws. The exception passes through frames with
// cleanups of their own and is caught in outer(). climb spends 75% of the time outside of libraries,
// outer 25%. It is built without frame pointers, and as throws-framed with them.
#include "spend.h"

struct Cleanup {
	~Cleanup() { STAY; }
};

FUNCTION climb(int depth)
{
	Cleanup cleanup;

	spend(25);
	if (depth == 1)
		throw depth;
	climb(depth - 1);
	STAY;
}

FUNCTION outer()
{
	try {
		climb(3);
	} catch (int) {
		spend(25);
	}
}

int main()
{
	for (;;)
		outer();
}
