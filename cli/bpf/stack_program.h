/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF program that counts stacks. Pure: it is written here, not loaded. */
#ifndef STACK_PROGRAM_H
#define STACK_PROGRAM_H

#include "bpf/counts.h"
#include "bpf/encode.h"
#include "cpuprobe.h"

#define STACK_FRAMES	(CPUPROBE_FRAMES_MAX + 1)	/* one more tells a stack that is too deep */

/*
 * How user frames begin and end, as far as frame pointers tell it: CPUPROBE_STACK_*, the number of frames that
 * they lead to, at most STACK_FRAMES, and whether all this is known.
 */
#define STACK_END_FLAGS	0xffffu
#define STACK_END_SHIFT	16
#define STACK_END_KNOWN	(1u << 30)

/** A sample whose stack found no place. Frames are innermost first; a length below 0: no such stack. */
struct stack_spilled {
	u32 cpu;
	u32 id;			/* as in struct counts_key */
	u32 is_user;
	u32 reserved;
	char comm[COUNTS_NAME_LEN];
	u64 end;
	u64 guess;
	s64 kernel_len, user_len;	/* in bytes */
	u64 kernel[STACK_FRAMES];
	u64 user[STACK_FRAMES];
};

/** Maps and choices of the program. The hashes lead from struct counts_key to struct counts_stack. */
struct stack_program {
	int page_fd;		/* array of struct counts_page, by CPU */
	int hash_fd[2];
	int stacks_fd[2];
	int scratch_fd;		/* per CPU, one struct stack_spilled */
	int ring_fd;		/* takes these */
	int cgroup_fd;		/* array of one control group; -1: any */
	u32 pid;		/* 0: any */
	u32 frames;		/* CPUPROBE_FRAMES_* */
	u64 factor;		/* odd and random: see stack_walk.h */
	u32 depth;		/* of the stacks, at most STACK_FRAMES */
	bool finds_regs;	/* the kernel finds the user registers of a task that is in it: needs BTF */
};

/**
 * stack_program_write() - write the program. It counts stacks by number: in kernel mode the numbers that the
 * kernel gives both stacks, in user mode one that the program makes of the frames. Without frames of user mode it
 * makes one of the task's name instead. A stack whose number from the kernel is in use by another one goes to the ring.
 */
void stack_program_write(struct encode *code, const struct stack_program *program);

#endif
