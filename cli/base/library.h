/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Libraries that are loaded when they are needed: other commands start without them and the libraries that they need in
 * turn, and the tool runs where they are not installed.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>

/** A function of a library, and the offset of the pointer to it in a struct of functions. */
struct library_function {
	const char *name;
	size_t offset;
};

/**
 * library_load() - load a library, which is never unloaded: it may have threads.
 * @files: names of its file, the preferred one first; NULL-terminated
 * @functions: without a name: the last
 * @self: the struct, which receives the pointers
 * -ENOENT: none of the files is installed. -ENOEXEC: it lacks a function.
 */
int library_load(const char *const *files, const struct library_function *functions, void *self);

#endif
