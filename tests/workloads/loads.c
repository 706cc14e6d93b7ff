// SPDX-License-Identifier: GPL-2.0-only
/*
 * loads lazy: loads a library and calls each of its functions once, by turns: most of the time is the
 * dynamic linker's, which finds and binds functions.
 * loads TURNS: calls a function of two libraries by turns, TURNS times each; they are loaded at the same
 * address. Functions of "three" take 75% of the time, those of "one" 25%. Ends if the address changes.
 * It is built without frame pointers.
 */
#include <dlfcn.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "spend.h"

typedef void called(void);

FUNCTION call_once(const char *library, const char *function, int turns);

FUNCTION call_once(const char *library, const char *function, int turns)
{
	static called *before[2];
	void *handle = dlopen(library, RTLD_LAZY);
	called *call = handle ? (called *)dlsym(handle, function) : NULL;
	called **last = &before[!strcmp(function, "three")];

	if (!call)
		errx(1, "%s", dlerror());
	if (!turns) {
		call();
	} else {
		*last = call;
		if (before[0] && before[1] && before[0] != before[1])
			errx(1, "%s is not where the other library was", library);
	}
	while (turns-- > 0)
		call();
	dlclose(handle);
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 0;

	for (;;) {
		if (turns) {
			call_once("libtwin-three.so", "three", turns);
			call_once("libtwin-one.so", "one", turns);
		} else {
			call_once("liblazy.so", "call_all", 0);
		}
	}
}
