// SPDX-License-Identifier: GPL-2.0-only
/* Turns addresses into a profile: see collector.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "resolve/collector.h"
#include "resolve/ends.h"
#include "resolve/whole_frames.h"

/* Kernel and user frames with their inlined ones, and the marks between and after them. */
#define LIST_MAX (2 * CPUPROBE_FRAMES_MAX * (1 + RESOLVER_INLINED_MAX) + 4)

/* Harvests for which an ended process is kept, if a harvest has all samples that were taken before it. */
#define ROUNDS_KEPT_AT_ONCE 2

/** An address space in which stacks were sampled. */
struct seen_space {
	u32 pid;
	u32 process;		/* position in the profile */
	u64 space;
};

struct collector {
	struct profile *profile;
	struct resolver *resolver;
	struct collector_options options;
	struct seen_space *spaces;
	u32 nr_spaces;
	struct intern space_index;
	struct ends ends;
	struct whole_frames whole;
	u32 last_cpu;			/* of the last account */
	bool has_begun;
	/* the stack being added */
	const struct cpuprobe_stack *stack;
	u32 list[LIST_MAX];		/* positions of frames, the leaf first */
	u32 nr;
	enum receipt_end end;		/* of its user frames */
	u32 last_user;			/* the outermost of them */
};

struct collector *collector_create(struct profile *profile, struct resolver *resolver,
				   const struct collector_options *options)
{
	struct collector *collector = calloc(1, sizeof(*collector));

	if (!collector)
		return NULL;
	collector->profile = profile;
	collector->resolver = resolver;
	collector->options = *options;
	return collector;
}

/* Forgets all positions in the profile. */
static void forget_positions(struct collector *collector)
{
	intern_deinit(&collector->space_index);
	ends_deinit(&collector->ends);
	whole_frames_deinit(&collector->whole);
	free(collector->spaces);
	collector->spaces = NULL;
	collector->nr_spaces = 0;
}

void collector_destroy(struct collector *collector)
{
	if (!collector)
		return;
	forget_positions(collector);
	free(collector);
}

void collector_renew(struct collector *collector, struct profile *profile)
{
	forget_positions(collector);
	collector->profile = profile;
}

u32 collector_spaces(const struct collector *collector)
{
	return collector->nr_spaces;
}

/* Consecutive frames of unknown code are merged into one. */
static bool repeats_unknown_frame(const struct collector *collector, u32 frame)
{
	return collector->nr && collector->list[collector->nr - 1] == frame &&
	       (frame == profile_mark(MARK_KERNEL) ||
		resolver_is_unknown(collector->resolver, frame));
}

static void push_frame(struct collector *collector, u32 frame)
{
	if (collector->nr < LIST_MAX && !repeats_unknown_frame(collector, frame))
		collector->list[collector->nr++] = frame;
}

/* Pushes the frame of the address that was resolved last, after the inlined ones in it. */
static void push_code_frame(struct collector *collector, u32 frame)
{
	u32 inlined[RESOLVER_INLINED_MAX], nr = resolver_inlined(collector->resolver, inlined), i;

	for (i = 0; i < nr; i++)
		push_frame(collector, inlined[i]);
	push_frame(collector, frame);
}

/* Pushes the kernel frames. False: the stack ends with them, without user frames. */
static bool push_kernel_frames(struct collector *collector)
{
	const struct cpuprobe_stack *stack = collector->stack;
	bool is_softirq = stack->mode == CPUPROBE_MODE_SOFTIRQ;
	u32 i, frame;

	for (i = 0; i < stack->nr_kernel; i++) {
		frame = resolver_kernel_frame(collector->resolver, stack->frame[i], i > 0);
		push_code_frame(collector, frame);
		if (is_softirq && resolver_is_softirq_entry(collector->resolver, frame)) {
			push_frame(collector, profile_mark(MARK_SOFTIRQ));
			return false;
		}
		if (resolver_is_irq_entry(collector->resolver, frame)) {
			push_frame(collector, profile_mark(is_softirq ? MARK_SOFTIRQ : MARK_IRQ));
			return false;
		}
	}
	if (stack->flags & CPUPROBE_STACK_KERNEL_DEEP)
		push_frame(collector, profile_mark(MARK_TOO_DEEP));
	if (stack->flags & CPUPROBE_STACK_BROKEN)
		push_frame(collector, profile_mark(MARK_BROKEN));
	if (is_softirq)
		push_frame(collector, profile_mark(MARK_SOFTIRQ));
	return true;
}

/* How user frame number @i was found, if it is a caller. */
static enum resolver_found get_caller_kind(const struct collector *collector, u32 i)
{
	return i < collector->stack->nr_sure ? RESOLVER_CALLER : RESOLVER_RETURN;
}

/* Resolves the next user frame, which may be the interrupted one below a signal handler's. */
static u32 resolve_user_frame(struct collector *collector, u32 i, bool *is_code_ret)
{
	const struct cpuprobe_stack *stack = collector->stack;
	enum resolver_found found = get_caller_kind(collector, i);

	if (i == 0)
		found = stack->flags & CPUPROBE_STACK_SYSCALL ? RESOLVER_SYSCALL : RESOLVER_AT;
	else if (found == RESOLVER_CALLER && resolver_is_signal(collector->resolver, collector->last_user))
		found = RESOLVER_AT;
	*is_code_ret = true;
	return resolver_user_frame(collector->resolver, stack->pid, stack->space,
				   stack->frame[stack->nr_kernel + i], found, is_code_ret);
}

/* Pushes callers from number @from on that were resolved before. Returns their number. */
static u32 push_known_callers(struct collector *collector, u32 from, u32 to)
{
	const struct cpuprobe_stack *stack = collector->stack;
	u32 room = LIST_MAX - collector->nr, nr;

	/* A lookup is for frames that were found in the same way. */
	if (from < stack->nr_sure && to > stack->nr_sure)
		to = stack->nr_sure;
	nr = resolver_known_frames(collector->resolver, stack->pid, stack->space,
				   stack->frame + stack->nr_kernel + from,
				   to - from < room ? to - from : room,
				   get_caller_kind(collector, from), collector->list + collector->nr);
	collector->nr += nr;
	if (nr)
		collector->last_user = collector->list[collector->nr - 1];
	return nr;
}

/*
 * Pushes the user frames, and returns why they end. Frame pointers may lead outside code: frames
 * after the first such address are dropped.
 */
static enum receipt_end push_user_frames(struct collector *collector)
{
	const struct cpuprobe_stack *stack = collector->stack;
	u32 nr = collector->options.only_leaf && stack->nr_user ? 1 : stack->nr_user, i, frame;
	bool is_code;

	for (i = 0; i < nr; i++) {
		frame = resolve_user_frame(collector, i, &is_code);
		if (is_code) {
			push_code_frame(collector, frame);
			collector->last_user = frame;
			if (!resolver_is_signal(collector->resolver, frame))
				i += push_known_callers(collector, i + 1, nr);
			continue;
		}
		/* The module guessed this caller wrongly; frame pointers may be right. */
		if (i == 1 && stack->flags & CPUPROBE_STACK_GUESSED)
			continue;
		return RECEIPT_NO_POINTER;
	}
	return nr < stack->nr_user ? RECEIPT_CUT : ends_reason(stack->flags);
}

/* Whether the table that the last user frame lacks is still being made. */
static bool is_table_late(const struct collector *collector)
{
	const struct collector_options *options = &collector->options;
	const struct profile *profile = collector->profile;
	u32 object;

	if (!options->lacks_table || collector->last_user == PROFILE_NONE)
		return false;
	object = profile_function_of(profile, collector->last_user)->object;
	return !options->lacks_table(options->context, profile->objects[object].name);
}

static void push_user_stack(struct collector *collector)
{
	enum receipt_end end = push_user_frames(collector);

	if (end == RECEIPT_NO_TABLE && is_table_late(collector))
		end = RECEIPT_LATE;
	if (end < RECEIPT_ENDS && collector->options.only_leaf)
		end = RECEIPT_CUT;
	collector->end = end == RECEIPT_WHOLE && !collector->stack->nr_user ? RECEIPT_NO_STACK : end;
	if (collector->end < RECEIPT_ENDS)
		push_frame(collector, profile_mark(ends_mark(collector->end)));
}

static void make_frame_list(struct collector *collector)
{
	const struct cpuprobe_stack *stack = collector->stack;

	collector->nr = 0;
	collector->end = RECEIPT_NO_STACK;
	if (stack->kind == CPUPROBE_KIND_IDLE) {
		push_frame(collector, profile_mark(MARK_IDLE));
		return;
	}
	if (stack->mode == CPUPROBE_MODE_GUEST)
		push_frame(collector, profile_mark(MARK_GUEST));
	else if (stack->mode != CPUPROBE_MODE_USER && !stack->nr_kernel)
		push_frame(collector, profile_mark(MARK_KERNEL));
	if (push_kernel_frames(collector))
		push_user_stack(collector);
	/* The stack has no address at all: it is user code that was not examined. */
	if (!collector->nr)
		push_frame(collector, profile_mark(MARK_USER));
}

/* Finds an executable's name by its descriptor. False: the name is unknown. */
static bool read_exe_name(int fd, char *name, size_t len)
{
	static const char deleted[] = " (deleted)";
	char link[64], path[4096];
	ssize_t got;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = fd < 0 ? -1 : readlink(link, path, sizeof(path) - 1);
	if (got <= 0)
		return false;
	path[got] = '\0';
	if ((size_t)got > sizeof(deleted) && !strcmp(path + got - sizeof(deleted) + 1, deleted))
		path[got - sizeof(deleted) + 1] = '\0';
	snprintf(name, len, "%s", text_base_name(path));
	return true;
}

static u32 add_process(struct collector *collector, const char *name, const char *cgroup)
{
	const struct cpuprobe_stack *stack = collector->stack;
	bool is_apart = collector->options.by_pid;

	return profile_add_process(collector->profile, &(struct profile_process){
		.kind = stack->kind, .pid = is_apart ? stack->pid : 0, .name = name,
		.cgroup = cgroup });
}

static bool is_same_space(const void *owner, u32 position, const void *key)
{
	const struct seen_space *a = &((const struct collector *)owner)->spaces[position];
	const struct cpuprobe_stack *b = key;

	return a->pid == b->pid && a->space == b->space;
}

/* Adds a new address space, and shows it to the resolver while its executable can be opened. */
static u32 add_space(struct collector *collector, const struct device *device, u32 cpu,
		     const struct cpuprobe_account *account, u64 hash)
{
	const struct cpuprobe_stack *stack = collector->stack;
	u32 at = collector->nr_spaces;
	char name[256];
	int exe;

	if (!array_has_room(&collector->spaces, at, sizeof(*collector->spaces)))
		return PROFILE_NONE;
	exe = device && stack->exe ? device_open_exe(device, cpu, account, stack->exe) : -1;
	resolver_see(collector->resolver, stack->pid, stack->space, exe, stack->code_start);
	if (!read_exe_name(exe, name, sizeof(name)))
		snprintf(name, sizeof(name), "%.15s", stack->comm);
	if (exe >= 0)
		close(exe);
	collector->spaces[at] = (struct seen_space){
		.pid = stack->pid, .space = stack->space, .process = add_process(collector, name,
			resolver_cgroup(collector->resolver, stack->pid, stack->space)),
	};
	if (intern_add(&collector->space_index, hash, at))
		return PROFILE_NONE;
	collector->nr_spaces++;
	return collector->spaces[at].process;
}

/* Returns the process of the stack, which is added if it is new. */
static u32 find_process(struct collector *collector, const struct device *device, u32 cpu,
			const struct cpuprobe_account *account)
{
	const struct cpuprobe_stack *stack = collector->stack;
	const u64 key[] = { stack->pid, stack->space };
	char comm[sizeof(stack->comm)];
	u64 hash;
	u32 at;

	switch (stack->kind) {
	case CPUPROBE_KIND_IDLE:
		return add_process(collector, "IDLE", "");
	case CPUPROBE_KIND_SOFTIRQ:
		return add_process(collector, "(softirq)", "");
	case CPUPROBE_KIND_PROCESS:
		hash = intern_hash(0, key, sizeof(key));
		at = intern_find(&collector->space_index, hash, is_same_space, collector, stack);
		return at != INTERN_NONE ? collector->spaces[at].process :
			add_space(collector, device, cpu, account, hash);
	default:
		snprintf(comm, sizeof(comm), "%.*s", (int)sizeof(comm) - 1, stack->comm);
		return add_process(collector, comm, "");
	}
}

/* Adds an account to the totals. Returns the time that one of its samples represents. */
static double count_account(struct profile *profile, const struct cpuprobe_account *account)
{
	u64 taken = account->taken - account->excluded, other, lost = 0;
	double ns;
	int mode;

	/* Missed periods are spread evenly over the samples taken. */
	ns = account->taken ? (double)account->period_ns * (account->taken + account->missed) /
		account->taken : 0;
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		lost += account->lost[mode];
	other = account->other_task + account->other_exe;
	profile->taken += taken;
	profile->lost += lost;
	profile->other += other;
	profile->taken_ns += taken * ns;
	profile->lost_ns += lost * ns;
	profile->other_ns += other * ns;
	return ns;
}

/* Whether memory sufficed for all frames of the stack. */
static bool has_all_frames(const struct collector *collector)
{
	u32 i;

	for (i = 0; i < collector->nr; i++)
		if (collector->list[i] == PROFILE_NONE)
			return false;
	return true;
}

/* Replaces each frame of the stack by that of its whole function. False: out of memory. */
static bool use_function_frames(struct collector *collector)
{
	return whole_frames_use(&collector->whole, collector->profile, collector->list, collector->nr) &&
		has_all_frames(collector);
}

/*
 * Returns the position of the stack in the profile. When the profile is half full, new
 * stacks have functions instead of instructions as frames, so that far fewer of them differ.
 */
static u32 find_stack_position(struct collector *collector, u32 process)
{
	const u32 mode = collector->stack->mode;
	struct profile *profile = collector->profile;
	u32 at;

	if (!has_all_frames(collector))
		return PROFILE_NONE;
	if (!profile->stacks_max || profile->nr_stacks < profile->stacks_max / 2)
		return profile_get_stack(profile, process, mode, collector->list, collector->nr);
	at = profile_find_stack(profile, process, mode, collector->list, collector->nr);
	if (at != PROFILE_NONE)
		return at;
	return use_function_frames(collector) ?
		profile_get_stack(profile, process, mode, collector->list, collector->nr) :
		PROFILE_NONE;
}

void collector_forget_ends(struct collector *collector)
{
	ends_deinit(&collector->ends);
	if (collector->options.stacks)
		*collector->options.stacks = (struct receipt_stacks){
			.how = collector->options.stacks->how };
}

static void count_end(struct collector *collector, u32 process)
{
	const struct cpuprobe_stack *stack = collector->stack;
	const struct ends_stack ended = {
		.hits = stack->hits, .flags = stack->flags, .end = collector->end,
		.process = process, .frames = collector->list, .nr = collector->nr,
		.last_user = collector->last_user,
	};

	if (collector->options.stacks)
		ends_count(&collector->ends, collector->profile, &ended, collector->options.stacks);
}

/* Counts the stack. False: no room, so its samples are lost. */
static bool count_one_stack(struct collector *collector, u32 process, double ns_each)
{
	const struct cpuprobe_stack *stack = collector->stack;
	struct profile *profile = collector->profile;
	double ns = stack->hits * ns_each;
	u32 at = PROFILE_NONE;

	make_frame_list(collector);
	if (process != PROFILE_NONE)
		at = find_stack_position(collector, process);
	if (at == PROFILE_NONE) {
		profile->lost += stack->hits;
		profile->lost_ns += ns;
		return false;
	}
	profile->stacks[at].hits += stack->hits;
	profile->stacks[at].ns += ns;
	count_end(collector, process);
	collector->options.counted(collector->options.context, at, stack->hits, ns);
	return true;
}

/*
 * Follows processes up to the samples of an account. Accounts of a harvest come in the order of CPUs. BPF takes all of
 * a harvest at one instant, so that nothing newer is needed for the others.
 */
static void follow_processes(struct collector *collector, const struct device *device, u32 cpu)
{
	bool is_at_once = device && !device_has_module(device);

	if (!collector->has_begun && is_at_once)
		resolver_keep(collector->resolver, ROUNDS_KEPT_AT_ONCE);
	if (!collector->has_begun || cpu <= collector->last_cpu)
		resolver_events(collector->resolver);
	else if (!is_at_once)
		resolver_follow(collector->resolver);
	collector->has_begun = true;
	collector->last_cpu = cpu;
}

int collector_add(struct collector *collector, const struct device *device, u32 cpu,
		  const struct cpuprobe_account *account, const void *entries)
{
	double ns = count_account(collector->profile, account);
	const struct cpuprobe_stack *stack = NULL;
	int error = 0;

	follow_processes(collector, device, cpu);
	while ((stack = run_kind_next_stack(account, entries, stack))) {
		collector->stack = stack;
		if (!count_one_stack(collector, find_process(collector, device, cpu, account), ns))
			error = -ENOMEM;
	}
	return error;
}
