// SPDX-License-Identifier: GPL-2.0-only
/*
 * The promises of the interface's header: valid arguments (by the rules of abi_rules.h), permitted
 * answers, and the sums of accounts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

void finding(struct fuzzer *fuzzer, const char *text)
{
	const struct call *call = fuzzer->now;
	unsigned int i;

	printf("finding: seed %llu process %u call %llu: %s\n", (unsigned long long)fuzzer->seed,
	       fuzzer->process, (unsigned long long)fuzzer->totals->nr_calls, text);
	printf("  kind %u file %u place %u what %u command %#x areas %u %u arg", call->kind,
	       call->file, call->place, call->what, call->command, call->area_seed,
	       call->area_flaw);
	for (i = 0; i < 32; i++)
		printf(" %x", call->arg.word[i]);
	printf("\n");
	fuzzer->totals->nr_findings++;
}

#define MUST(condition, text) do { \
	if (!(condition)) \
		finding(fuzzer, text); \
} while (0)

static void judge_reason(struct fuzzer *fuzzer, const struct cpuprobe_start *asked,
			 const struct cpuprobe_start *answer, int error)
{
	unsigned int reasons = start_reasons(asked, error);

	/* The rules do not know whether a mask contains any CPU. */
	if (error == EINVAL)
		reasons |= REASON(CPUS);
	MUST(reasons, "unexpected error of START");
	MUST(!reasons || is_reason(reasons, answer->reason), "the reason does not fit the error");
}

static void judge_start(struct fuzzer *fuzzer, const struct call *call,
			const struct cpuprobe_start *answer, int error)
{
	struct model *model = &fuzzer->model[fuzzer->session[call->file]];
	const struct cpuprobe_start *asked = &call->arg.start;

	if (call->place != PLACE_GOOD && call->place != PLACE_EDGE)
		return;
	if (!is_head_right(COMMAND(START), asked)) {
		MUST(error == EPROTO, "another version accepted");
		return;
	}
	if (model->is_known)
		MUST((error == EBUSY && !answer->reason) == !!COMMAND(START)->error[model->state],
		     "wrong for the state of the session");
	if (error) {
		judge_reason(fuzzer, asked, answer, error);
	} else {
		MUST(!wrong_start(asked) && !answer->reason, "an invalid session started");
		MUST(answer->seed && (!asked->seed || answer->seed == asked->seed),
		     "the seed is wrong");
	}
	MUST(is_only_answered(asked, *answer), "the request was changed");
}

static void judge_areas(struct fuzzer *fuzzer, const struct call *call, int error)
{
	const struct cpuprobe_areas *asked = &call->arg.areas;
	bool is_right;

	if (call->place > PLACE_EDGE && call->place != PLACE_FIXED)
		return;
	if (!is_head_right(COMMAND(AREAS), asked)) {
		MUST(error == EPROTO, "another version accepted");
		return;
	}
	is_right = !wrong_fields(COMMAND(AREAS), asked, IN_ALL);
	if (is_right && asked->areas != AREAS && asked->nr_areas) {
		MUST(!error || error == EFAULT || error == EINVAL, "unexpected error of AREAS");
		return;
	}
	MUST((error == 0) == (is_right && are_areas_right((void *)AREAS, asked->nr_areas)),
	     "wrong verdict about areas");
	MUST(!error || error == EINVAL, "unexpected error of AREAS");
}

static uint64_t sum(const __u64 *count, uint32_t nr)
{
	uint64_t total = 0;

	while (nr--)
		total += count[nr];
	return total;
}

/* Sum of the stacks' hits; checks each stack on its own. */
static uint64_t hits_of_stacks(struct fuzzer *fuzzer, const struct cpuprobe_account *account)
{
	const uint8_t *at = (void *)BUFFER, *end = at + account->bytes;
	uint64_t total = 0;
	uint32_t nr = 0;

	at += account->objects * sizeof(struct cpuprobe_exe);
	for (; at + sizeof(struct cpuprobe_stack) <= end; nr++) {
		const struct cpuprobe_stack *stack = (const void *)at;

		if (stack->nr_kernel > CPUPROBE_FRAMES_MAX || stack->nr_user > CPUPROBE_FRAMES_MAX)
			break;
		MUST(stack->hits && stack->nr_sure <= stack->nr_user && stack->exe <= account->objects &&
		     stack->mode < CPUPROBE_MODES && stack->flags < 2 * CPUPROBE_STACK_SYSCALL,
		     "an impossible stack");
		total += stack->hits;
		at += sizeof(*stack) + 8 * (stack->nr_kernel + stack->nr_user);
	}
	MUST(at == end && nr == account->entries, "stacks are not contiguous");
	return total;
}

/* Check the account against the counts at BUFFER. Returns the bytes that the module wrote. */
static uint32_t judge_sums(struct fuzzer *fuzzer, uint32_t what,
			   const struct cpuprobe_account *account)
{
	const struct cpuprobe_lateness *late = (void *)BUFFER;
	const __u64 *counts = (void *)BUFFER;
	uint64_t hits, places = 0;
	uint32_t i;

	switch (what) {
	case CPUPROBE_WHAT_SYSTEM:
		hits = hits_of_records((void *)BUFFER, account->entries) +
			lost_samples(account) + account->excluded;
		MUST(hits == account->taken, "sum of a system table is wrong");
		return account->entries * sizeof(struct cpuprobe_record);
	case CPUPROBE_WHAT_STACKS:
		hits = hits_of_stacks(fuzzer, account) + lost_samples(account);
		MUST(hits + account->other_exe + account->other_task + account->excluded ==
		     account->taken, "sum of stacks is wrong");
		return account->bytes;
	case CPUPROBE_WHAT_LATE:
		for (i = 0; i < account->entries; i++)
			places += late->place[i].hits;
		MUST(sum(late->hits[0], 2 * CPUPROBE_LATE_BINS) == account->taken,
		     "sum of lateness is wrong");
		MUST(sum(late->handler_hits, CPUPROBE_LATE_BINS) == account->taken,
		     "sum of handler times is wrong");
		MUST(places + account->lost[0] == account->deferred, "sum of places is wrong");
		return sizeof(*late);
	default:
		hits = sum(counts + account->objects, account->entries - account->objects);
		MUST(hits + account->outside + account->other_mode + account->other_exe +
		     account->other_task + account->excluded == account->taken,
		     "sum of slots is wrong");
		MUST(sum(counts, account->objects) == hits + account->outside + account->other_mode,
		     "sum of objects is wrong");
		return account->entries * sizeof(uint64_t);
	}
}

/* The accounts of a session add up; an account that is read again is unchanged. */
static void judge_course(struct fuzzer *fuzzer, struct model *model, uint32_t cpu,
			 const struct cpuprobe_account *account)
{
	struct cpuprobe_account *last = &model->last[cpu];
	bool is_empty = !account->expected && !account->taken && !account->missed;

	if (account->seq == last->seq) {
		MUST(is_empty || !memcmp(last, account, sizeof(*account)),
		     "an account changed between two reads");
		return;
	}
	MUST(account->seq == last->seq + 1, "an account was skipped");
	model->expected[cpu] += account->expected;
	model->accounted[cpu] += account->taken + account->missed;
	MUST(model->accounted[cpu] + account->pending == model->expected[cpu],
	     "taken + missed + pending = expected");
	*last = *account;
}

static void judge_harvest(struct fuzzer *fuzzer, const struct call *call,
			  const struct cpuprobe_harvest *answer, int error)
{
	struct model *model = &fuzzer->model[fuzzer->session[call->file]];
	const struct cpuprobe_harvest *asked = &call->arg.harvest;
	const struct cpuprobe_account *account = &answer->account;
	uint32_t written = 0;
	bool is_told;

	MUST(!error || error == EFAULT || error == EINVAL || error == ENODEV || error == EPROTO,
	     "unexpected error of HARVEST");
	/* With EFAULT the account is handed out, but the answer cannot be read. */
	if (error || (call->place != PLACE_GOOD && call->place != PLACE_EDGE)) {
		if (!error || error == EFAULT) {
			model->has_unseen = true;
			memory_clean();
		}
		return;
	}
	MUST(is_head_right(COMMAND(HARVEST), asked) && asked->cpu < fuzzer->nr_cpus &&
	     !wrong_fields(COMMAND(HARVEST), asked, IN_ALL), "an invalid harvest succeeded");
	MUST(!memcmp(asked, answer, offsetof(struct cpuprobe_harvest, account)),
	     "the request was changed");
	MUST(!(account->flags & CPUPROBE_ACCOUNT_DAMAGED), "damaged account");
	if (asked->buffer != BUFFER) {
		model->has_unseen = true;
		return;
	}
	if (!model->is_known) {
		memory_clean();
		return;
	}
	MUST(!COMMAND(HARVEST)->error[model->state], "harvested before the start");
	/* Counts are handed out, except after an acknowledgement when there is nothing new. */
	is_told = *(uint8_t *)BUFFER != CANARY || *(uint8_t *)(BUFFER + 1) != CANARY;
	if (is_told && account->taken)
		written = judge_sums(fuzzer, model->what, account);
	if (is_told && !account->taken)
		written = model->what == CPUPROBE_WHAT_LATE ? sizeof(struct cpuprobe_lateness) : 0;
	MUST(memory_is_clean(written), "written beyond the counts");
	judge_course(fuzzer, model, asked->cpu, account);
	memory_clean();
}

/* Whether EXE may find what it asks for. */
static bool is_exe_of_account(const struct model *model, const struct cpuprobe_open *asked)
{
	const struct cpuprobe_account *last = &model->last[asked->cpu];

	return (asked->seq == last->seq && asked->exe < last->objects) ||
		(model->has_unseen && asked->seq == last->seq + 1);
}

static void judge_exe(struct fuzzer *fuzzer, const struct call *call, long result, int error)
{
	struct model *model = &fuzzer->model[fuzzer->session[call->file]];
	const struct cpuprobe_open *asked = &call->arg.open;

	if (error) {
		MUST(error == EFAULT || error == EPROTO || error == EINVAL || error == ENODEV ||
		     error == ESTALE || error == ENOMEM, "unexpected error of EXE");
		return;
	}
	MUST(fcntl(result, F_GETFD) == FD_CLOEXEC &&
	     (fcntl(result, F_GETFL) & O_ACCMODE) == O_RDONLY,
	     "a descriptor with the wrong flags");
	if (!model->is_known || (call->place != PLACE_GOOD && call->place != PLACE_EDGE))
		return;
	MUST(is_head_right(COMMAND(EXE), asked) && asked->cpu < fuzzer->nr_cpus &&
	     !COMMAND(EXE)->error[model->state] && model->what == CPUPROBE_WHAT_STACKS &&
	     is_exe_of_account(model, asked), "an executable of no account");
}

static void judge_calls(struct fuzzer *fuzzer, const struct call *call,
			const struct cpuprobe_calls *answer, int error)
{
	const struct cpuprobe_calls *asked = &call->arg.calls;

	MUST(!error || error == EPROTO || error == EINVAL || error == EBUSY || error == EFAULT ||
	     error == EPERM || error == ENOMEM || error == EOPNOTSUPP || error == EBADF ||
	     error == EINTR || error == ENOSPC || error == ESRCH, "unexpected error of CALLS");
	if (call->place != PLACE_GOOD && call->place != PLACE_EDGE)
		return;
	if (asked->size != sizeof(*asked) || asked->version != CPUPROBE_ABI_VERSION) {
		MUST(error == EPROTO, "another version accepted");
		return;
	}
	MUST(asked->functions == answer->functions && asked->nr_functions == answer->nr_functions &&
	     asked->flags == answer->flags && asked->table_kib == answer->table_kib &&
	     asked->exe_fd == answer->exe_fd && asked->pid == answer->pid &&
	     asked->cgroup_fd == answer->cgroup_fd && asked->reserved == answer->reserved,
	     "the request was changed");
	if (!error)
		MUST(!answer->reason && answer->nr_hooked && answer->cost_ps && !asked->reserved &&
		     asked->flags < 32 && asked->table_kib <= CPUPROBE_CALLS_KIB_MAX,
		     "an invalid session of calls started");
}

static void judge_trace(struct fuzzer *fuzzer, const struct call *call,
			const struct cpuprobe_trace *answer, int error)
{
	const struct cpuprobe_trace *asked = &call->arg.trace;

	MUST(!error || error == EPROTO || error == EINVAL || error == EBUSY || error == EFAULT ||
	     error == EPERM || error == ENOMEM || error == EOPNOTSUPP || error == EBADF ||
	     error == EINTR || error == ESRCH, "unexpected error of TRACE");
	if (call->place != PLACE_GOOD && call->place != PLACE_EDGE)
		return;
	if (asked->size != sizeof(*asked) || asked->version != CPUPROBE_ABI_VERSION) {
		MUST(error == EPROTO, "another version accepted");
		return;
	}
	MUST(asked->functions == answer->functions && asked->nr_functions == answer->nr_functions &&
	     asked->flags == answer->flags && asked->buffer_kib == answer->buffer_kib &&
	     asked->start_function == answer->start_function && asked->start_count == answer->start_count &&
	     asked->stop_function == answer->stop_function && asked->max_events == answer->max_events &&
	     !memcmp(asked->start_mark, answer->start_mark, sizeof(asked->start_mark)),
	     "the request was changed");
	if (!error)
		MUST(!answer->reason && answer->nr_hooked <= asked->nr_functions && answer->cost_ps &&
		     !asked->reserved && asked->flags < 64 && asked->buffer_kib <= CPUPROBE_TRACE_KIB_MAX &&
		     !answer->nr_hooked == !asked->nr_functions, "an invalid trace started");
}

/* Only the slots that are told were written. */
static void judge_events(struct fuzzer *fuzzer, const struct call *call,
			 const struct cpuprobe_events *answer, int error)
{
	MUST(!error || error == EPROTO || error == EINVAL || error == ENODEV || error == EBUSY ||
	     error == EFAULT || error == EPERM, "unexpected error of EVENTS");
	if (!error && call->place < PLACE_CUT) {
		uint32_t bytes = answer->nr_slots * sizeof(struct cpuprobe_event);

		MUST(answer->flags & CPUPROBE_EVENTS_ENDED && answer->first <= answer->stored &&
		     bytes <= call->arg.events.buffer_len, "impossible events");
		if (call->arg.events.buffer == BUFFER)
			MUST(memory_is_clean(bytes), "written beyond the events");
	}
	memory_clean();
}

static void judge_missed(struct fuzzer *fuzzer, const struct call *call,
			 const struct cpuprobe_missed *answer, int error)
{
	MUST(!error || error == EPROTO || error == EINVAL || error == ENOSPC || error == EFAULT ||
	     error == EPERM, "unexpected error of MISSED");
	if (!error && call->place < PLACE_CUT && call->arg.missed.buffer == BUFFER)
		MUST(memory_is_clean(answer->nr_functions * 8), "written beyond the array");
	memory_clean();
}

/* The copy of COUNTS or TIMES. @nr: entries that there are; memory beyond the buffer stays clean. */
static void judge_copy(struct fuzzer *fuzzer, const struct call *call, uint64_t buffer,
		       uint32_t buffer_len, uint32_t nr, uint32_t len, int error)
{
	uint32_t room = buffer_len / len;

	MUST(!error || error == EPROTO || error == EINVAL || error == ENODEV || error == ENOSPC ||
	     error == EFAULT || error == EPERM, "unexpected error of a copy of calls");
	if (buffer != BUFFER || (error && error != ENOSPC) ||
	    (call->place != PLACE_GOOD && call->place != PLACE_EDGE)) {
		memory_clean();
		return;
	}
	MUST((error == ENOSPC) == (nr > room), "wrong verdict about the buffer");
	if (room * len < BUFFER_LEN)
		MUST(memory_is_clean((nr < room ? nr : room) * len), "written beyond the copy");
	memory_clean();
}

static void judge_need(struct fuzzer *fuzzer, const struct call *call,
		       const struct cpuprobe_need *answer, int error)
{
	MUST(!error || error == EFAULT || error == EPROTO || error == EINVAL || error == ENOENT ||
	     error == ENOMEM, "unexpected error of NEED");
	if (error || (call->place != PLACE_GOOD && call->place != PLACE_EDGE))
		return;
	MUST(answer->fd < 0 || (fcntl(answer->fd, F_GETFD) == FD_CLOEXEC &&
				(fcntl(answer->fd, F_GETFL) & O_ACCMODE) == O_RDONLY),
	     "a descriptor with the wrong flags");
	MUST(!(answer->flags & ~CPUPROBE_NEED_VDSO) && answer->limit_kib, "an impossible need");
}

static void judge_unwind(struct fuzzer *fuzzer, const struct call *call, int error)
{
	const struct cpuprobe_unwind *asked = &call->arg.unwind;

	MUST(!error || error == EFAULT || error == EPROTO || error == EINVAL || error == ESTALE ||
	     error == ENOSPC || error == EAGAIN || error == ENOMEM, "unexpected error of UNWIND");
	if (call->place != PLACE_GOOD && call->place != PLACE_EDGE)
		return;
	MUST(error || (asked->nr_rows <= CPUPROBE_UNWIND_ROWS_MAX &&
		       asked->nr_rules <= CPUPROBE_UNWIND_RULES_MAX &&
		       asked->size == sizeof(*asked) && asked->version == CPUPROBE_ABI_VERSION),
	     "an impossible table was taken");
}

void judge(struct fuzzer *fuzzer, const struct call *call, const void *arg, long result, int error)
{
	error = result < 0 ? error : 0;
	/* Other threads close descriptors, and signals interrupt calls. */
	if (!fuzzer->is_alone && (error == EBADF || error == EINTR) && call->kind != CALL_START)
		return;
	if (call->place > PLACE_RACED && call->kind != CALL_STOP && call->kind != CALL_ODD)
		MUST(error, "succeeded with an unreadable argument");
	switch (call->kind) {
	case CALL_INFO:
		MUST(!error || error == EFAULT, "unexpected error of INFO");
		break;
	case CALL_START:
		if (fuzzer->is_alone || (error != EBADF && error != EINTR))
			judge_start(fuzzer, call, arg, error);
		break;
	case CALL_AREAS:
		judge_areas(fuzzer, call, error);
		break;
	case CALL_HARVEST:
		judge_harvest(fuzzer, call, arg, error);
		break;
	case CALL_EXE:
		judge_exe(fuzzer, call, result, error);
		break;
	case CALL_CALLS:
		judge_calls(fuzzer, call, arg, error);
		break;
	case CALL_COUNTS:
		judge_copy(fuzzer, call, call->arg.counts.buffer, call->arg.counts.buffer_len,
			   call->place < PLACE_CUT ? ((struct cpuprobe_counts *)arg)->nr_arcs : 0,
			   sizeof(struct cpuprobe_arc), error);
		break;
	case CALL_TIMES:
		judge_copy(fuzzer, call, call->arg.times.buffer, call->arg.times.buffer_len,
			   call->place < PLACE_CUT ? ((struct cpuprobe_times *)arg)->nr_nodes : 0,
			   sizeof(struct cpuprobe_time), error);
		break;
	case CALL_NEED:
		judge_need(fuzzer, call, arg, error);
		break;
	case CALL_UNWIND:
		judge_unwind(fuzzer, call, error);
		break;
	case CALL_TRACE:
		judge_trace(fuzzer, call, arg, error);
		break;
	case CALL_EVENTS:
		judge_events(fuzzer, call, arg, error);
		break;
	case CALL_MISSED:
		judge_missed(fuzzer, call, arg, error);
		break;
	case CALL_STOP:
		MUST(!error || error == EINVAL, "unexpected error of STOP");
		break;
	case CALL_ODD:
		MUST(!error || error == ENOTTY || error == EPROTO || error == EFAULT ||
		     error == EINVAL || error == ENODEV || error == EBUSY || error == EBADF ||
		     error == ESTALE || error == ENOENT,
		     "unexpected error of ioctl");
	}
}
