/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of whomay: programs, identities, operations, targets, rules. */
#ifndef WHOMAY_H
#define WHOMAY_H

#include <stddef.h>
#include <sys/types.h>

#include "../device.h"

#define GROUP	4242	/* the module's parameter gid */
#define MEMBER	1001	/* user who owns "own", and the number of his own group */
#define OTHER	1002

#define LONG_ENOUGH_NS	150000000	/* run time after which samples at 1 kHz have hit */
#define STACK_KIB	CPUPROBE_STACK_KIB_MIN

/** need() - print what failed, with errno, and exit 2 unless @is_good. */
void need(int is_good, const char *what);

enum program { OWN, THEIRS, SECRET, OWN_BY_THEM, THEIRS_BY_ME, SETUID, HIDDEN, SPINNER,
	       SPINNER_BY_THEM, SECRET_SPINNER, NR_PROGRAMS };

struct program_kind {
	const char *path;
	uid_t owner, user;
	mode_t mode;
	const char *verb;		/* argument that tells whomay what to do */
};
extern const struct program_kind programs[NR_PROGRAMS];

struct program_running {
	int exe_fd;
	pid_t pid;
};
extern struct program_running running[NR_PROGRAMS];

/** programs_start() - make and start all programs. @gid: group of the member's processes */
void programs_start(gid_t gid);
void programs_stop(void);

/** processes_ready() - wait until @nr processes have called process_is_ready(). */
void processes_ready(int nr);
void process_is_ready(void);

/** process_run_ns() - run time of all threads of a process so far. */
unsigned long long process_run_ns(pid_t pid);

/** process_let_run() - wait until the process has run for @ns more. */
void process_let_run(pid_t pid, unsigned long long ns);

/** process_be_busy() - compute for ever. @dumpable: whether to be dumpable; -1: unchanged */
_Noreturn void process_be_busy(int dumpable);

/** program_copy() - copy this program to @path. */
void program_copy(const char *path, uid_t owner, gid_t group, mode_t mode);

/** program_spin() - compute for ever. @fd: file that says whether to be dumpable */
_Noreturn void program_spin(int fd);

/** program_set_dumpable() - make the member's spinner dumpable, or not dumpable. */
void program_set_dumpable(int wanted);

struct identity {
	const char *name;
	void (*become)(void);		/* take this identity, to use the device */
	void (*opener)(void);		/* take the identity that opens the device; NULL: become */
	int is_self;			/* opener and user are one process, in turn */
	gid_t gid;			/* group of the member's processes; 0: MEMBER */
};
extern const struct identity identities[];
extern const size_t nr_identities;

/** identity_become() - become a user with these groups and no capability. */
void identity_become(uid_t uid, gid_t real, gid_t effective, gid_t more);

/** identity_become_with() - become a user who keeps these capabilities. */
void identity_become_with(uid_t uid, gid_t gid, gid_t more, unsigned long long permitted,
			  unsigned long long effective);

/** identity_enter_ns() - enter a new user namespace, as its root, with @gid as @gid_inside. */
void identity_enter_ns(uid_t uid, gid_t gid_inside, gid_t gid);

struct operation;

/** An operation, tried on a descriptor of its own; returns the result as a word. */
typedef const char *(*operation_fn)(const struct operation *operation, int fd);

struct operation {
	const char *name;
	operation_fn run;
	unsigned int what, by, mode;
	int exe, pid;			/* enum program, or -1 */
};
#define OPERATIONS_MAX 64
extern const struct operation operations[];
extern const size_t nr_operations;

/** A kind of process that callers try to see. */
struct target {
	const char *name;
	void (*live)(void);	/* runs in a child of root; calls process_is_ready() */
	int is_still;		/* uses no CPU time */
};
enum { TARGET_OWN_NS = 15, TARGET_KTHREAD = 23 };
extern const struct target targets[];
extern const size_t nr_targets;

/** targets_start() - start all targets; pid_ret[i] is the process of targets[i]. */
void targets_start(pid_t *pid_ret);
void targets_stop(const pid_t *pid);

/** pairs_try() - try each caller on each target. Returns the number of wrong answers. */
int pairs_try(void);

const char *try_open(const struct operation *operation, int fd);
const char *try_info(const struct operation *operation, int fd);
const char *try_start(const struct operation *operation, int fd);
const char *try_start_event(const struct operation *operation, int fd);
const char *try_start_nmi(const struct operation *operation, int fd);
const char *try_start_cgroup(const struct operation *operation, int fd);
const char *try_start_large(const struct operation *operation, int fd);
const char *try_calls(const struct operation *operation, int fd);
const char *try_trace(const struct operation *operation, int fd);
const char *try_mark(const struct operation *operation, int fd);
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

/** word_of_error() - errno as a word; @reason: the module's enum cpuprobe_reason. */
const char *word_of_error(unsigned int reason);

/** cgroup_open() - open the root control group, for try_start_cgroup(). */
void cgroup_open(void);

/* Columns of the tables of identities, of operations, and of processes by callers. */
enum { IDENTITY_CELLS = 2, OPERATION_CELLS = 6, PAIR_CELLS = 9 };

/** rules_read() - read the tables of docs/privilege.md. */
void rules_read(const char *path);

/** rule_cell() - cell of the row that begins with @name in the table of @nr_cells columns. */
const char *rule_cell(const char *name, int nr_cells, int cell);

/** rules_column() - column of the table of operations that applies to an identity. */
int rules_column(const char *identity, const char *mode);

/**
 * rules_are_used() - exit 2 if a rule was never tested.
 * @is_pairs: check the last table, else the others
 */
void rules_are_used(int is_pairs);

#endif
