/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the targets share that read kept runs. Linking kept.c also gives a target its mutator:
 * section by section, with checksums, which would hide the readers behind them, mostly made right.
 */
#ifndef KEPT_H
#define KEPT_H

#include "command.h"
#include "fuzz.h"

/** KEPT_PROBE() - run one command as it is; the last argument is the file. */
#define KEPT_PROBE(command, ...) \
	command_run(&(command), (char *[]){ (char *)(command).name, __VA_ARGS__, NULL })

/**
 * kept_begin() - a file in memory, whose descriptor is returned; nothing is printed from here on.
 */
int kept_begin(const uint8_t *bytes, size_t len, char path[64]);

/** kept_end() - close it. */
void kept_end(int fd);

#endif
