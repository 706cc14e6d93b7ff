/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of whomay know of each other: programs, identities, operations, rules. */
#ifndef WHOMAY_H
#define WHOMAY_H

#include <stddef.h>
#include <sys/types.h>

#include "../device.h"

#define GROUP	4242	/* the module's parameter gid */
#define MEMBER	1001	/* "own" is his; and the number of his own group */
#define OTHER	1002

#define LONG_ENOUGH_NS	150000000	/* of a process that is sampled at 1 kHz */
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

/** programs_start() - make them and let them run. @gid: the group of the member's processes */
void programs_start(gid_t gid);
void programs_stop(void);

/** processes_ready() - return when as many processes have called process_is_ready(). */
void processes_ready(int nr);
void process_is_ready(void);

/** process_run_ns() - how long a process, with all its threads, has run so far. */
unsigned long long process_run_ns(pid_t pid);

/** process_let_run() - return when it has run for @ns more. */
void process_let_run(pid_t pid, unsigned long long ns);

/** process_be_busy() - compute for good. @dumpable: what to be; -1: as it comes */
_Noreturn void process_be_busy(int dumpable);

/** program_copy() - have a copy of this program. */
void program_copy(const char *path, uid_t owner, gid_t group, mode_t mode);

/** program_spin() - what a spinner does. @fd: the file that says whether it is dumpable. */
_Noreturn void program_spin(int fd);

/** program_set_dumpable() - have the member's spinner be so, or not. */
void program_set_dumpable(int wanted);

struct identity {
	const char *name;
	void (*become)(void);		/* what it is when it uses the device */
	void (*opener)(void);		/* what opened it; NULL: itself */
	int is_self;			/* opener and user are one process, that changes */
	gid_t gid;			/* the group of the member's processes; 0: MEMBER */
};
extern const struct identity identities[];
extern const size_t nr_identities;

/** identity_become() - a user with these groups and nothing else. */
void identity_become(uid_t uid, gid_t real, gid_t effective, gid_t more);

/** identity_become_with() - the same, who keeps these capabilities. */
void identity_become_with(uid_t uid, gid_t gid, gid_t more, unsigned long long permitted,
			  unsigned long long effective);

/** identity_enter_ns() - be root in a user namespace of the user's own. */
void identity_enter_ns(uid_t uid, gid_t gid_inside, gid_t gid);

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

/** A kind of process that callers look at. */
struct target {
	const char *name;
	void (*live)(void);	/* in a process of its own, of root's; calls process_is_ready() */
	int is_still;		/* does not run */
};
enum { TARGET_OWN_NS = 15, TARGET_KTHREAD = 23 };
extern const struct target targets[];
extern const size_t nr_targets;

/** targets_start() - let all of them live; pid_ret[i] is the process of targets[i]. */
void targets_start(pid_t *pid_ret);
void targets_stop(const pid_t *pid);

/** pairs_try() - each caller and each target. Returns the number of wrong answers. */
int pairs_try(void);

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
const char *try_generation(const struct operation *operation, int fd);
const char *try_same_id(const struct operation *operation, int fd);

/** word_of_error() - of errno; @reason: what the module said beside it. */
const char *word_of_error(unsigned int reason);

/** cgroup_open() - for try_start_cgroup(): the group that all processes are in. */
void cgroup_open(void);

/* Cells of a row of the tables of identities, of operations, and of processes and callers. */
enum { IDENTITY_CELLS = 2, OPERATION_CELLS = 6, PAIR_CELLS = 9 };

/** rules_read() - the tables of docs/privilege.md. */
void rules_read(const char *path);

/** rule_cell() - a cell of the row that begins with @name in the table of @nr_cells columns. */
const char *rule_cell(const char *name, int nr_cells, int cell);

/** rules_column() - the column of the table of operations that holds for an identity. */
int rules_column(const char *identity, const char *mode);

/**
 * rules_are_used() - or end with 2: nobody tests one.
 * @is_pairs: of the last table, or of the others
 */
void rules_are_used(int is_pairs);

#endif
