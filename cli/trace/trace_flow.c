// SPDX-License-Identifier: GPL-2.0-only
/* Collecting the code path of a trace: see trace_flow.h. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/trace_flow.h"

/** State while items are collected. */
struct collecting {
	struct trace_flow *flow;
	const struct trace_choice *choice;
	u64 from_ns, to_ns;
	u32 nr_pending;
	u32 known_tid;		/* whether it is chosen is known */
	bool is_known_chosen;
	bool is_exhausted;	/* out of memory */
};

/* Whether a thread is to be shown. */
static bool is_chosen(struct collecting *collecting, u32 tid)
{
	const struct trace_choice *choice = collecting->choice;

	if (!choice || !choice->task)
		return true;
	if (tid != collecting->known_tid) {
		collecting->known_tid = tid;
		collecting->is_known_chosen = trace_has_task(collecting->flow->trace, choice->task, tid);
	}
	return collecting->is_known_chosen;
}

static bool is_in_window(const struct collecting *collecting, u64 ns)
{
	return ns >= collecting->from_ns && ns <= collecting->to_ns;
}

/* Appends an item at a moment; NULL: out of memory, or not to be shown. */
static struct trace_flow_item *add_item(struct collecting *collecting, const struct trace_moment *moment,
					enum trace_flow_kind kind)
{
	struct trace_flow *flow = collecting->flow;
	u32 cpu = flow->trace->cpus[moment->cpu].cpu;

	if (!is_in_window(collecting, moment->ns) || !trace_choice_has_cpu(collecting->choice, cpu))
		return NULL;
	if (!array_has_room(&flow->items, flow->nr_items, sizeof(*flow->items))) {
		collecting->is_exhausted = true;
		return NULL;
	}
	flow->items[flow->nr_items] = (struct trace_flow_item){
		.ns = moment->ns, .kind = kind, .tid = moment->tid, .cpu = cpu, .parent = moment->item,
		.depth = moment->depth, .node = TRACE_NONE,
	};
	return &flow->items[flow->nr_items++];
}

static u32 call_entered(void *context, const struct trace_moment *moment, u32 node, u32 flags)
{
	struct collecting *collecting = context;
	struct trace_flow_item *item = is_chosen(collecting, moment->tid) ?
		add_item(collecting, moment, FLOW_CALL) : NULL;

	if (!item)
		return TRACE_NONE;
	item->node = node;
	item->frame_flags = flags;
	item->flags = FLOW_PENDING;
	item->how = TRACE_OPEN;
	collecting->nr_pending++;
	return item - collecting->flow->items;
}

/* A return, unless it is the end of what is known of the call. */
static void add_return(struct collecting *collecting, const struct trace_moment *moment,
		       const struct trace_call *call)
{
	struct trace_flow_item *item;

	if (call->how != TRACE_ENDED || !is_chosen(collecting, moment->tid))
		return;
	item = add_item(collecting, moment, FLOW_RETURN);
	if (!item)
		return;
	item->node = call->node;
	item->other = call->item;
	item->flags = call->item == TRACE_NONE ? FLOW_EARLIER : 0;
	if (moment->switched_ns > call->began_ns)
		item->net_ns = moment->ns - moment->switched_ns;
}

static void call_left(void *context, const struct trace_moment *moment, const struct trace_call *call)
{
	struct collecting *collecting = context;
	struct trace_flow_item *item;

	add_return(collecting, moment, call);
	if (call->item == TRACE_NONE)
		return;
	item = &collecting->flow->items[call->item];
	item->flags &= ~FLOW_PENDING;
	collecting->nr_pending--;
	item->net_ns = call->net_ns;
	item->total_ns = call->elapsed_ns;
	item->wall_ns = call->wall_ns;
	item->how = call->how;
	item->frame_flags = call->flags;
}

static void add_switch(struct collecting *collecting, const struct trace_moment *moment,
		       const struct trace_event *event, u64 away_ns)
{
	struct trace_flow_item *item;

	if (!is_chosen(collecting, event->what) && !is_chosen(collecting, event->data))
		return;
	item = add_item(collecting, moment, FLOW_SWITCH);
	if (!item)
		return;
	item->other = event->data;
	item->total_ns = away_ns;
	item->how = event->left;
}

static void event_happened(void *context, const struct trace_moment *moment, const struct trace_event *event,
			   u64 away_ns)
{
	struct collecting *collecting = context;
	struct trace_flow_item *item;

	if (event->type == CPUPROBE_EVENT_SWITCH) {
		add_switch(collecting, moment, event, away_ns);
		return;
	}
	/* A mark is for everybody. */
	if (event->type != CPUPROBE_EVENT_MARK && !is_chosen(collecting, moment->tid) &&
	    !is_chosen(collecting, event->what))
		return;
	item = add_item(collecting, moment, event->type == CPUPROBE_EVENT_MARK ? FLOW_MARK :
			event->type == CPUPROBE_EVENT_FORK ? FLOW_FORK : FLOW_WAKEUP);
	if (!item)
		return;
	item->other = event->type == CPUPROBE_EVENT_MARK ? event->text_len : event->what;
	item->text = event->type == CPUPROBE_EVENT_MARK ? event->text : NULL;
	item->total_ns = event->type == CPUPROBE_EVENT_WAKEUP ? event->data : 0;
}

static bool is_past(void *context, u64 ns)
{
	const struct collecting *collecting = context;

	return collecting->is_exhausted || (ns > collecting->to_ns && !collecting->nr_pending);
}

/** The slowest call of some functions. */
struct slowest {
	const struct trace_account *account;
	const char *glob;
	struct trace_call call;
	u64 end_ns;
	u32 tid, cpu;
	u8 level;
};

static u32 ignore_entry(void *context, const struct trace_moment *moment, u32 node, u32 flags)
{
	return TRACE_NONE;
}

static void ignore_event(void *context, const struct trace_moment *moment, const struct trace_event *event,
			 u64 away_ns)
{
}

static void compare_call(void *context, const struct trace_moment *moment, const struct trace_call *call)
{
	struct slowest *slowest = context;
	const struct time_counts *counts = slowest->account->sums.counts;

	if (call->how != TRACE_ENDED || call->flags & TRACE_FRAME_CUT ||
	    call->wall_ns <= slowest->call.wall_ns ||
	    fnmatch(slowest->glob, time_counts_name(counts, &counts->nodes[call->node]), 0))
		return;
	slowest->call = *call;
	slowest->end_ns = moment->ns;
	slowest->tid = moment->tid;
	slowest->cpu = moment->cpu;
	slowest->level = moment->level;
}

static int find_slowest(struct slowest *slowest, const struct trace *trace, const struct trace_choice *choice,
			struct text_error *error_ret)
{
	struct trace_account account;
	const struct trace_watch watch = { slowest, ignore_entry, compare_call, ignore_event, NULL };
	int error;

	slowest->account = &account;
	error = trace_account_init(&account, trace, choice, &watch);
	if (error)
		return text_fail(error_ret, error, "out of memory");
	trace_account_deinit(&account);
	return slowest->call.wall_ns ? 0 :
		text_fail(error_ret, -ENOENT, "the trace has no whole call of %s", slowest->glob);
}

/* Marks what is shown: calls that take long enough and are not too deep, and what comes in them. */
static void choose_items(struct trace_flow *flow, const struct trace_flow_options *options)
{
	u32 i;

	flow->least_depth = UINT16_MAX;
	for (i = 0; i < flow->nr_items; i++)
		if (flow->items[i].kind <= FLOW_RETURN && flow->items[i].depth < flow->least_depth)
			flow->least_depth = flow->items[i].depth;
	for (i = 0; i < flow->nr_items; i++) {
		struct trace_flow_item *item = &flow->items[i];
		struct trace_flow_item *parent = item->parent == TRACE_NONE ? NULL :
			&flow->items[item->parent];
		bool is_call = item->kind == FLOW_CALL;
		bool is_near = !options->depth || item->kind > FLOW_RETURN ||
			(u64)(item->depth - flow->least_depth) < options->depth;
		bool is_long = !options->over_ns || (is_call ? item->wall_ns >= options->over_ns :
						     parent && parent->flags & FLOW_SHOWN);

		if (item->kind == FLOW_RETURN && !(item->flags & FLOW_EARLIER)) {
			struct trace_flow_item *call = &flow->items[item->other];

			item->flags |= call->flags & FLOW_HAS_INNER ? call->flags & FLOW_SHOWN : 0;
		} else if (is_near && is_long) {
			item->flags |= FLOW_SHOWN;
			if (parent)
				parent->flags |= FLOW_HAS_INNER;
		}
		flow->nr_shown += item->flags & FLOW_SHOWN;
	}
}

static int collect(struct collecting *collecting, const struct trace_choice *choice,
		   struct text_error *error_ret)
{
	struct trace_flow *flow = collecting->flow;
	const struct trace_watch watch = { collecting, call_entered, call_left, event_happened, is_past };
	int error = trace_account_from(&flow->account, flow->trace, choice, &watch, collecting->from_ns);

	if (error == -EBADMSG)
		return text_fail(error_ret, error, "the index of the trace is damaged");
	if (!error && collecting->is_exhausted) {
		trace_account_deinit(&flow->account);
		error = -ENOMEM;
	}
	return error ? text_fail(error_ret, error, "out of memory") : 0;
}

int trace_flow_init(struct trace_flow *flow, const struct trace *trace,
		    const struct trace_flow_options *options,
		    const struct trace_choice *choice, struct text_error *error_ret)
{
	struct slowest slowest = { .glob = options->longest };
	struct trace_choice one = choice ? *choice : (struct trace_choice){ .cpus = NULL };
	char tid[16];
	struct collecting collecting = {
		.flow = flow, .choice = &one, .from_ns = options->from_ns, .known_tid = TRACE_NONE,
		.to_ns = options->to_ns ?: UINT64_MAX,
	};
	int error;

	*flow = (struct trace_flow){ .trace = trace };
	if (options->longest) {
		error = find_slowest(&slowest, trace, choice, error_ret);
		if (error)
			return error;
		collecting.from_ns = slowest.call.began_ns;
		collecting.to_ns = slowest.end_ns;
		snprintf(tid, sizeof(tid), "%u", slowest.tid);
		if (!slowest.level && slowest.tid && slowest.tid != TRACE_NONE) {
			one.task = tid;
		} else {
			one.cpus = &trace->cpus[slowest.cpu].cpu;
			one.nr_cpus = 1;
		}
	}
	flow->has_one_task = one.task;
	/* Times are those of all CPUs; only some of them may be shown. */
	error = collect(&collecting, one.task ? &(struct trace_choice){ .task = one.task } : NULL, error_ret);
	if (error)
		free(flow->items);
	else
		choose_items(flow, options);
	return error;
}

void trace_flow_deinit(struct trace_flow *flow)
{
	trace_account_deinit(&flow->account);
	free(flow->items);
	flow->items = NULL;
}
