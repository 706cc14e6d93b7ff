/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of code at the addresses that a report shows: from the object's file, by its
 * link-time addresses; from a process's memory, what has no file; from the kernel's, which
 * patches itself; or from a kept run. Nothing here prints.
 */
#ifndef CODE_H
#define CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define CODE_SEGMENTS_MAX	256

enum code_kind { CODE_FILE, CODE_PROCESS, CODE_KERNEL, CODE_KEPT };

/** What the code is written for, as an ELF header says it. */
struct code_machine {
	uint16_t machine;	/* EM_* */
	bool is_64;
	bool is_big_endian;
};

/** Which file it was. */
struct code_identity {
	uint64_t size;
	uint64_t changed_ns;	/* modification time, since 1970 */
	uint32_t build_id_len;	/* 0: it has none */
	uint8_t build_id[32];
};

/** Addresses [addr, addr + len) lie at @offset of the file, or of the kept bytes. */
struct code_segment {
	uint64_t addr;
	uint64_t len;
	uint64_t offset;
};

struct code {
	enum code_kind kind;
	struct code_machine machine;
	struct code_identity identity;	/* CODE_FILE; of a kept one, what it was */
	bool is_emulated;		/* measured where instructions are emulated: slip.h */
	uint32_t owner;			/* of CODE_FILE */
	int fd;				/* -1: CODE_KEPT */
	int pid;			/* CODE_PROCESS */
	const void *kept;		/* bytes of CODE_KEPT; not ours */
	char path[512];	/* of the file, for people and for its debug information; clean */
	struct code_segment *segments;	/* by no order */
	size_t nr_segments;
};

/**
 * code_open_file() - the code of an ELF file, of 32 or 64 bits, of any machine.
 * @fd: duplicated; the very file that runs
 * @path: what it is called
 * -ENOEXEC: not an ELF file, or one without code.
 */
int code_open_file(struct code *code_ret, int fd, const char *path, struct text_error *error_ret);

/**
 * code_open_process() - a process's memory, addresses being those of run time.
 * @exe_fd: its executable, which says for what machine
 * -EACCES: not allowed, with a hint.
 */
int code_open_process(struct code *code_ret, int pid, int exe_fd, struct text_error *error_ret);

/**
 * code_open_kernel() - the running kernel's own text, modules included.
 * @path: "/proc/kcore", or another core file for tests
 */
int code_open_kernel(struct code *code_ret, const char *path, struct text_error *error_ret);

/** code_identify() - what a file is by now. */
void code_identify(int fd, struct code_identity *identity_ret);

/**
 * code_check() - whether a file is still what it was when it was opened: by its build-id, or
 * where it has none, by size and time. -ESTALE: it is not.
 */
int code_check(const struct code *code, struct text_error *error_ret);

/** code_is_same() - whether two files are, likewise. */
bool code_is_same(const struct code_identity *a, const struct code_identity *b);

/**
 * code_read() - bytes at @addr. Returns how many were there to be read, up to @len; 0: none.
 */
size_t code_read(const struct code *code, uint64_t addr, void *bytes_ret, size_t len);

/** code_close() - free what it holds; a zeroed one is allowed. */
void code_close(struct code *code);

#endif
