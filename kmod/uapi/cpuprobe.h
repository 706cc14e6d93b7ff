/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The interface between cpuprobe.ko and its users: fourteen ioctls, poll() and write() on
 * /dev/cpuprobe. There is no other interface.
 *
 * A session is an open file. INFO describes the module. START describes what to sample and starts
 * a timer on every chosen CPU. AREAS, before START or at any time after it, describes where objects
 * are in the target's memory. HARVEST takes one CPU's counts. EXE opens an executable that the
 * counts name. STOP ends sampling; the last counts can still be harvested. close(), explicit or at
 * the process's exit, ends the session and frees everything. A session is started once; to sample
 * again, open the device again. Sessions do not see each other.
 *
 * A session may count calls instead of sampling. CALLS, in place of START, hooks kernel functions and
 * counts every call of each; COUNTS copies one CPU's counts. STOP ends counting at once, and the
 * hooks leave the kernel's text a little later: neither STOP nor close() waits for other CPUs. With
 * CPUPROBE_CALLS_EACH it times every call; TIMES then copies one CPU's times.
 *
 * A session may follow calls. TRACE, in place of START or CALLS, records each beginning and end of a
 * call of kernel functions and of functions of running programs, and what tasks and interrupts did,
 * into memory of fixed size.
 * After the end EVENTS copies one CPU's events, and MISSED the number of calls that no hook saw.
 * write() of at most CPUPROBE_MARK_MAX bytes, by anybody who may open the device, records a mark in all
 * traces that include the caller.
 *
 * A session of stacks may follow user frames by tables that the tool makes from the call frame
 * information of programs and libraries (CPUPROBE_START_UNWIND). The module records which files are
 * mapped where. NEED names a file that samples fell into and that has no table yet; UNWIND hands
 * its table over. Tables serve the session that handed them over, and nobody else.
 *
 * The memory of a session with access 1 counts for its user, from open to close: the session
 * itself, its tables and its areas, including a replaced table of areas that still has readers.
 * The limit on all sessions of a user is 16 MiB per possible CPU, unless a module parameter sets
 * another. Over the limit open(), AREAS and UNWIND fail with -EDQUOT, and START fails with
 * CPUPROBE_REASON_MEMORY. (For a process inside user namespaces the user is the creator of the
 * outermost one.)
 *
 * poll() reports POLLIN when some CPU has CPUPROBE_WAKE_RECORDS or more records (places, in late
 * mode), or stacks that fill more than half of their room, and should be harvested before these
 * fill up. It also reports POLLIN when areas were given and a sample of the target hit none, and
 * when NEED has a file to name. In all other cases a periodic harvest, about once a second, is
 * enough. After STOP poll() reports POLLHUP. For a session that follows calls it reports POLLIN when
 * recording has ended, for whatever reason.
 *
 * Rules for changing this file. Fields are __u32, __s32 or __u64, aligned to
 * their size, with explicit padding, so that 32- and 64-bit programs agree.
 * Every argument begins with its size and the ABI version. A change that an
 * old program could misread raises CPUPROBE_ABI_VERSION; module and tool
 * refuse each other when it differs (-EPROTO). Reserved fields must be zero, and
 * the module checks this: a meaning for a non-zero value needs no new version.
 */
#ifndef _UAPI_CPUPROBE_H
#define _UAPI_CPUPROBE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CPUPROBE_ABI_VERSION	11
#define CPUPROBE_DEVICE		"cpuprobe"	/* under /dev */

#define CPUPROBE_RECORDS	128	/* records in a system table, per CPU */
#define CPUPROBE_SEARCH		5	/* records or places searched before a sample is lost */
#define CPUPROBE_WAKE_RECORDS	20	/* records or places at which poll() reports POLLIN */
#define CPUPROBE_SLOTS		512	/* slots over the address range, per CPU */
#define CPUPROBE_OBJECTS	512	/* objects that a target's samples are counted by */
#define CPUPROBE_AREAS_MAX	8192	/* areas that a session can be given */
#define CPUPROBE_NAME_LEN	32	/* bytes of a record's name, the final NUL included */
#define CPUPROBE_LATE_BINS	36	/* bins of a histogram of times; bin i: below 2^i ns */
#define CPUPROBE_LATE_PLACES	160	/* places where late samples landed, per CPU */

#define CPUPROBE_FRAMES_MAX	64	/* kernel frames of a stack, and as many user frames */
#define CPUPROBE_STACK_EXES	128	/* executables that one account of stacks can name */
#define CPUPROBE_STACK_KIB_MIN	64	/* least memory for stacks, per CPU */
#define CPUPROBE_STACK_KIB	1984	/* default: keeps a session below 2 MiB per CPU */
#define CPUPROBE_STACK_KIB_MAX	65536

#define CPUPROBE_UNWIND_KIB_MIN	64	/* least memory for tables of a session */
#define CPUPROBE_UNWIND_PAGE	65536	/* bytes of a file that one page of a table describes */
#define CPUPROBE_UNWIND_ROWS_MAX (1u << 24)
#define CPUPROBE_UNWIND_RULES_MAX 65536	/* rows have a rule's number in 16 bits */

#define CPUPROBE_FUNCTIONS_MAX	262144	/* functions that a session can count calls of */
#define CPUPROBE_CALLS_SEARCH	8	/* places searched before a call is lost */
#define CPUPROBE_CALLS_KIB_MIN	4	/* least memory for counts of calls, per CPU */
#define CPUPROBE_CALLS_KIB	1024	/* default: 32,768 pairs of a caller and a function */
#define CPUPROBE_CALLS_KIB_MAX	65536
#define CPUPROBE_TIME_BINS	40	/* bins of a histogram of times; bin i: below 2^i ns */
#define CPUPROBE_SYSCALL_UNKNOWN 0xffffu	/* any number that cannot be a system call */
#define CPUPROBE_SYSCALL_COMPAT	0x10000u	/* added to numbers of 32-bit programs */

#define CPUPROBE_TRACE_KIB_MIN	4	/* least memory for events, per CPU */
#define CPUPROBE_TRACE_KIB	1024	/* default: 65,536 events */
#define CPUPROBE_TRACE_KIB_MAX	1048576
#define CPUPROBE_NO_FUNCTION	0xffffffffu	/* in place of the number of a function */
#define CPUPROBE_USER_FUNCTIONS_MAX 16384	/* functions of programs that a session can follow */
#define CPUPROBE_USER_COST_PS	4000000u	/* cost of a call of theirs that is assumed if none is given */
#define CPUPROBE_USER_COST_MAX_PS 1000000000u
#define CPUPROBE_MARK_MAX	64	/* bytes of a mark */
#define CPUPROBE_MARK_START	32	/* bytes of a mark that begins a recording */

#define CPUPROBE_PERIOD_MIN_NS	50000ULL	/* 20 kHz */
#define CPUPROBE_PERIOD_MAX_NS	1000000000ULL	/* 1 Hz */
#define CPUPROBE_EVENTS_MAX	0x7fffffffULL	/* events from one sample to the next, on average */

/** Processor mode of a sample, index into hits[] and lost[]. */
enum cpuprobe_mode {
	CPUPROBE_MODE_KERNEL = 0,	/* system calls, faults, kernel threads, idle */
	CPUPROBE_MODE_SOFTIRQ = 1,	/* softirq work on top of whatever ran */
	CPUPROBE_MODE_USER = 2,
	CPUPROBE_MODE_GUEST = 3,	/* a virtual CPU run by this kernel */
	CPUPROBE_MODES = 4,
};

/** Identity that a record of the system table counts. An id has two words, ";" between them. */
enum cpuprobe_kind {
	CPUPROBE_KIND_FREE = 0,		/* no record */
	CPUPROBE_KIND_EXE = 1,		/* id: see below; device << 32 | inode generation */
	CPUPROBE_KIND_KTHREAD = 2,	/* id: from the kernel thread's name, per-CPU part as "*" */
	CPUPROBE_KIND_COMM = 3,	/* a command name, or a process without an executable; id from it */
	CPUPROBE_KIND_IDLE = 4,		/* nothing to run */
	CPUPROBE_KIND_SOFTIRQ = 5,	/* softirq work that interrupted idle */
	CPUPROBE_KIND_EXITING = 6,	/* a dying process that has released its memory */
	CPUPROBE_KIND_PROCESS = 7,	/* id: pid << 32 | hash of its executable; start time */
	CPUPROBE_KIND_THREAD = 8,	/* id: pid << 32 | hash of its name; start time */
	CPUPROBE_KIND_CGROUP = 9,	/* id: the group's id (version 2: its inode number); 0 */
};

/*
 * The first word of an executable's id is its inode number times this factor, exclusive or the
 * inode's generation, so that neighbouring numbers do not collide in the table. To get the inode
 * number back, remove the generation (exclusive or the low half of the second word) and multiply
 * by the factor's inverse modulo 2^64.
 *
 * The generation distinguishes files that used one inode number in turn. The generation is also
 * the part of an NFS file handle that nobody can guess, so sessions with access 1 (see INFO) do
 * not get it: a keyed hash replaces the generation in both words. A keyed hash also replaces the
 * hash in the id of a process, and the top byte of its second word is then 0. Different ids stay
 * different, and equal ids stay equal while the module is loaded.
 */
#define CPUPROBE_INODE_FACTOR	79ULL
#define CPUPROBE_INODE_INVERSE	0x9b8b577e613716afULL

/** Grouping of samples in system mode. */
enum cpuprobe_by {
	CPUPROBE_BY_EXE = 0,		/* the executable: all its processes together */
	CPUPROBE_BY_PID = 1,		/* the process and the executable that it runs */
	CPUPROBE_BY_THREAD = 2,		/* the thread and its name */
	CPUPROBE_BY_COMM = 3,		/* the command name */
	CPUPROBE_BY_CGROUP = 4,		/* the control group, version 2 */
};

/** How the instants of sampling are chosen. */
enum cpuprobe_jitter {
	CPUPROBE_JITTER_GRID = 0,	/* one uniform instant in each period of a grid */
	CPUPROBE_JITTER_POISSON = 1,	/* independent exponential gaps */
	CPUPROBE_JITTER_NONE = 2,	/* fixed period: biased, for comparison only */
};

/** Kind of a session. */
enum cpuprobe_what {
	CPUPROBE_WHAT_SYSTEM = 1,	/* every process by mode, in records */
	CPUPROBE_WHAT_PROCESS = 2,	/* one target's addresses, in slots */
	CPUPROBE_WHAT_LATE = 3,		/* lateness of samples, and where late ones land */
	CPUPROBE_WHAT_STACKS = 4,	/* whole stacks, identical ones together */
};

/** Objects with a fixed meaning. The target's samples are counted by object. */
enum cpuprobe_object {
	CPUPROBE_OBJECT_EXE = 0,	/* the executable's own code, wherever it was loaded */
	CPUPROBE_OBJECT_SOFTIRQ = 1,	/* softirq work on top of the target */
	CPUPROBE_OBJECT_GUEST = 2,	/* a virtual CPU run by the target */
	CPUPROBE_OBJECT_KERNEL = 3,	/* kernel addresses in no area */
	CPUPROBE_OBJECT_UNPLACED = 4,	/* user addresses in no area */
	CPUPROBE_OBJECT_FIRST = 5,	/* this number and above: assigned by areas */
};

/** Why START, CALLS or TRACE was refused, in the field @reason. */
enum cpuprobe_reason {
	CPUPROBE_REASON_NONE = 0,	/* see errno */
	CPUPROBE_REASON_FIELD = 1,	/* unknown value, or unused field not zero; -EINVAL */
	CPUPROBE_REASON_PERIOD = 2,	/* period_ns outside its limits; -EINVAL */
	CPUPROBE_REASON_CPUS = 3,	/* no possible CPU in the mask; -EINVAL */
	CPUPROBE_REASON_RANGE = 4,	/* low >= high; -EINVAL */
	CPUPROBE_REASON_TARGET = 5,	/* no such process, executable or group; -ESRCH, -EBADF */
	CPUPROBE_REASON_OWNER = 6,	/* the target belongs to another user; -EPERM */
	CPUPROBE_REASON_KERNEL = 7,	/* kernel addresses and lateness need CAP_PERFMON; -EPERM */
	CPUPROBE_REASON_LOCKDOWN = 8,	/* kernel addresses are locked down; -EPERM */
	CPUPROBE_REASON_RATE = 9,	/* sum of the sessions' rates too high; -EBUSY */
	CPUPROBE_REASON_OVERHEAD = 10,	/* sum of rate x cost of a sample too high; -EBUSY */
	CPUPROBE_REASON_SLEEPERS = 11,	/* too many with _IDLE_SLEEP: 8, with access 1: 4; -EBUSY */
	CPUPROBE_REASON_MEMORY = 12,	/* too much memory for the user's sessions, or the machine; -ENOMEM */
	CPUPROBE_REASON_SESSIONS = 13,	/* the user has started too many sessions; -EBUSY */
	CPUPROBE_REASON_TIMERS = 14,	/* timers only expire at ticks; -EOPNOTSUPP */
	CPUPROBE_REASON_QUIET = 15,	/* would disturb isolated CPUs, with access 1; -EPERM */
	CPUPROBE_REASON_CLOCK = 16,	/* cost of a sample unknown (coarse clock); -EOPNOTSUPP */
	CPUPROBE_REASON_CPU_SESSIONS = 17,	/* too many sessions on a CPU; -EBUSY */
	CPUPROBE_REASON_NO_HOOKS = 18,	/* functions can't be hooked: ftrace is off; -EOPNOTSUPP */
	CPUPROBE_REASON_FUNCTIONS = 19,	/* none of the functions can be hooked; -EINVAL */
	CPUPROBE_REASON_UNHOOKING = 20,	/* hooks of an earlier session are still there; -EBUSY */
	CPUPROBE_REASON_TABLE = 21,	/* @table_kib is too small for the functions; -EINVAL */
	CPUPROBE_REASON_OBJECT = 22,	/* a file of user functions cannot be one of a program; -EBADF */
	CPUPROBE_REASON_EVENT = 23,	/* the kernel cannot count this event; its own error */
	CPUPROBE_REASON_NMI = 24,	/* no NMIs can be had: from another CPU, or of this event; -EOPNOTSUPP */
	CPUPROBE_REASON_NEIGHBOUR = 25,	/* with _NMI: fewer than two of the CPUs are online; -ENXIO */
	CPUPROBE_REASON_NMI_SESSIONS = 26, /* four sessions sample by NMI; -EBUSY */
};

/**
 * Index into INFO's costs of a sample, by kind of session. Sessions of stacks have one cost for
 * each choice of frames: CPUPROBE_COST_STACKS + @frames - 1.
 */
enum cpuprobe_cost {
	CPUPROBE_COST_SYSTEM = 0,	/* by executable */
	CPUPROBE_COST_BY = 1,		/* by anything else */
	CPUPROBE_COST_PROCESS = 2,
	CPUPROBE_COST_LATE = 3,
	CPUPROBE_COST_STACKS = 4,
	CPUPROBE_COST_TABLES = 7,	/* stacks with _UNWIND: only user frames; next: all frames */
	CPUPROBE_COSTS = 9,
};

/**
 * struct cpuprobe_info - the module's properties; can be read at any time.
 * @size: in: size of the caller's struct; out: size of the module's struct
 * @version: in: ignored; out: CPUPROBE_ABI_VERSION of the module
 * @access: 2: everything; 1: system table, own programs, user addresses only
 * @nr_cpu_ids: highest possible CPU number plus one
 * @cost_ns: cost of one timer interrupt with an empty handler, measured at module load
 * @rate_limit_hz: limit on the sum of all sessions' rates per CPU
 * @overhead_limit_ppm: limit on the sum over all sessions of rate times cost, in millionths of a
 *	CPU
 * @bytes_per_cpu: memory of a started session per sampled CPU, without the memory of stacks
 * @release: the module's version, NUL-terminated
 * @sample_cost_ns: cost of a sample, by enum cpuprobe_cost: the interrupt with the handler and,
 *	for stacks, CPUPROBE_FRAMES_MAX frames of each kind taken, as measured at module load,
 *	plus half an interrupt for further costs to user code. A module parameter can replace all
 *	these costs. 0: the cost could not be measured, and START is refused
 * @overhead_used_ppm: how much of @overhead_limit_ppm is in use, on the CPU where most is
 *
 * INFO fills only the fields that both sides know, and accepts any size in the command's number,
 * so any tool can learn the version of any module. All other commands refuse another size like
 * another version: -EPROTO.
 */
struct cpuprobe_info {
	__u32 size;
	__u32 version;
	__u32 access;
	__u32 nr_cpu_ids;
	__u32 cost_ns;
	__u32 rate_limit_hz;
	__u32 overhead_limit_ppm;
	__u32 bytes_per_cpu;
	char release[32];
	__u32 sample_cost_ns[CPUPROBE_COSTS];
	__u32 overhead_used_ppm;
};

/* Flags of START. */
#define CPUPROBE_START_EXCLUDE_DEFERRED	1u	/* deferred samples are in the account only */
/*
 * The timer is off while a CPU idles. Samples that would have found the CPU idle, or in softirq
 * work on top of idle, are counted without being taken, and are never late. Not with
 * CPUPROBE_JITTER_POISSON, not in late mode. At most 8 such sessions at a time; a session with
 * access 1 starts only while there are fewer than 4. The start of the first and the end of the last
 * such session interrupt every CPU, so the flag is refused with access 1 if some CPU is to be kept
 * quiet. -EOPNOTSUPP: the kernel has no tracepoints.
 */
#define CPUPROBE_START_IDLE_SLEEP	2u
/*
 * Stacks: user frames are found by the tables of UNWIND, and by frame pointers only where there is
 * no table. The module hooks three functions of the kernel that map code, fork and end a process;
 * the first such session to start and the last to end interrupt every CPU. So it is refused with
 * CPUPROBE_REASON_QUIET while some CPU is to be kept quiet, unless access is 2 and _DISTURB is set.
 * CPUPROBE_REASON_NO_HOOKS: the kernel has no kprobes, or not these functions.
 */
#define CPUPROBE_START_UNWIND		4u
#define CPUPROBE_START_DISTURB		8u	/* with _UNWIND: hook although this interrupts isolated CPUs */
/*
 * Samples are taken by NMI: at each instant another CPU of the session, its sender, interrupts the sampled
 * one, which no code can put off. A sample lands in code that keeps interrupts off as in any other, and is
 * never late. At least two of the session's CPUs must be online; a CPU that is left alone is not sampled.
 * Needs access 2, and a processor whose CPUs can send each other NMIs. Not with
 * _IDLE_SLEEP. At most 4 such sessions at a time.
 *
 * With an event of the processor nobody sends NMIs: the overflows of its counter are the NMIs, on any CPU and in any
 * number of sessions. The first START proves that they are, by keeping interrupts off on one CPU, 2 ms at a time, or
 * refuses with CPUPROBE_REASON_NMI. @merged and @foreign of the account are 0. The other rules of events hold. Late
 * mode takes events with this flag only; its times are numbers of events then.
 *
 * An NMI does not say who sent it. The module takes one for its own while it has sent more to that CPU than
 * have come: so it may take one of somebody else's, two at most after the last own one. Other handlers
 * get every NMI all the same.
 *
 * In late mode @deferred of the account and the places count samples that found interrupts off: where the
 * CPU was, not where interrupts were re-enabled. No sample is late then.
 */
#define CPUPROBE_START_NMI		16u

/* Which events are left out, of those that happen in this mode. */
#define CPUPROBE_EVENT_NO_USER		1u
#define CPUPROBE_EVENT_NO_KERNEL	2u

/* Stacks: which frames are taken. */
#define CPUPROBE_FRAMES_USER	1u
#define CPUPROBE_FRAMES_KERNEL	2u

/**
 * struct cpuprobe_start - what to sample, and how.
 * @size: sizeof(struct cpuprobe_start)
 * @version: CPUPROBE_ABI_VERSION
 * @what: enum cpuprobe_what
 * @jitter: enum cpuprobe_jitter
 * @period_ns: mean time between samples of one CPU
 * @seed: random seed of the sampling instants; 0: the module draws one. out: the seed used
 * @cpus: address of a bit mask of CPU numbers, in bytes, lowest first; 0: all CPUs. Some CPUs are
 *	to be kept quiet (isolated, nohz_full). With access 2 they are sampled like all others: the
 *	caller is responsible. With access 1, 0 leaves them out, and a mask that has one is refused
 * @cpus_len: length of that mask in bytes, at most 8192; 0 if @cpus is 0. Bits for impossible
 *	CPUs are ignored
 * @deferred_ns: a sample later than this counts as deferred; 0: 100 us
 * @exe_fd: process: a descriptor open on the target executable; -1, any, only in kernel mode with
 *	@pid. Stacks: a descriptor open on the target executable; -1: any
 * @pid: process: only this process (all its threads), as seen from the initial pid namespace, and
 *	only while it runs the executable; 0: every process of the executable. With access 1 only
 *	the opener's own processes are counted in both cases, others as @other_task of the
 *	account. Stacks: the same
 * @mode: process: CPUPROBE_MODE_USER or CPUPROBE_MODE_KERNEL
 * @object: process, user mode: the object whose addresses are counted in slots. 0: the executable;
 *	otherwise _UNPLACED or an object of an area. Zero in kernel mode, where any kernel address
 *	can be counted
 * @low: process: first address that counts. User mode: link-time address in the object
 * @high: process: end of the range (exclusive)
 * @by: system: enum cpuprobe_by
 * @flags: CPUPROBE_START_*
 * @code_start: process, user mode: lowest p_vaddr of the executable's PT_LOAD segments with PF_X.
 *	The kernel keeps the relocated value in mm->start_code; the difference is the load bias.
 *	Zero in kernel mode
 * @reason: out, on failure: enum cpuprobe_reason
 * @holder_pid: out, with _RATE and _OVERHEAD: process of the session with the largest share
 * @holder_rate_hz: out: samples per second and CPU of that session
 * @used_rate_hz: out, with _RATE and _OVERHEAD: samples per second of all sessions on the first CPU
 *	that has no room
 * @holder_comm: out: command name of the process of @holder_pid
 * @cgroup_fd: stacks: a descriptor open on the directory of a control group, version 2; only
 *	processes of that group and the groups below it are sampled; -1: any. Other modes: -1
 * @frames: stacks: CPUPROBE_FRAMES_*, at least one. _KERNEL needs access 2. Other modes: 0
 * @stack_kib: stacks: memory per CPU in KiB, CPUPROBE_STACK_KIB_MIN to _MAX; 0: CPUPROBE_STACK_KIB.
 *	Other modes: 0
 * @used_overhead_ppm: out, with _RATE and _OVERHEAD: rate times cost of all sessions on that CPU,
 *	in millionths of a CPU
 * @unwind_kib: stacks with _UNWIND: limit on the session's tables in KiB, at least
 *	CPUPROBE_UNWIND_KIB_MIN; 0: what a module parameter allows all sessions together. Else 0
 * @event_type: 0: time is sampled. Otherwise events are: the type of an event as of
 *	perf_event_open(2), plus one; no tracepoint, breakpoint, probe, cpu-clock or task-clock. Needs
 *	access 2. In late mode only with _NMI; not with _IDLE_SLEEP or _POISSON. On each CPU a counter
 *	of the kernel's takes the place of the timer
 * @event_flags: CPUPROBE_EVENT_*, not both. Zero without an event, as the next fields
 * @reserved: zero
 * @event_config, @event_config1: the event, as in struct perf_event_attr
 * @event_period: mean number of events between samples of one CPU, 1 to CPUPROBE_EVENTS_MAX. The instants
 *	of sampling are chosen by @jitter, in a grid of events. @period_ns is then the shortest mean time
 *	between samples: it is what the session claims, and while events come faster, some samples are
 *	missed instead
 *
 * In other modes all fields marked "process" are zero, except @exe_fd, which is -1. Fields marked
 * "out" may hold anything on input. After a failed call the session can still be started, with one
 * exception: if sampling has begun but the answer cannot be written, the seed would be unknown, so
 * the session has ended (-EFAULT). -EBUSY with CPUPROBE_REASON_NONE: it was started before.
 *
 * A started session counts on its CPUs, and for its user, until the file is closed: STOP gives
 * back only its rate. For sessions with access 1 the module shifts the start of the sampling
 * instants that @seed gives by a random part of a period.
 */
struct cpuprobe_start {
	__u32 size;
	__u32 version;
	__u32 what;
	__u32 jitter;
	__u64 period_ns;
	__u64 seed;
	__u64 cpus;
	__u32 cpus_len;
	__u32 deferred_ns;
	__s32 exe_fd;
	__u32 pid;
	__u32 mode;
	__u32 object;
	__u32 by;
	__u32 flags;
	__u64 low;
	__u64 high;
	__u64 code_start;
	__u32 reason;
	__u32 holder_pid;
	__u32 holder_rate_hz;
	__u32 used_rate_hz;
	char holder_comm[16];
	__s32 cgroup_fd;
	__u32 frames;
	__u32 stack_kib;
	__u32 used_overhead_ppm;
	__u32 unwind_kib;
	__u32 event_type;
	__u32 event_flags;
	__u32 reserved;
	__u64 event_config;
	__u64 event_config1;
	__u64 event_period;
};

/**
 * struct cpuprobe_area - an address range that holds code of one object.
 * @start: first run-time address
 * @end: end of the range (exclusive)
 * @bias: run-time address minus link-time address (mod 2^64)
 * @space: distinguishes the address space from an earlier or later one of the same pid:
 *	the address of the bottom of its stack, field 28 of /proc/PID/stat. 0 for the kernel
 * @pid: the process, as seen from the initial pid namespace; 0: the kernel
 * @object: number of the object: CPUPROBE_OBJECT_EXE, or from CPUPROBE_OBJECT_FIRST to
 *	CPUPROBE_OBJECTS - 1
 */
struct cpuprobe_area {
	__u64 start;
	__u64 end;
	__u64 bias;
	__u64 space;
	__u32 pid;
	__u32 object;
};

#define CPUPROBE_AREAS_EXACT	1u

/**
 * struct cpuprobe_areas - where the target's code lies; replaces all areas given before.
 * @size: sizeof(struct cpuprobe_areas)
 * @version: CPUPROBE_ABI_VERSION
 * @nr_areas: number of areas, at most CPUPROBE_AREAS_MAX
 * @flags: CPUPROBE_AREAS_EXACT: a process of the target no longer has its executable's code
 *	where it was loaded, so the module looks up the areas for every sample. Without this flag
 *	an address within the code as loaded belongs to the executable
 * @areas: address of the areas, ascending by pid and start, none overlapping
 *
 * Memory: 40 bytes per area, rounded up, for the new areas and for replaced ones that still have
 * readers. On failure the old areas stay in force.
 * -EPERM: areas of the kernel need CAP_PERFMON and a kernel that is not locked down. -EINVAL:
 * wrong order or numbers. -EDQUOT: the sessions of this user would hold too much memory.
 */
struct cpuprobe_areas {
	__u32 size;
	__u32 version;
	__u32 nr_areas;
	__u32 flags;
	__u64 areas;
};

/**
 * struct cpuprobe_record - counts of one identity; also the module's own record.
 * @id: identity within @kind
 * @kind: enum cpuprobe_kind
 * @reserved: zero
 * @hits: samples by mode
 * @missed: periods without a sample before a late sample that landed here (not in @hits)
 * @deferred: part of @hits: samples that came later than deferred_ns
 * @name: name for people, NUL-terminated; may hold any other byte. After the name of an
 *	executable comes the name of its directory, as far as there is room, with its own NUL
 */
struct cpuprobe_record {
	__u64 id[2];
	__u32 kind;
	__u32 reserved;
	__u64 hits[CPUPROBE_MODES];
	__u64 missed;
	__u64 deferred;
	char name[CPUPROBE_NAME_LEN];
};

/* Flags of a stack: why the walk ended before the outermost frame. */
#define CPUPROBE_STACK_NO_FRAME_POINTER	1u	/* user: the next frame pointer is invalid */
#define CPUPROBE_STACK_UNREADABLE	2u	/* user: the next frame is not in memory, or an NMI came where it cannot be read */
#define CPUPROBE_STACK_USER_DEEP	4u	/* user: more than CPUPROBE_FRAMES_MAX frames */
#define CPUPROBE_STACK_KERNEL_DEEP	8u	/* kernel: more than CPUPROBE_FRAMES_MAX frames */
#define CPUPROBE_STACK_BROKEN		16u	/* kernel: the unwinder gave up */
#define CPUPROBE_STACK_32BIT		32u	/* user: 32-bit code: frames are not followed */
/*
 * User: the second frame is the word at the top of the stack, for one of two reasons. The
 * instruction at the first frame suggests that its function has no frame of its own there; or the
 * word follows a call of that function. The word may be no return address.
 * With tables: only of code without a rule, in a file with a table.
 */
#define CPUPROBE_STACK_GUESSED		64u
/*
 * User, with CPUPROBE_START_UNWIND: why the walk ended at the last frame, whose code no frame pointer
 * leads on from either.
 */
#define CPUPROBE_STACK_NO_TABLE		128u	/* the file of that code has no table, or none yet */
#define CPUPROBE_STACK_NO_BUDGET	256u	/* its table found no room in the session's memory */
#define CPUPROBE_STACK_UNSUPPORTED	512u	/* the rule for that address cannot be followed */
#define CPUPROBE_STACK_UNMAPPED		1024u	/* no file is mapped there: generated code */
#define CPUPROBE_STACK_UNKNOWN		2048u	/* the mappings of the process are not known yet */
#define CPUPROBE_STACK_OUTSIDE		4096u	/* a rule leads out of the stack */
#define CPUPROBE_STACK_NO_RULE		16384u	/* code without call frame information, in a file that has some */
/* Some frame was found by a frame pointer in code without a table: it and all after it may be wrong (@nr_sure). */
#define CPUPROBE_STACK_BY_POINTER	8192u
/*
 * User: the process is in a system call. Its instruction is the one before the address of the first frame, which may
 * be in the next function.
 */
#define CPUPROBE_STACK_SYSCALL		32768u

/**
 * struct cpuprobe_stack - samples that found the same stack of the same process and executable.
 * @hits: samples
 * @missed: periods without a sample before late samples that landed here (not in @hits)
 * @comm: name of the process's first thread, or of the kernel thread, its per-CPU part as "*";
 *	NUL-terminated
 * @code_start: where the executable's code begins in the process's memory; 0: no executable
 * @exe: number of the process's executable in the account, plus one; 0: none, or no room for it
 * @nr_sure: with CPUPROBE_START_UNWIND: number of user frames before the first one that a frame pointer or a
 *	guess found. Without: 0
 * @pid: the process (thread group), as seen from the initial pid namespace; 0: idle, or softirq
 *	work on top of idle
 * @kind: CPUPROBE_KIND_PROCESS, _KTHREAD, _IDLE, _SOFTIRQ or _EXITING
 * @mode: enum cpuprobe_mode. A sample in softirq mode has no user frames
 * @flags: CPUPROBE_STACK_*
 * @space: distinguishes the address space from an earlier or later one of the same pid: the
 *	address of the bottom of its stack, field 28 of /proc/PID/stat. 0: none, or a program that is
 *	still being executed, which has no user frames yet
 * @nr_kernel, @nr_user: number of frames of each kind, at most CPUPROBE_FRAMES_MAX
 * @frame: addresses, kernel frames first, then user frames, each kind innermost first: the sampled
 *	program counter, then return addresses. The first user frame of a sample in the kernel is
 *	where the process entered the kernel
 *
 * The next stack begins where the frames end.
 */
struct cpuprobe_stack {
	__u64 hits;
	__u64 missed;
	char comm[16];
	__u64 code_start;
	__u32 exe;
	__u32 nr_sure;
	__u32 pid;
	__u32 kind;
	__u32 mode;
	__u32 flags;
	__u64 space;
	__u32 nr_kernel;
	__u32 nr_user;
	__u64 frame[];
};

/** struct cpuprobe_exe - an executable of an account of stacks. @id: as with CPUPROBE_KIND_EXE */
struct cpuprobe_exe {
	__u64 id[2];
};

/* Flags of an account. */
#define CPUPROBE_ACCOUNT_OFFLINE	1u	/* the CPU is offline now */
#define CPUPROBE_ACCOUNT_STOPPED	2u	/* sampling has ended: these counts are the last */
#define CPUPROBE_ACCOUNT_SLOWED		4u	/* the next account has twice this period */
#define CPUPROBE_ACCOUNT_DAMAGED	8u	/* the sums do not hold: a bug in the module */
#define CPUPROBE_ACCOUNT_COSTLY		16u	/* slowed, or with an event at most half as many a second: samples cost too much */
/* With an event: the kernel stopped the counter until a tick, and its events went uncounted. */
#define CPUPROBE_ACCOUNT_THROTTLED	32u
/*
 * With an event: the CPU had no counter for a time, since it was offline. The first harvest without
 * CPUPROBE_HARVEST_DUE after its return makes another one. With _NMI: the CPU was online, and for a time no other one was
 * there to send.
 */
#define CPUPROBE_ACCOUNT_UNCOUNTED	64u

/**
 * struct cpuprobe_account - what became of the samples of one CPU since the
 * previous account. All counts but @pending are differences, not totals.
 * @seq: number of this account; quote it as @ack in the next harvest
 * @flags: CPUPROBE_ACCOUNT_*
 * @entries: records, stacks, or counts by object and by slot, copied to the buffer
 * @period_ns: mean time between samples while these counts were made
 * @expected: sampling periods that came due, computed from the clock
 * @taken: samples taken
 * @missed: periods that passed without a sample of their own
 * @pending: samples that are due at this moment but not taken yet
 * @lost: samples taken that found no record, by mode (system, stacks); deferred samples that
 *	found no place, in lost[0] (late)
 * @outside: samples of the target in another object or outside [low, high) (process)
 * @other_mode: samples of the target in another mode (process)
 * @other_exe: samples of the process @pid of START while it ran another executable (process,
 *	stacks)
 * @other_task: samples of all other tasks (process, stacks)
 * @deferred: samples later than deferred_ns; idle samples are never deferred
 * @excluded: part of @taken: deferred samples that are counted nowhere else, with
 *	CPUPROBE_START_EXCLUDE_DEFERRED
 * @late_ns: sum of the delays from the programmed instants, idle samples not included; samples
 *	taken early, along with another timer, reduce the sum, but not below 0
 * @late_max_ns: the largest of these delays
 * @objects: how many of @entries are counts by object (process); how many executables come
 *	before the @entries stacks (stacks)
 * @unplaced_pid: a process with a sample in CPUPROBE_OBJECT_UNPLACED; 0: none (process)
 * @missed_target: part of @missed: periods before a late sample of the target (process)
 * @bytes: size of executables and stacks together (stacks)
 * @handler_ns: mean time in the handler over the samples that were timed, at most 4 s (late: all
 *	samples; stacks, and every kind with _NMI: about one in 16; every kind with an event: one in 16
 *	to one in 128). 0: no sample was timed
 * @events: events that were counted; 0 without an event
 * @enabled_ns: time in which the CPU's counter was enabled; 0 without an event
 * @running_ns: part of @enabled_ns in which it counted: more events than the processor has counters
 *	take turns
 * @irqs_off: part of @taken: samples that found interrupts off; 0 without _NMI, as the next two. Idle
 *	CPUs may wait with interrupts off, which does not count
 * @merged: part of @missed: NMIs that merged with others on their way
 * @foreign: NMIs that came shortly after some of the module's, and that nobody else claimed. The
 *	kernel would have complained about them
 *
 * With an event @period_ns is a number of events, not a time, and @expected follows from @events.
 *
 * In every account, summed since the start:
 *	taken + missed + pending = expected
 * and in each account by itself:
 *	sum of records' hits + sum of lost + excluded = taken		(system)
 *	sum of slots + outside + other_mode + other_exe + other_task + excluded = taken	(process)
 *	sum of both histograms = taken; sum of places + lost = deferred	(late)
 *	sum of objects = sum of slots + outside + other_mode			(process)
 *	sum of stacks' hits + sum of lost + other_exe + other_task + excluded = taken	(stacks)
 */
struct cpuprobe_account {
	__u64 seq;
	__u32 flags;
	__u32 entries;
	__u64 period_ns;
	__u64 expected;
	__u64 taken;
	__u64 missed;
	__u64 pending;
	__u64 lost[CPUPROBE_MODES];
	__u64 outside;
	__u64 other_mode;
	__u64 other_exe;
	__u64 other_task;
	__u64 deferred;
	__u64 late_ns;
	__u64 late_max_ns;
	__u32 objects;
	__u32 unplaced_pid;
	__u64 excluded;
	__u64 missed_target;
	__u32 bytes;
	__u32 handler_ns;
	__u64 events;
	__u64 enabled_ns;
	__u64 running_ns;
	__u64 irqs_off;
	__u64 merged;
	__u64 foreign;
};

/**
 * struct cpuprobe_place - where late samples landed: where interrupts were re-enabled.
 * @pc: the address in the kernel; 0: user code, or a virtual CPU's code
 * @caller: @pc; if @pc is in locking code, the first return address outside locking code
 * @hits: deferred samples; idle samples are never deferred
 * @missed: periods without a sample before these samples
 * @off_ns: unbiased estimate of the time in which samples were kept waiting: one period for each
 *	instant known to lie in that time and, if further periods began, the elapsed part of the
 *	last one
 * @late_ns: sum of the samples' lateness
 * @late_max_ns: the largest lateness
 */
struct cpuprobe_place {
	__u64 pc;
	__u64 caller;
	__u64 hits;
	__u64 missed;
	__u64 off_ns;
	__u64 late_ns;
	__u64 late_max_ns;
};

/**
 * struct cpuprobe_lateness - how late samples came.
 * @hits: samples by lateness: bin i from 2^(i-1) to 2^i - 1 ns, bin 0 on time or early, the last
 *	bin without a limit. hits[0]: samples that hit work; hits[1]: samples that woke an idle CPU
 * @handler_ns: time in the handler, summed over samples
 * @handler_ns2: square of that time, summed
 * @handler_min_ns, @handler_max_ns: least and greatest time of a sample
 * @handler_hits: samples by the time in their handler, with bins as of @hits
 * @place: where deferred samples landed; as many as the account's entries
 */
struct cpuprobe_lateness {
	__u64 hits[2][CPUPROBE_LATE_BINS];
	__u64 handler_ns;
	__u64 handler_ns2;
	__u64 handler_min_ns;
	__u64 handler_max_ns;
	__u64 handler_hits[CPUPROBE_LATE_BINS];
	struct cpuprobe_place place[CPUPROBE_LATE_PLACES];
};

#define CPUPROBE_HARVEST_DUE	1u	/* only if poll() would report this CPU */

/**
 * struct cpuprobe_harvest - take the counts of one CPU.
 * @size: sizeof(struct cpuprobe_harvest)
 * @version: CPUPROBE_ABI_VERSION
 * @cpu: CPU number
 * @buffer_len: bytes at @buffer; at least CPUPROBE_RECORDS records in system
 *	mode, CPUPROBE_OBJECTS + CPUPROBE_SLOTS times 8 in process mode, a struct
 *	cpuprobe_lateness in late mode, half of the memory of @stack_kib for stacks
 * @flags: CPUPROBE_HARVEST_DUE: counts that are not due yet are left alone; the
 *	account is then the one acknowledged
 * @reserved: zero
 * @buffer: address that receives the entries: an array of struct cpuprobe_record; or a struct
 *	cpuprobe_lateness; or an array of __u64 counts, first those by object, lowest number first,
 *	then those by slot, lowest address first (none when all are zero); or executables, then
 *	stacks
 * @ack: @seq of the last account received from this CPU; 0 at first. Until it is quoted
 *	the same account is handed out again, so a failed copy loses nothing
 * @account: out
 *
 * -ENODEV: this CPU is not sampled by the session. -EINVAL: not started, unknown flag, or buffer
 * too small. -EFAULT: the buffer cannot be written; nothing is lost. -EPERM: the
 * counts reveal kernel addresses, and the kernel was locked down since START.
 */
struct cpuprobe_harvest {
	__u32 size;
	__u32 version;
	__u32 cpu;
	__u32 buffer_len;
	__u32 flags;
	__u32 reserved;
	__u64 buffer;
	__u64 ack;
	struct cpuprobe_account account;
};

/**
 * struct cpuprobe_open - open an executable that the last account handed out names.
 * @size: sizeof(struct cpuprobe_open)
 * @version: CPUPROBE_ABI_VERSION
 * @cpu: CPU number
 * @exe: number of the executable in that account: 0 for the first
 * @seq: @seq of that account, not acknowledged yet
 *
 * Returns a descriptor of the file itself, open for reading, closed at exec. The file may be
 * mounted anywhere or deleted, and its processes may have ended. -ESTALE: another account.
 * -EINVAL: no such executable, no stacks. -ENODEV: this CPU is not sampled. -EACCES: the caller
 * may not read the file, as with open(); but the directories above the file are not checked.
 */
struct cpuprobe_open {
	__u32 size;
	__u32 version;
	__u32 cpu;
	__u32 exe;
	__u64 seq;
};

/** Kind of a rule: how to get the CFA, the value of the stack pointer in the caller. */
enum cpuprobe_rule_kind {
	CPUPROBE_RULE_NONE = 0,		/* no call frame information for these addresses */
	CPUPROBE_RULE_CFA = 1,		/* CFA = base + @offset */
	CPUPROBE_RULE_DEREF = 2,	/* CFA = word at (base + @offset), plus @add */
	/* CFA = base + @offset, plus a word if (program counter & 15) >= @add: linkage tables */
	CPUPROBE_RULE_PLT = 3,
	/*
	 * Return from a signal handler: the interrupted stack pointer is the word at (base + @offset), the
	 * link register, if the processor has one, the word at (base + @add)
	 */
	CPUPROBE_RULE_SIGNAL = 4,
	CPUPROBE_RULE_OUTERMOST = 5,	/* nobody called this function */
	CPUPROBE_RULE_UNSUPPORTED = 6,	/* a rule that cannot be expressed here */
	/* CFA = register @base, by its number in DWARF, + @offset: known of an interrupted function only */
	CPUPROBE_RULE_REGISTER = 7,
	/* As _DEREF, but @fp_words counts from the base: functions that align their stack */
	CPUPROBE_RULE_REALIGNED = 8,
	CPUPROBE_RULE_KINDS = 9,
};

/** How to get a register of the caller. */
enum cpuprobe_saved {
	CPUPROBE_SAVED_SAME = 0,	/* unchanged; return address: in the link register */
	CPUPROBE_SAVED_STACK = 1,	/* a word of the stack, counted in words from the CFA */
	CPUPROBE_SAVED_LOST = 2,	/* unknown */
};

/**
 * struct cpuprobe_rule - how to get from a function's registers to its caller's. One row of a table
 * may share its rule with any others.
 * @kind: enum cpuprobe_rule_kind
 * @base: 0: the stack pointer; 1: the frame pointer; with CPUPROBE_RULE_REGISTER a number up to 31
 * @fp: enum cpuprobe_saved: the frame pointer
 * @ra: enum cpuprobe_saved: the return address
 * @offset, @add: bytes
 * @fp_words, @ra_words: with CPUPROBE_SAVED_STACK: place in words from the CFA; with
 *	CPUPROBE_RULE_SIGNAL from the base, and @ra_words is where the interrupted program counter is
 *
 * Fields that the kind does not use are 0.
 */
struct cpuprobe_rule {
	__u8 kind;
	__u8 base;
	__u8 fp;
	__u8 ra;
	__s32 offset;
	__s32 add;
	__s16 fp_words;
	__s16 ra_words;
};

/**
 * struct cpuprobe_unwind - hand over the table of a file's call frame information.
 * @size: sizeof(struct cpuprobe_unwind)
 * @version: CPUPROBE_ABI_VERSION
 * @object, @seq: as NEED named them
 * @first_page: first page of CPUPROBE_UNWIND_PAGE bytes of the file that has a row
 * @nr_pages: number of pages, up to the last one with a row
 * @nr_rows: number of rows, at most CPUPROBE_UNWIND_ROWS_MAX; 0: the file has no call frame
 *	information, and everything else is 0
 * @nr_rules: at most CPUPROBE_UNWIND_RULES_MAX
 * @pages: address of @nr_pages + 1 __u32: the number of the first row of each page, and @nr_rows
 * @rows: address of @nr_rows __u32, ascending by place in the file: the low 16 bits are the offset
 *	in the page, the high 16 bits the number of the rule that holds from there to the next row,
 *	which may be in a later page
 * @rules: address of @nr_rules struct cpuprobe_rule
 *
 * -EINVAL: not a session with _UNWIND, or a table that contradicts itself. -ESTALE: the file is no
 * longer mapped; its table is not needed. -ENOSPC: more than the session's limit, although tables
 * that no sample used for a second have given way: stacks end there with CPUPROBE_STACK_NO_BUDGET.
 * -EAGAIN: these are still being read; try again in some milliseconds. -EDQUOT, -ENOMEM.
 */
struct cpuprobe_unwind {
	__u32 size;
	__u32 version;
	__u32 object;
	__u32 seq;
	__u32 first_page;
	__u32 nr_pages;
	__u32 nr_rows;
	__u32 nr_rules;
	__u64 pages;
	__u64 rows;
	__u64 rules;
};

#define CPUPROBE_NEED_VDSO	1u	/* the object is the kernel's vdso: every process has the same */

/**
 * struct cpuprobe_need - name a file whose table samples needed.
 * @size: sizeof(struct cpuprobe_need)
 * @version: CPUPROBE_ABI_VERSION
 * @object, @seq: out: the file, for UNWIND. A number is used again for another file with another @seq
 * @fd: out: a descriptor of the file, open for reading, closed at exec; -errno: it cannot be read by
 *	the caller, as with open(), and is not named again (-EAGAIN: somebody has a lease on it); -1 with
 *	CPUPROBE_NEED_VDSO
 * @flags: out: CPUPROBE_NEED_*
 * @used_kib, @limit_kib: out: memory of the session's tables, and its limit
 * @nr_evicted: out: tables that gave way so far
 * @nr_unrecorded: out: mappings that found no room in the module's memory, since it was loaded
 *
 * Each file is named once for each time it is needed. -ENOENT: no file is needed now; the fields from
 * @used_kib on are filled in. -EINVAL: not a session with _UNWIND.
 */
struct cpuprobe_need {
	__u32 size;
	__u32 version;
	__u32 object;
	__u32 seq;
	__s32 fd;
	__u32 flags;
	__u32 used_kib;
	__u32 limit_kib;
	__u32 nr_evicted;
	__u32 nr_unrecorded;
};

/** State of a function that a session was to hook. */
enum cpuprobe_function_state {
	CPUPROBE_FUNCTION_HOOKED = 0,
	CPUPROBE_FUNCTION_UNKNOWN = 1,	/* no function that ftrace can hook begins there */
	CPUPROBE_FUNCTION_OWN = 2,	/* part of this module */
	CPUPROBE_FUNCTION_UNTIMED = 3,	/* with _EACH: its return cannot be hooked */
	CPUPROBE_FUNCTION_REFUSED = 4,	/* of a program: beyond its file, or an instruction not to be replaced */
};

/**
 * struct cpuprobe_function - a kernel function whose calls are to be counted.
 * @address: its first address
 * @state: out: enum cpuprobe_function_state
 * @reserved: zero
 */
struct cpuprobe_function {
	__u64 address;
	__u32 state;
	__u32 reserved;
};

/* Flags of CALLS. */
#define CPUPROBE_CALLS_DISTURB	1u	/* hook although this interrupts isolated CPUs */
#define CPUPROBE_CALLS_EACH	2u	/* time every call */
#define CPUPROBE_CALLS_PATHS	4u	/* with _EACH: tell apart how a function was reached */
#define CPUPROBE_CALLS_PROCESSES 8u	/* with _EACH: a tree for each process */
#define CPUPROBE_CALLS_SYSCALLS	16u	/* with _EACH, not _PATHS: system calls, no functions */

/**
 * struct cpuprobe_calls - count every call of kernel functions, by caller. Needs access 2.
 * @size: sizeof(struct cpuprobe_calls)
 * @version: CPUPROBE_ABI_VERSION
 * @functions: address of an array of struct cpuprobe_function, no two with the same address
 * @nr_functions: length of that array, from 1 to CPUPROBE_FUNCTIONS_MAX; 0 with _SYSCALLS
 * @flags: CPUPROBE_CALLS_*
 * @table_kib: memory per possible CPU in KiB, CPUPROBE_CALLS_KIB_MIN to _MAX, rounded down to a
 *	power of two; 0: CPUPROBE_CALLS_KIB. A pair of caller and function takes 32 bytes.
 *	With _EACH three quarters are for nodes of 472 bytes, of which each function has one, and a
 *	quarter is for tasks inside timed calls, 176 bytes each
 * @budget_ppm: limit on the time that counting may take on each CPU, in millionths of a CPU; 0:
 *	half of what other sessions leave of the limit on overhead. out: the limit
 * @exe_fd, @pid, @cgroup_fd: count only calls by these tasks, as in struct cpuprobe_start
 * @reason: out, on failure: enum cpuprobe_reason
 * @nr_hooked: out: number of functions that are hooked
 * @cost_ps: out: assumed cost of a call in picoseconds, measured when the first session began
 * @own_ps: out, with _EACH: part of the cost that the measured time of the call itself contains
 * @seen_ps: out, with _EACH: part of the cost that is kept out of the caller's net time
 * @reserved: zero
 * @holder_pid, @used_overhead_ppm, @holder_comm: out, with _OVERHEAD: as in struct cpuprobe_start
 *
 * Counting begins when the call returns. It ends by STOP or close(), or when the calls of one CPU
 * cost more than the budget: more than it allows in a second, on top of what it allows all the time.
 *
 * Hooking changes kernel text, which interrupts every CPU: without _DISTURB it is refused with
 * CPUPROBE_REASON_QUIET (-EPERM) while some CPU is to be kept quiet. While hooks are in place,
 * kernel.ftrace_enabled cannot be set to 0. CPUPROBE_REASON_MEMORY (-ENOMEM): the tables of all CPUs, and with
 * _EACH the hooks, would take more than half of the machine's memory, or more than is available. On
 * Linux 6.12 a hook takes a page or more for each possible CPU, on 6.1 at least 1 to 4 KiB.
 */
struct cpuprobe_calls {
	__u32 size;
	__u32 version;
	__u64 functions;
	__u32 nr_functions;
	__u32 flags;
	__u32 table_kib;
	__u32 budget_ppm;
	__s32 exe_fd;
	__u32 pid;
	__s32 cgroup_fd;
	__u32 reason;
	__u32 nr_hooked;
	__u32 cost_ps;
	__u32 holder_pid;
	__u32 used_overhead_ppm;
	char holder_comm[16];
	__u32 own_ps;
	__u32 seen_ps;
	__u64 reserved;
};

/** Context of a call: index into the calls of struct cpuprobe_arc. */
enum cpuprobe_context {
	CPUPROBE_CONTEXT_PROCESS = 0,	/* running a task */
	CPUPROBE_CONTEXT_SOFTIRQ = 1,
	CPUPROBE_CONTEXT_IRQ = 2,	/* hard irq or NMI */
	CPUPROBE_CONTEXTS = 3,
};

/**
 * struct cpuprobe_arc - calls of one function by one caller.
 * @function: an address in the function, where its hook is
 * @caller: the address that the function returns to; 0: generated code that is not within 2 GiB of the kernel's text,
 *	as it may be on arm64
 * @calls: number of calls since the session began, by enum cpuprobe_context
 */
struct cpuprobe_arc {
	__u64 function;
	__u64 caller;
	__u64 calls[CPUPROBE_CONTEXTS];
};

/* Flags of COUNTS. */
#define CPUPROBE_COUNTS_ENDED	1u	/* counting has ended: these counts are the last */
#define CPUPROBE_COUNTS_OVER	2u	/* it ended because calls cost more than the budget */
#define CPUPROBE_COUNTS_SWITCHED_OFF 4u	/* hooks were found switched off: calls are missing. Only TIMES, on arm64 */

/**
 * struct cpuprobe_counts - copy the calls that one CPU has counted. Nothing is cleared: every copy
 * holds all calls since the session began.
 * @size: sizeof(struct cpuprobe_counts)
 * @version: CPUPROBE_ABI_VERSION
 * @cpu: CPU number
 * @buffer_len: bytes at @buffer
 * @buffer: address that receives an array of struct cpuprobe_arc, in no order; 0: only the totals
 * @nr_arcs: out: length of that array, also with -ENOSPC
 * @flags: out: CPUPROBE_COUNTS_*
 * @counted_ns: out: time from the beginning of counting until now or until its end
 * @lost: out: calls that found no room in the table
 * @others: out: calls by other tasks than the chosen ones
 *
 * -EINVAL: not a session of calls. -ENODEV: no such CPU. -ENOSPC: the buffer is too small.
 * -EPERM: the kernel was locked down since CALLS.
 */
struct cpuprobe_counts {
	__u32 size;
	__u32 version;
	__u32 cpu;
	__u32 buffer_len;
	__u64 buffer;
	__u32 nr_arcs;
	__u32 flags;
	__u64 counted_ns;
	__u64 lost;
	__u64 others;
};

/** Kind of a node. */
enum cpuprobe_node_type {
	CPUPROBE_NODE_FUNCTION = 0,	/* calls of @function, its hook's address */
	CPUPROBE_NODE_SYSCALL = 1,	/* system calls of number @function */
	CPUPROBE_NODE_PROCESS = 2,	/* process @function in the initial pid namespace: a root, no calls */
	CPUPROBE_NODE_NO_ROOM = 3,	/* all calls whose node found no room in the table */
	CPUPROBE_NODE_INTERRUPTS = 4,	/* interrupts and softirqs of all CPUs: a root, no calls */
};

/**
 * struct cpuprobe_time - calls of one node on one CPU, and their time.
 * @function: see enum cpuprobe_node_type
 * @node: number of this node, from 1; the same on every CPU
 * @parent: node in which it was called; 0: none. Without _PATHS a function's parent is 0, or a process
 * @type: enum cpuprobe_node_type
 * @reserved: zero
 * @comm: of a CPUPROBE_NODE_PROCESS: name of the process when its last outermost call began
 * @calls: calls that began
 * @ended: calls that ended; the following fields are sums over these
 * @recursive: part of @ended: the function was already running in the same task or interrupt. Their
 *	time is part of the outermost call's: of the times only @net_ns and @children include them
 * @missed: calls that could not be timed, for lack of memory or because one interrupted another's
 *	hook, by any task; not in @calls. Given with the first possible CPU, for nodes without parent
 * @errors: system calls that returned -1 to -4095
 * @wall_ns: time from begin to end
 * @blocked_ns: part of @wall_ns: asleep
 * @preempted_ns: part of @wall_ns: ready to run, but another task ran
 * @interrupted_ns: part of @wall_ns: in timed functions of interrupts
 * @net_ns: @wall_ns without the three before it, and without timed callees
 * @children: timed calls made directly by these calls
 * @descendants: timed calls made by these calls and by their callees
 * @min_ns, @max_ns: of the time from begin to end of a call, corrected by the cost of timing; @min_ns
 *	is valid if @ended is more than @recursive
 * @bins: number of calls by the same time: bin 0 below 1 ns, bin i from 2^(i-1) to below 2^i ns, the
 *	last one without end
 *
 * @min_ns, @max_ns and @bins are corrected. The other times contain the cost of timing:
 * @wall_ns - @blocked_ns - @preempted_ns - @interrupted_ns contains own_ps of each outermost call and
 * cost_ps of each descendant, @net_ns own_ps of each call and cost_ps - seen_ps of each child.
 */
struct cpuprobe_time {
	__u64 function;
	__u32 node;
	__u32 parent;
	__u32 type;
	__u32 reserved;
	char comm[16];
	__u64 calls;
	__u64 ended;
	__u64 recursive;
	__u64 missed;
	__u64 errors;
	__u64 wall_ns;
	__u64 blocked_ns;
	__u64 preempted_ns;
	__u64 interrupted_ns;
	__u64 net_ns;
	__u64 children;
	__u64 descendants;
	__u64 min_ns;
	__u64 max_ns;
	__u64 bins[CPUPROBE_TIME_BINS];
};

/**
 * struct cpuprobe_times - copy the calls that one CPU has timed, since the session began.
 * @size: sizeof(struct cpuprobe_times)
 * @version: CPUPROBE_ABI_VERSION
 * @cpu: CPU number
 * @buffer_len: bytes at @buffer
 * @buffer: address that receives an array of struct cpuprobe_time, of nodes with something to tell on
 *	this CPU and of all roots; parents come before children; 0: only the totals
 * @nr_nodes: out: length of that array, also with -ENOSPC
 * @flags: out: CPUPROBE_COUNTS_*
 * @counted_ns: out: time from the beginning of the session until now or until its end
 * @others: out: calls by other tasks than the chosen ones
 *
 * A call is counted by the CPU that it ended on; its beginning by the CPU that it began on. Errors are
 * those of COUNTS; -EINVAL: not a session that times calls.
 */
struct cpuprobe_times {
	__u32 size;
	__u32 version;
	__u32 cpu;
	__u32 buffer_len;
	__u64 buffer;
	__u32 nr_nodes;
	__u32 flags;
	__u64 counted_ns;
	__u64 others;
};

/* Flags of TRACE. */
#define CPUPROBE_TRACE_DISTURB	1u	/* hook although this interrupts isolated CPUs */
#define CPUPROBE_TRACE_SYSCALLS	2u	/* record system calls */
#define CPUPROBE_TRACE_IRQ	4u	/* record hard irqs and softirqs */
#define CPUPROBE_TRACE_WAKEUPS	8u	/* record wake-ups */
#define CPUPROBE_TRACE_WRAP	16u	/* the newest events overwrite the oldest */
#define CPUPROBE_TRACE_WAIT	32u	/* record nothing until @start_function or @start_mark */

/**
 * struct cpuprobe_user_function - a function of programs or libraries whose calls are followed.
 * @offset: of its first instruction in the file
 * @fd: the file, open for reading; a regular file on a file system that allows execution
 * @state: out: enum cpuprobe_function_state. Programs that map the file later are not checked: an
 *	instruction that cannot be replaced is not followed there
 */
struct cpuprobe_user_function {
	__u64 offset;
	__s32 fd;
	__u32 state;
};

/**
 * struct cpuprobe_trace - follow calls of kernel functions and of programs, and tasks. Needs access 2.
 * @size: sizeof(struct cpuprobe_trace)
 * @version: CPUPROBE_ABI_VERSION
 * @functions: address of an array of struct cpuprobe_function, as for CALLS
 * @nr_functions: length of that array, at most CPUPROBE_FUNCTIONS_MAX; 0: no functions
 * @flags: CPUPROBE_TRACE_*
 * @buffer_kib: memory per possible CPU in KiB, CPUPROBE_TRACE_KIB_MIN to _MAX, rounded down to a power
 *	of two; 0: CPUPROBE_TRACE_KIB. It holds 64 slots of 16 bytes in each KiB
 * @budget_ppm: limit on the time that recording may take on each CPU, as for CALLS. out: the limit
 * @exe_fd, @pid, @cgroup_fd: record only calls, system calls and marks by these tasks, as in struct
 *	cpuprobe_start. All other events are recorded for all tasks
 * @reason: out, on failure: enum cpuprobe_reason
 * @nr_hooked: out: number of functions that are hooked
 * @cost_ps: out: measured cost of the two events of a call, in picoseconds
 * @own_ps: out: part of the cost that lies between the times of the two events
 * @seen_ps: out: as @own_ps
 * @start_function: with _WAIT: recording begins with a call of this function, a number in @functions;
 *	else CPUPROBE_NO_FUNCTION
 * @start_count: the number of that call, from 1 to S32_MAX; 0 or 1 without @start_function
 * @stop_function: recording ends when a recorded call of this function ends; CPUPROBE_NO_FUNCTION: none
 * @holder_pid, @used_overhead_ppm, @holder_comm: out, with _OVERHEAD: as in struct cpuprobe_start
 * @start_mark: with _WAIT: recording begins with a mark of this text, padded with zeros; else zeros
 * @nr_missing: out, with _IRQ: kinds of interrupt that this kernel cannot tell, and that are not recorded
 * @max_events: recording ends when a CPU has filled this many slots; up to 4 more belong to the last
 *	event; 0: as many as the memory holds. 0 with _WRAP
 * @user_functions: address of an array of struct cpuprobe_user_function, no two of the same place
 * @nr_user_functions: length of that array, at most CPUPROBE_USER_FUNCTIONS_MAX. The numbers of these
 *	functions in events, in MISSED and as triggers begin with @nr_functions
 * @user_cost_ps: cost of the two events of a call of these, for the budget, at most
 *	CPUPROBE_USER_COST_MAX_PS; 0: CPUPROBE_USER_COST_PS. Only a program can measure it
 * @reserved: zero
 *
 * Recording begins when the call returns, or with the first trigger. Without _WRAP it ends on all CPUs
 * at the instant at which the memory of one is full. It also ends by @stop_function, STOP, or when
 * recording costs more than the budget.
 *
 * A function of programs is hooked by breakpoints in the memory of the chosen tasks' processes, also of
 * those that map the file later; of all processes, if no task is chosen. The kernel replaces the return
 * address of a hooked call. It does so for at most 64 calls of a thread at a time: further calls only
 * have a beginning. A call left by longjmp() has no end either. A C++ exception cannot pass through a
 * hooked call: it ends the program.
 *
 * Refusals are those of CALLS with _EACH. CPUPROBE_REASON_OBJECT (-EBADF): @fd of a function.
 * CPUPROBE_REASON_FUNCTIONS: also if a function that begins or ends recording cannot be hooked.
 */
struct cpuprobe_trace {
	__u32 size;
	__u32 version;
	__u64 functions;
	__u32 nr_functions;
	__u32 flags;
	__u32 buffer_kib;
	__u32 budget_ppm;
	__s32 exe_fd;
	__u32 pid;
	__s32 cgroup_fd;
	__u32 reason;
	__u32 nr_hooked;
	__u32 cost_ps;
	__u32 own_ps;
	__u32 seen_ps;
	__u32 start_function;
	__u32 start_count;
	__u32 stop_function;
	__u32 holder_pid;
	__u32 used_overhead_ppm;
	char holder_comm[16];
	char start_mark[CPUPROBE_MARK_START];
	__u32 nr_missing;
	__u64 max_events;
	__u64 user_functions;
	__u32 nr_user_functions;
	__u32 user_cost_ps;
	__u64 reserved;
};

/** Type of an event, and the meaning of its fields. Ids of tasks are of the initial pid namespace. */
enum cpuprobe_event_type {
	/* a call begins: number of the function; the low half of the stack pointer */
	CPUPROBE_EVENT_ENTRY = 1,
	CPUPROBE_EVENT_EXIT = 2,	/* the call ends: as at its beginning */
	/* another task runs: id of the thread that runs now, 0: idle; id of the one that ran */
	CPUPROBE_EVENT_SWITCH = 3,
	/* the task that runs: id of the thread; of its process. First on a CPU, after exec and gaps */
	CPUPROBE_EVENT_RUNNING = 4,
	CPUPROBE_EVENT_WAKEUP = 5,	/* id of the thread woken; CPU that it will run on */
	/* number of the irq, or of the vector with CPUPROBE_VECTOR; 0 */
	CPUPROBE_EVENT_IRQ_BEGIN = 6,
	CPUPROBE_EVENT_IRQ_END = 7,
	CPUPROBE_EVENT_SOFTIRQ_BEGIN = 8,	/* number of the softirq; 0 */
	CPUPROBE_EVENT_SOFTIRQ_END = 9,
	CPUPROBE_EVENT_SYSCALL_BEGIN = 10,	/* number as in struct cpuprobe_time; 0 */
	/*
	 * as at its beginning, after rt_sigreturn() CPUPROBE_SYSCALL_UNKNOWN; low half of the result. A new task
	 * begins with the end of a call. One of CPUPROBE_SYSCALL_UNKNOWN without a beginning is no system call:
	 * the kernel's own, at hooks of functions of programs
	 */
	CPUPROBE_EVENT_SYSCALL_END = 11,
	CPUPROBE_EVENT_FORK = 12,	/* id of the new thread; of its process */
	/* id of the thread; of its process. The next slot is its name. At fork, exec, exit, new names */
	CPUPROBE_EVENT_NAME = 13,
	CPUPROBE_EVENT_DEAD = 14,	/* the current thread exits: its id; of its process */
	/* id of the thread; bytes of text, 1 to CPUPROBE_MARK_MAX, in the next slots, padded with zeros */
	CPUPROBE_EVENT_MARK = 15,
	CPUPROBE_EVENT_LOST = 16,	/* events lost since the last one; 0: only fills a slot; 0 */
};

#define CPUPROBE_VECTOR		0x80000000u	/* added to numbers of interrupts that have no irq number */

/* Parts of @head of an event. */
#define CPUPROBE_EVENT_LEVEL	3u	/* 0: task, 1: softirq (on RT a task's), 2: hard irq, 3: NMI */
/* How the task that ran has left, in a SWITCH. */
#define CPUPROBE_EVENT_LEFT	12u
#define CPUPROBE_LEFT_PREEMPTED	0u	/* ready to run */
#define CPUPROBE_LEFT_BLOCKED	4u	/* asleep */
#define CPUPROBE_LEFT_DEAD	8u
#define CPUPROBE_EVENT_EXEC	4u	/* in a RUNNING: the thread has begun another program */
#define CPUPROBE_EVENT_TYPE_SHIFT 8
#define CPUPROBE_EVENT_TIME_SHIFT 16

/**
 * struct cpuprobe_event - one event. Slots of text are no events.
 * @head: nanoseconds since recording began, modulo 2^48, << 16 | enum cpuprobe_event_type << 8 |
 *	CPUPROBE_EVENT_LEVEL and _LEFT. Times of a CPU never go back
 * @what, @data: see enum cpuprobe_event_type
 */
struct cpuprobe_event {
	__u64 head;
	__u32 what;
	__u32 data;
};

/* Flags of EVENTS. */
#define CPUPROBE_EVENTS_ENDED	1u	/* recording has ended: events can be copied */
#define CPUPROBE_EVENTS_OVER	2u	/* it ended because it cost more than the budget */
#define CPUPROBE_EVENTS_FULL	4u	/* it ended because the memory of a CPU was full */
#define CPUPROBE_EVENTS_TRIGGERED 8u	/* it ended because a call of @stop_function ended */
#define CPUPROBE_EVENTS_WAITING	16u	/* it has not begun */
#define CPUPROBE_EVENTS_UNSTABLE 32u	/* the kernel does not trust the clock: CPUs may differ by a tick */
#define CPUPROBE_EVENTS_SWITCHED_OFF 64u /* hooks were found switched off: calls are missing. On arm64 */

/**
 * struct cpuprobe_events - copy events of one CPU, after the end of recording.
 * @size: sizeof(struct cpuprobe_events)
 * @version: CPUPROBE_ABI_VERSION
 * @cpu: CPU number
 * @buffer_len: bytes at @buffer
 * @buffer: address that receives slots in order, from number @from on; 0: only the totals
 * @from: number of a slot, from @first to @stored; unused without @buffer
 * @first: out: the oldest slot that was not overwritten, or a later one; an event begins there
 * @stored: out: number of slots filled since recording began, with the overwritten ones
 * @lost: out: events lost, because hooks interrupted each other; told by events too
 * @others: out: calls and system calls by other tasks than the chosen ones
 * @began_ns: out: CLOCK_MONOTONIC when recording began; 0: not yet
 * @traced_ns: out: time from then until now or until the end. No event is later
 * @nr_slots: out: number of slots copied
 * @flags: out: CPUPROBE_EVENTS_*
 *
 * -EINVAL: not a session that follows calls, or @from is out of range. -ENODEV: no such CPU. -EBUSY:
 * recording has not ended; all but @nr_slots is given. -EPERM: the kernel was locked down since TRACE.
 */
struct cpuprobe_events {
	__u32 size;
	__u32 version;
	__u32 cpu;
	__u32 buffer_len;
	__u64 buffer;
	__u64 from;
	__u64 first;
	__u64 stored;
	__u64 lost;
	__u64 others;
	__u64 began_ns;
	__u64 traced_ns;
	__u32 nr_slots;
	__u32 flags;
};

/**
 * struct cpuprobe_missed - copy the number of calls of each function that its hook has missed, on all
 * CPUs and by any task, since TRACE: because too many calls ran at the same time, or one interrupted
 * another's hook. The kernel counts those that ran at the same time, and, on arm64, those that
 * interrupted: from hooking to unhooking, also before and after the recording.
 * @size: sizeof(struct cpuprobe_missed)
 * @version: CPUPROBE_ABI_VERSION
 * @buffer: address that receives an array of __u64, by number of the function
 * @nr_functions: in: length of that array; out: number of functions, also with -ENOSPC
 * @reserved: zero
 *
 * -EINVAL: not a session that follows calls. -ENOSPC: the array is too short. -EPERM: as EVENTS.
 */
struct cpuprobe_missed {
	__u32 size;
	__u32 version;
	__u64 buffer;
	__u32 nr_functions;
	__u32 reserved;
};

#define CPUPROBE_IOC_MAGIC	0xCB
#define CPUPROBE_IOC_INFO	_IOWR(CPUPROBE_IOC_MAGIC, 0, struct cpuprobe_info)
#define CPUPROBE_IOC_START	_IOWR(CPUPROBE_IOC_MAGIC, 1, struct cpuprobe_start)
#define CPUPROBE_IOC_STOP	_IO(CPUPROBE_IOC_MAGIC, 2)
#define CPUPROBE_IOC_HARVEST	_IOWR(CPUPROBE_IOC_MAGIC, 3, struct cpuprobe_harvest)
#define CPUPROBE_IOC_AREAS	_IOW(CPUPROBE_IOC_MAGIC, 4, struct cpuprobe_areas)
#define CPUPROBE_IOC_EXE	_IOW(CPUPROBE_IOC_MAGIC, 5, struct cpuprobe_open)
#define CPUPROBE_IOC_CALLS	_IOWR(CPUPROBE_IOC_MAGIC, 6, struct cpuprobe_calls)
#define CPUPROBE_IOC_COUNTS	_IOWR(CPUPROBE_IOC_MAGIC, 7, struct cpuprobe_counts)
#define CPUPROBE_IOC_TIMES	_IOWR(CPUPROBE_IOC_MAGIC, 8, struct cpuprobe_times)
#define CPUPROBE_IOC_NEED	_IOWR(CPUPROBE_IOC_MAGIC, 9, struct cpuprobe_need)
#define CPUPROBE_IOC_UNWIND	_IOW(CPUPROBE_IOC_MAGIC, 10, struct cpuprobe_unwind)
#define CPUPROBE_IOC_TRACE	_IOWR(CPUPROBE_IOC_MAGIC, 11, struct cpuprobe_trace)
#define CPUPROBE_IOC_EVENTS	_IOWR(CPUPROBE_IOC_MAGIC, 12, struct cpuprobe_events)
#define CPUPROBE_IOC_MISSED	_IOWR(CPUPROBE_IOC_MAGIC, 13, struct cpuprobe_missed)

#ifndef __cplusplus
_Static_assert(sizeof(struct cpuprobe_info) == 104, "ABI");
_Static_assert(sizeof(struct cpuprobe_start) == 184, "ABI");
_Static_assert(sizeof(struct cpuprobe_record) == 104, "ABI");
_Static_assert(sizeof(struct cpuprobe_account) == 224, "ABI");
_Static_assert(sizeof(struct cpuprobe_harvest) == 264, "ABI");
_Static_assert(sizeof(struct cpuprobe_area) == 40, "ABI");
_Static_assert(sizeof(struct cpuprobe_areas) == 24, "ABI");
_Static_assert(sizeof(struct cpuprobe_place) == 56, "ABI");
_Static_assert(sizeof(struct cpuprobe_stack) == 80, "ABI");
_Static_assert(sizeof(struct cpuprobe_open) == 24, "ABI");
_Static_assert(sizeof(struct cpuprobe_function) == 16, "ABI");
_Static_assert(sizeof(struct cpuprobe_calls) == 96, "ABI");
_Static_assert(sizeof(struct cpuprobe_arc) == 40, "ABI");
_Static_assert(sizeof(struct cpuprobe_counts) == 56, "ABI");
_Static_assert(sizeof(struct cpuprobe_time) == 472, "ABI");
_Static_assert(sizeof(struct cpuprobe_times) == 48, "ABI");
_Static_assert(sizeof(struct cpuprobe_rule) == 16, "ABI");
_Static_assert(sizeof(struct cpuprobe_unwind) == 56, "ABI");
_Static_assert(sizeof(struct cpuprobe_need) == 40, "ABI");
_Static_assert(sizeof(struct cpuprobe_user_function) == 16, "ABI");
_Static_assert(sizeof(struct cpuprobe_trace) == 168, "ABI");
_Static_assert(sizeof(struct cpuprobe_event) == 16, "ABI");
_Static_assert(sizeof(struct cpuprobe_events) == 88, "ABI");
_Static_assert(sizeof(struct cpuprobe_missed) == 24, "ABI");
#endif

#endif /* _UAPI_CPUPROBE_H */
