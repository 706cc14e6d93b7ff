/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of whomay know of each other: programs, identities, operations, rules. */
#ifndef WHOMAY_H
#define WHOMAY_H

#include <stddef.h>
#include <sys/types.h>

#include "../../../kmod/uapi/cpuprobe.h"

#define GROUP	4242	/* the module's parameter gid */
#define MEMBER	1001	/* "own" is his; and the number of his other group */
#define OTHER	1002

#define SOON_US		150000
#define STACK_KIB	CPUPROBE_STACK_KIB_MIN

/** need() - or say what failed, with errno, and end with 2. */
void need(int is_good, const char *what);

enum program { OWN, THEIRS, SECRET, OWN_BY_THEM, THEIRS_BY_ME, SETUID, HIDDEN, SPINNER,
	       SPINNER_BY_THEM, SECRET_SPINNER, NR_PROGRAMS };

struct program_kind {
	const char *path;
	uid_t owner, user;
	mode_t mode;
	const char *verb;		/* what it does, as whomay is told */
};
extern const struct program_kind programs[NR_PROGRAMS];

struct program_running {
	int exe_fd;
	pid_t pid;
};
extern struct program_running running[NR_PROGRAMS];

/** programs_start() - make them and let them run. */
void programs_start(void);
void programs_stop(void);

/** program_spin() - what a spinner does. @fd: the file that says whether it is dumpable. */
_Noreturn void program_spin(int fd);

/** program_set_dumpable() - have the member's spinner be so, or not. */
void program_set_dumpable(int wanted);

struct identity {
	const char *name;
	void (*become)(void);		/* what it is when it uses the device */
	void (*opener)(void);		/* what opened it; NULL: itself */
	int is_self;			/* opener and user are one process, that changes */
};
extern const struct identity identities[];
extern const size_t nr_identities;

struct operation;

/** Each on a descriptor of its own; says in a word how it went. */
typedef const char *(*operation_fn)(const struct operation *operation, int fd);

struct operation {
	const char *name;
	operation_fn run;
	unsigned int what, by, mode;
	int exe, pid;			/* enum program; -1: none */
};
#define OPERATIONS_MAX 64
extern const struct operation operations[];
extern const size_t nr_operations;

const char *try_open(const struct operation *operation, int fd);
const char *try_info(const struct operation *operation, int fd);
const char *try_start(const struct operation *operation, int fd);
const char *try_start_cgroup(const struct operation *operation, int fd);
const char *try_start_large(const struct operation *operation, int fd);
const char *try_areas(const struct operation *operation, int fd);
const char *try_harvest_and_stop(const struct operation *operation, int fd);
const char *try_samples(const struct operation *operation, int fd);
const char *try_samples_of_hidden(const struct operation *operation, int fd);
const char *try_stacks(const struct operation *operation, int fd);
const char *try_stacks_of_hidden(const struct operation *operation, int fd);
const char *try_stacks_of_others(const struct operation *operation, int fd);
const char *try_exe(const struct operation *operation, int fd);

/** word_of_error() - of errno; @reason: what the module said beside it. */
const char *word_of_error(unsigned int reason);

/** cgroup_open() - for try_start_cgroup(): the group that all processes are in. */
void cgroup_open(void);

enum { COLUMNS = 5 };	/* of the table of operations */

/** rules_read() - the tables of docs/privilege.md. */
void rules_read(const char *path);

/** rule_cell() - a cell of the row that begins with @name in the table of @nr_cells columns. */
const char *rule_cell(const char *name, int nr_cells, int cell);

/** rules_column() - the column of the table of operations that holds for an identity. */
int rules_column(const char *identity, const char *mode);

/** rules_are_used() - or end with 2: nobody tests one. */
void rules_are_used(void);

#endif
