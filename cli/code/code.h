/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes of code at the addresses that a report shows. The source is the object's file (link-time
 * addresses), the memory of a process (code without a file), the kernel's memory (the kernel
 * patches its own code), or a saved run. Nothing here prints.
 */
#ifndef CODE_H
#define CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "types.h"

#define CODE_SEGMENTS_MAX	256

enum code_kind { CODE_FILE, CODE_PROCESS, CODE_KERNEL, CODE_KEPT };

/** Machine that the code is for, from the ELF header. */
struct code_machine {
	u16 machine;		/* EM_* */
	bool is_64;
	bool is_big_endian;
};

/** Identity of one version of a file. */
struct code_identity {
	u64 size;
	u64 changed_ns;		/* modification time, since 1970 */
	u32 build_id_len;	/* 0: no build-id */
	u8 build_id[32];
};

/** Addresses [addr, addr + len) are at @offset of the file, or of the saved bytes. */
struct code_segment {
	u64 addr;
	u64 len;
	u64 offset;
};

struct code {
	enum code_kind kind;
	struct code_machine machine;
	struct code_identity identity;	/* CODE_FILE; CODE_KEPT: of the file at that time */
	bool is_emulated;		/* measured on an emulated processor: native.h */
	u32 owner;			/* user ID of a CODE_FILE's owner; UINT32_MAX: unknown */
	int fd;				/* -1: CODE_KEPT */
	int pid;			/* CODE_PROCESS */
	const void *kept;		/* bytes of CODE_KEPT; the caller's */
	char path[512];	/* the file's, for messages and to find its debug information; clean */
	struct code_segment *segments;	/* in no order */
	size_t nr_segments;
};

/**
 * code_open_file() - open the code of an ELF file, 32-bit or 64-bit, for any machine.
 * @fd: open on the file that is mapped; duplicated
 * @path: name of the file
 * -ENOEXEC: not an ELF file, or an ELF file without code. -ENOMEM.
 */
int code_open_file(struct code *code_ret, int fd, const char *path, struct text_error *error_ret);

/**
 * code_open_process() - open a process's memory; addresses are run-time addresses.
 * @exe_fd: open on the executable of the process, whose ELF header names the machine
 * -EACCES, -EPERM: not allowed, with a hint. -ENOEXEC: the executable is not an ELF file.
 */
int code_open_process(struct code *code_ret, int pid, int exe_fd, struct text_error *error_ret);

/**
 * code_open_kernel() - open the running kernel's text, modules included.
 * @path: "/proc/kcore"; another core file in tests
 * -errno from open(), with a hint. -ENOEXEC: not an ELF file, or one without segments.
 */
int code_open_kernel(struct code *code_ret, const char *path, struct text_error *error_ret);

/** code_identify() - read the identity of the file as it is now; all zero if fstat() fails. */
void code_identify(int fd, struct code_identity *identity_ret);

/**
 * code_check() - check that a CODE_FILE has not changed since it was opened, as code_is_same().
 * -ESTALE: the file has changed. Other kinds of code always pass.
 */
int code_check(const struct code *code, struct text_error *error_ret);

/** code_is_same() - compare two files by build-id; without build-ids, by size and time. */
bool code_is_same(const struct code_identity *a, const struct code_identity *b);

/**
 * code_read() - read up to @len bytes at @addr. Returns the number of bytes read; 0: none.
 */
size_t code_read(const struct code *code, u64 addr, void *bytes_ret, size_t len);

/** code_close() - free all that @code holds; a zeroed @code is allowed. */
void code_close(struct code *code);

#endif
