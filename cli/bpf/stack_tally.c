// SPDX-License-Identifier: GPL-2.0-only
/* Counts by stack as stacks with their frames: see tally.h. */
#include <stdlib.h>
#include <string.h>

#include "bpf/stack_store.h"
#include "bpf/stack_tasks.h"
#include "bpf/tally.h"

struct stack_tally {
	struct tally tally;
	struct stack_tasks *tasks;
	const u32 *possible;	/* number of a CPU by its part of a value */
	bool has_target;	/* not everybody is asked for */
	u32 depth;		/* frames at which the kernel cuts a stack */
	/* what one CPU's account has: executables, then stacks */
	char *bytes;
	size_t len, room;
};

/** A stack of a task, from a key or from a sample that found no place. */
struct found {
	u32 pid;
	u32 mode;
	u64 hits;
	const char *comm;
	u64 end;
	u64 guess;
	const u64 *kernel, *user;
	u32 nr_kernel, nr_user;
};

static struct found read_key(const struct counts *counts, u32 at, u64 hits)
{
	const struct counts_key *key = counts_key_at(counts, at);
	const struct counts_stack *first = counts_first_stack(counts, at);
	struct found found = {
		.pid = key->id, .mode = key->is_user ? CPUPROBE_MODE_USER : CPUPROBE_MODE_KERNEL,
		.hits = hits, .comm = first->comm, .end = first->end, .guess = first->guess,
	};

	found.kernel = stack_store_frames(counts->stacks, first->stack[0], &found.nr_kernel);
	found.user = stack_store_frames(counts->stacks, first->stack[1], &found.nr_user);
	return found;
}

static struct found read_spilled(const struct stack_spilled *spilled)
{
	return (struct found){
		.pid = spilled->id, .mode = spilled->is_user ? CPUPROBE_MODE_USER : CPUPROBE_MODE_KERNEL,
		.hits = 1, .comm = spilled->comm, .end = spilled->end, .guess = spilled->guess,
		.kernel = spilled->kernel, .user = spilled->user,
		.nr_kernel = spilled->kernel_len < 0 ? 0 : spilled->kernel_len / sizeof(u64),
		.nr_user = spilled->user_len < 0 ? 0 : spilled->user_len / sizeof(u64),
	};
}

/* Looks up the process of every stack, so that the executables are known before the first account. */
static void begin_stacks(struct tally *tally, const struct counts *counts)
{
	struct stack_tally *stacks = (struct stack_tally *)tally;
	const struct stack_spilled *spilled;
	struct found found;
	u32 i, nr;

	stack_tasks_begin(stacks->tasks);
	stacks->depth = stack_store_depth(counts->stacks);
	for (i = 0; i < counts->nr; i++) {
		found = read_key(counts, i, 0);
		if (found.pid && found.pid != COUNTS_OTHERS)
			stack_tasks_find(stacks->tasks, found.pid, found.comm, found.user, found.nr_user);
	}
	spilled = stack_store_spilled(counts->stacks, &nr);
	for (i = 0; i < nr; i++)
		stack_tasks_find(stacks->tasks, spilled[i].id, spilled[i].comm, spilled[i].user,
				 read_spilled(&spilled[i]).nr_user);
}

static bool make_room(struct stack_tally *stacks, size_t len)
{
	char *more;

	if (stacks->len + len <= stacks->room)
		return true;
	more = realloc(stacks->bytes, 2 * (stacks->len + len));
	if (!more)
		return false;
	stacks->bytes = more;
	stacks->room = 2 * (stacks->len + len);
	return true;
}

/* How many user frames belong to the stack, and why it ends there. */
static u32 find_user_end(struct stack_task *task, const struct found *found, u32 depth, u32 *flags_ret)
{
	const u32 nr_known = (found->end & ~STACK_END_KNOWN) >> STACK_END_SHIFT;
	u32 nr = found->nr_user, flags = found->end & STACK_END_FLAGS & ~CPUPROBE_STACK_SYSCALL;

	if (!nr)
		return 0;
	*flags_ret |= found->end & CPUPROBE_STACK_SYSCALL;
	if (!(found->end & STACK_END_KNOWN)) {
		/* The program did not see the registers. The first frame of a process tells. */
		flags = found->user[nr - 1] == task->outermost ? 0 : CPUPROBE_STACK_NO_FRAME_POINTER;
	} else if (nr_known < nr) {
		nr = nr_known;
	}
	if (nr == depth) {
		nr = depth < CPUPROBE_FRAMES_MAX ? depth : CPUPROBE_FRAMES_MAX;
		flags = CPUPROBE_STACK_USER_DEEP;
	} else if (!flags) {
		task->outermost = found->user[nr - 1];
	}
	if (found->guess && found->mode == CPUPROBE_MODE_USER) {
		/* It takes the place of the outermost frame. */
		if (nr == CPUPROBE_FRAMES_MAX)
			flags = CPUPROBE_STACK_USER_DEEP;
		flags |= CPUPROBE_STACK_GUESSED;
	}
	*flags_ret |= flags;
	return nr;
}

/* Writes the user frames, the guess after the first one. Returns their number. */
static u32 write_user_frames(const struct found *found, u32 nr, u32 flags, u64 to[CPUPROBE_FRAMES_MAX + 1])
{
	if (!nr)
		return 0;
	if (!(flags & CPUPROBE_STACK_GUESSED)) {
		memcpy(to, found->user, nr * sizeof(*to));
		return nr;
	}
	to[0] = found->user[0];
	to[1] = found->guess;
	memcpy(to + 2, found->user + 1, (nr - 1) * sizeof(*to));
	return nr < CPUPROBE_FRAMES_MAX ? nr + 1 : nr;
}

/* Appends a stack to the entries. @task: NULL for idle. False: out of memory. */
static bool append_stack(struct stack_tally *stacks, struct stack_task *task, const struct found *found)
{
	struct cpuprobe_stack stack = { .hits = found->hits, .pid = found->pid, .mode = found->mode };
	u64 user[CPUPROBE_FRAMES_MAX + 1];
	char *to;

	stack.kind = task ? task->kind : CPUPROBE_KIND_IDLE;
	if (task) {
		memcpy(stack.comm, task->name, sizeof(stack.comm));
		stack.comm[sizeof(stack.comm) - 1] = '\0';
		stack.code_start = task->code_start;
		stack.space = task->space;
		stack.exe = task->exe;
		stack.nr_kernel = found->nr_kernel;
		stack.nr_user = find_user_end(task, found, stacks->depth, &stack.flags);
		stack.nr_user = write_user_frames(found, stack.nr_user, stack.flags, user);
		if (stack.nr_kernel == stacks->depth) {
			if (stack.nr_kernel > CPUPROBE_FRAMES_MAX)
				stack.nr_kernel = CPUPROBE_FRAMES_MAX;
			stack.flags |= CPUPROBE_STACK_KERNEL_DEEP;
		}
	}
	if (!make_room(stacks, sizeof(stack) + (stack.nr_kernel + stack.nr_user) * sizeof(u64)))
		return false;
	to = stacks->bytes + stacks->len;
	memcpy(to, &stack, sizeof(stack));
	to += sizeof(stack);
	if (stack.nr_kernel)
		memcpy(to, found->kernel, stack.nr_kernel * sizeof(u64));
	if (stack.nr_user)
		memcpy(to + stack.nr_kernel * sizeof(u64), user, stack.nr_user * sizeof(u64));
	stacks->len += sizeof(stack) + (stack.nr_kernel + stack.nr_user) * sizeof(u64);
	return true;
}

static void add_stack(struct stack_tally *stacks, const struct found *found,
		      struct cpuprobe_account *account)
{
	struct stack_task *task = NULL;

	if (found->pid == COUNTS_OTHERS || (!found->pid && stacks->has_target)) {
		account->other_task += found->hits;
		return;
	}
	if (found->pid) {
		task = stack_tasks_find(stacks->tasks, found->pid, found->comm, found->user, found->nr_user);
		if (task && task->belongs == OTHER_EXE) {
			account->other_exe += found->hits;
			return;
		}
		if (task && (task->belongs == OTHER_TASK ||
			     (task->belongs == UNSEEN && !stack_tasks_may_be(stacks->tasks, task)))) {
			account->other_task += found->hits;
			return;
		}
	}
	if ((found->pid && (!task || task->belongs == UNSEEN)) || !append_stack(stacks, task, found))
		account->lost[found->mode] += found->hits;
	else
		account->entries++;
}

/* If out of memory, no executable is named. */
static void put_exes(struct stack_tally *stacks, struct cpuprobe_account *account)
{
	const u32 nr = stack_tasks_nr_exes(stacks->tasks);
	struct cpuprobe_exe *exe;
	u32 i;

	stacks->len = 0;
	if (!make_room(stacks, nr * sizeof(*exe) + 1))
		return;
	exe = (struct cpuprobe_exe *)stacks->bytes;
	for (i = 0; i < nr; i++)
		memcpy(exe[i].id, stack_tasks_exe(stacks->tasks, i)->exe_id, sizeof(exe[i].id));
	stacks->len = nr * sizeof(*exe);
	account->objects = nr;
}

static u64 fill_stacks(struct tally *tally, const struct counts *counts, u32 part,
		       struct cpuprobe_account *account, const void **entries_ret)
{
	struct stack_tally *stacks = (struct stack_tally *)tally;
	const struct stack_spilled *spilled;
	struct found found;
	u64 sum = 0;
	u32 i, nr;

	put_exes(stacks, account);
	for (i = 0; i < counts->nr; i++) {
		u64 hits = counts_stack_at(counts, i, part)->hits;

		sum += hits;
		if (!hits)
			continue;
		found = read_key(counts, i, hits);
		add_stack(stacks, &found, account);
	}
	spilled = stack_store_spilled(counts->stacks, &nr);
	for (i = 0; i < nr; i++)
		if (spilled[i].cpu == stacks->possible[part]) {
			found = read_spilled(&spilled[i]);
			add_stack(stacks, &found, account);
			sum++;
		}
	account->bytes = stacks->len;
	*entries_ret = stacks->bytes;
	return sum;
}

static int open_exe(struct tally *tally, u32 exe)
{
	return stack_tasks_open_exe(((struct stack_tally *)tally)->tasks, exe);
}

static void destroy_stacks(struct tally *tally)
{
	struct stack_tally *stacks = (struct stack_tally *)tally;

	stack_tasks_destroy(stacks->tasks);
	free(stacks->bytes);
	free(stacks);
}

struct tally *tally_create_stacks(const struct cpuprobe_start *start, const u32 *possible)
{
	struct stack_tally *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->tally = (struct tally){ begin_stacks, fill_stacks, destroy_stacks, open_exe };
	stacks->possible = possible;
	stacks->has_target = start->pid || start->exe_fd >= 0 || start->cgroup_fd >= 0;
	stacks->tasks = stack_tasks_create(start);
	if (stacks->tasks)
		return &stacks->tally;
	destroy_stacks(&stacks->tally);
	return NULL;
}
