/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the steps of compiling call frame information: reading the entries of a section
 * (cfi_read.c), finding the section and the code in a file (cfi_file.c) and its linkage table
 * (linkage.c), running the program of a function (cfi_run.c), making a rule of its state (cfi_rule.c),
 * numbering rules (rule_set.c), building the table (unwind.c). The ranges of functions need the first two (ranges.c).
 */
#ifndef CALL_FRAMES_H
#define CALL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "byte_reader.h"
#include "cpuprobe.h"
#include "sym_arch.h"
#include "types.h"

/** A section of call frame information. Its contents belong to somebody else. */
struct cfi_section {
	const u8 *bytes;
	size_t len;		/* below 4 GiB */
	u64 addr;		/* link-time address */
	bool is_debug_frame;	/* .debug_frame, not .eh_frame */
	const struct sym_arch *arch;
};

/** How to get the value that a register had in the caller. */
enum cfi_how {
	CFI_UNSPECIFIED = 0,
	CFI_SAME,		/* unchanged */
	CFI_UNDEFINED,		/* lost; return address: there is no caller */
	CFI_AT_OFFSET,		/* in memory, at CFA + offset */
	CFI_AT_EXPRESSION,	/* in memory, at the value of an expression */
	CFI_OTHER,		/* in another register, or computed */
};

struct cfi_value {
	u8 how;			/* enum cfi_how */
	u32 len;		/* of the expression */
	union {
		s64 offset;
		const u8 *expression;
	};
};

/** State of a program: the rules for one place. Other registers do not matter for a walk. */
struct cfi_state {
	u64 cfa_register;	/* unless @expression */
	s64 cfa_offset;
	const u8 *expression;	/* of the CFA; NULL: a register plus an offset */
	u32 expression_len;
	bool has_cfa;
	struct cfi_value fp;
	struct cfi_value ra;
};

/** A common information entry, shared by functions. */
struct cfi_common {
	u32 position;		/* in the section */
	u8 encoding;		/* DW_EH_PE_* of addresses */
	bool has_data;		/* its functions have augmentation data */
	bool is_signal;		/* its functions are the return from signal handlers */
	bool is_bad;		/* nothing is known about the registers of its functions */
	u64 code_factor;
	s64 data_factor;
	struct cfi_state initial;
};

/** A frame description entry: a range of code and its program. */
struct cfi_function {
	u64 start;		/* link-time address */
	u64 len;		/* over 0 */
	u64 place;		/* that functions are sorted by: see cfi_read_file() */
	u32 common;		/* index; CFI_LINKAGE: the linkage table */
	u32 program;		/* position in the section */
	u32 program_len;
};

/** All entries of a section, in its order. */
struct cfi_entries {
	struct cfi_common *commons;
	size_t nr_commons;
	size_t max_commons;
	struct cfi_function *functions;
	size_t nr_functions;
	size_t max_functions;
	u32 nr_malformed;
	struct sym_linkage_row linkage[SYM_LINKAGE_ROWS];	/* of the function with CFI_LINKAGE */
	u32 nr_linkage;
};

/** cfi_read() - read the entries of a section; malformed ones are left out. -ENOMEM. */
int cfi_read(const struct cfi_section *section, struct cfi_entries *entries_ret);

/** cfi_entries_deinit() - free the entries. */
void cfi_entries_deinit(struct cfi_entries *entries);

#define CFI_PLACES	(1ULL << 32)	/* bytes of a file that are looked at */

struct elf_file;
struct sym_error;

/**
 * cfi_read_file() - find the call frame information of a file, .eh_frame or else .debug_frame, and read
 * its entries. Functions outside the executable segments are left out, and ranges end with their
 * segment. The place of a function is that of its code in the file.
 * @section_ret: its contents belong to @file
 *
 * -ENODATA: no information about any code. -ENOEXEC: no executable segment, or for a processor that
 * the library does not know. -ENOMEM.
 */
int cfi_read_file(struct elf_file *file, struct cfi_section *section_ret,
		  struct cfi_entries *entries_ret, struct sym_error *error_ret);

#define CFI_LINKAGE	UINT32_MAX

/**
 * linkage_add() - add the file's linkage table as a function, on processors where call frame information
 * leaves it out. -ENOMEM.
 */
int linkage_add(struct elf_file *file, const struct sym_arch *arch, struct cfi_entries *entries);

/**
 * cfi_sort() - sort functions by place, without overlaps: if two functions claim a place, the one that
 * begins later has it, and among those that begin together the first in the section.
 */
void cfi_sort(struct cfi_entries *entries);

/** read_address() - read an encoded address (DW_EH_PE_*); sets is_bad for an unknown encoding. */
u64 read_address(const struct cfi_section *section, struct byte_reader *reader, u8 encoding);

/**
 * cfi_run_common() - run the program of a common entry, for its state @initial. False: malformed.
 */
bool cfi_run_common(const struct cfi_section *section, struct cfi_common *common,
		    struct byte_reader program);

/** Receives a row: @rule holds from the byte at @offset of the function on. An error ends the run. */
typedef int cfi_row_fn(void *context, u64 offset, const struct cpuprobe_rule *rule);

/**
 * cfi_run() - run the program of a function, and report its rows, ascending, the first one at 0; all
 * are below @len. From a malformed instruction on, the rule is CPUPROBE_RULE_UNSUPPORTED.
 * @len: bytes of code to describe, over 0
 */
int cfi_run(const struct cfi_section *section, const struct cfi_common *common,
	    const struct cfi_function *function, u64 len, cfi_row_fn *add_row, void *context);

/** cfi_rule() - the rule of a state; CPUPROBE_RULE_UNSUPPORTED if it cannot be expressed. */
struct cpuprobe_rule cfi_rule(const struct sym_arch *arch, const struct cfi_state *state,
			      bool is_signal);

/* Numbers that rule sets give to these rules */
#define RULE_NONE	0
#define RULE_UNSUPPORTED 1

/** Different rules, numbered in the order in which they are added. Initialise with zeros. */
struct rule_set {
	struct cpuprobe_rule *rules;
	u32 nr;
	u32 max;		/* a power of two */
	u32 *places;		/* hash table of 2 * @max: number of a rule plus one */
};

/**
 * rule_set_add() - find or add a rule. Returns its number; RULE_UNSUPPORTED if there are
 * CPUPROBE_UNWIND_RULES_MAX already. -ENOMEM.
 */
int rule_set_add(struct rule_set *set, const struct cpuprobe_rule *rule);

/** rule_set_deinit() - free the rules. */
void rule_set_deinit(struct rule_set *set);

#endif
