/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers of the targets that read saved runs; section_mutator.c changes their inputs. */
#ifndef KEPT_H
#define KEPT_H

#include "command.h"
#include "fuzz.h"

/** KEPT_PROBE() - run one command as it is; the last argument is the file. */
#define KEPT_PROBE(command, ...) \
	command_run(&(command), (char *[]){ (char *)(command).name, __VA_ARGS__, NULL })

/**
 * kept_begin() - make a file in memory and return its descriptor; nothing is printed from here on.
 */
int kept_begin(const u8 *bytes, size_t len, char path[64]);

/** kept_end() - close the file. */
void kept_end(int fd);

#endif
