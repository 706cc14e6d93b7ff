// SPDX-License-Identifier: GPL-2.0-only
/* The trace event format: see perfetto.h. Times are microseconds; digits after the point are nanoseconds. */
#include "base/text.h"
#include "picture/perfetto.h"

/* Numbers of processes and threads that Linux does not give: the greatest one of a task is 4194304. */
#define CPUS_PID	5000000u
#define UNKNOWN_PID	5000001u	/* of threads whose process is unknown */
#define IDLE_PID	5000002u	/* of idle and unknown tasks */
#define CPU_TID		5100000u
#define IDLE_TID	5200000u
#define UNKNOWN_TID	5300000u

struct perfetto {
	FILE *out;
	const struct picture *picture;
	bool has_event;
};

static u32 pid_of(const struct perfetto *perfetto, u32 row, u32 *tid_ret)
{
	const struct trace_task *task;
	u32 of;

	switch (picture_row_kind(perfetto->picture, row, &of)) {
	case PICTURE_CPU_ROW:
		*tid_ret = CPU_TID + of;
		return CPUS_PID;
	case PICTURE_TASK_ROW:
		task = &perfetto->picture->trace->tasks[of];
		*tid_ret = task->tid;
		return task->tgid ?: UNKNOWN_PID;
	case PICTURE_IDLE_ROW:
		*tid_ret = IDLE_TID + of;
		return IDLE_PID;
	default:
		*tid_ret = UNKNOWN_TID + of;
		return IDLE_PID;
	}
}

/* Begins an event, which the caller ends with '}'. */
static void begin_event(struct perfetto *perfetto, char phase, u32 row, u64 ns)
{
	u32 tid, pid = pid_of(perfetto, row, &tid);

	fprintf(perfetto->out, "%s\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%llu.%03llu",
		perfetto->has_event ? "," : "", phase, pid, tid, ns / 1000, ns % 1000);
	perfetto->has_event = true;
}

static void begin_span(void *context, const struct picture_span *span)
{
	static const char *const categories[] = { "task", "call", "lost" };
	struct perfetto *perfetto = context;
	char name[64];

	begin_event(perfetto, 'B', span->row, span->began_ns);
	fprintf(perfetto->out, ",\"cat\":\"%s\",\"name\":", categories[span->kind]);
	text_json(perfetto->out, picture_span_name(perfetto->picture, span, name, sizeof(name)));
	fprintf(perfetto->out, "%s}", span->is_early ? ",\"args\":{\"clipped at begin\":true}" : "");
}

static void put_times(FILE *out, const struct picture_end *end)
{
	fprintf(out, ",\"elapsed_ns\":%llu,\"net_ns\":%llu,\"blocked_ns\":%llu,\"preempted_ns\":%llu",
		end->elapsed_ns, end->net_ns, end->blocked_ns, end->preempted_ns);
}

static void end_span(void *context, const struct picture_span *span, const struct picture_end *end)
{
	static const char *const left[] = { "preempted", "blocked", "dead", "?" };
	struct perfetto *perfetto = context;
	FILE *out = perfetto->out;

	begin_event(perfetto, 'E', span->row, end->ns);
	/* Every list of arguments begins with a kind. */
	fprintf(out, ",\"args\":{\"kind\":\"%s\"", span->kind == PICTURE_CALL ? "call" :
		span->kind == PICTURE_TASK ? "task" : "lost");
	if (end->has_times)
		put_times(out, end);
	if (span->kind == PICTURE_TASK && !end->is_clipped)
		fprintf(out, ",\"left\":\"%s\"", left[end->left / CPUPROBE_LEFT_BLOCKED & 3]);
	if (span->kind == PICTURE_LOST)
		fprintf(out, ",\"lost\":%llu", span->lost);
	fprintf(out, "%s%s%s%s%s}}", end->is_clipped ? ",\"clipped at end\":true" : "",
		end->is_unwound ? ",\"unwound\":true" : "",
		end->flags & TRACE_FRAME_CUT ? ",\"events missing\":true" : "",
		end->flags & TRACE_FRAME_TAIL ? ",\"tail call\":true" : "",
		end->flags & TRACE_FRAME_RECURSIVE ? ",\"recursive\":true" : "");
}

static void put_arrow(struct perfetto *perfetto, char phase, u32 row, u64 ns, u64 arrow)
{
	begin_event(perfetto, phase, row, ns);
	fprintf(perfetto->out, ",\"cat\":\"wake-up\",\"name\":\"wake-up\",\"id\":%llu%s}", arrow,
		phase == 'f' ? ",\"bp\":\"e\"" : "");
}

static void put_instant(void *context, const struct picture_instant *instant)
{
	struct perfetto *perfetto = context;
	char name[1024];

	begin_event(perfetto, 'i', instant->row, instant->ns);
	fputs(",\"s\":\"t\",\"name\":", perfetto->out);
	text_json(perfetto->out,
		  picture_instant_name(perfetto->picture, instant, name, sizeof(name)));
	fputc('}', perfetto->out);
	if (instant->arrow)
		put_arrow(perfetto, 's', instant->row, instant->ns, instant->arrow);
}

static void end_arrow(void *context, u32 row, u64 ns, u64 arrow)
{
	put_arrow(context, 'f', row, ns, arrow);
}

/* An event that describes the row instead of a time. */
static void put_metadata(struct perfetto *perfetto, u32 row, const char *key, const char *field,
			 const char *name, u32 number)
{
	begin_event(perfetto, 'M', row, 0);
	fprintf(perfetto->out, ",\"name\":\"%s\",\"args\":{\"%s\":", key, field);
	if (name)
		text_json(perfetto->out, name);
	else
		fprintf(perfetto->out, "%u", number);
	fputs("}}", perfetto->out);
}

static void name_row(struct perfetto *perfetto, u32 row)
{
	const struct picture *picture = perfetto->picture;
	const struct trace_task *leader = NULL;
	char name[64], process[64];
	u32 of, tid, pid = pid_of(perfetto, row, &tid);

	picture_row_name(picture, row, name, sizeof(name));
	if (picture_row_kind(picture, row, &of) == PICTURE_TASK_ROW)
		leader = trace_find_task(picture->trace, pid);
	/* A name has no number here: viewers show it beside the name. */
	snprintf(process, sizeof(process), "%s", leader && leader->comm[0] ? leader->comm : name);
	if (pid == CPUS_PID || pid == IDLE_PID || pid == UNKNOWN_PID)
		snprintf(process, sizeof(process), "%s", pid == CPUS_PID ? "CPUs" : pid == IDLE_PID ?
			 "Calls in idle and unknown tasks" : "Tasks of unknown processes");
	put_metadata(perfetto, row, "process_name", "name", process, 0);
	put_metadata(perfetto, row, "process_sort_index", "sort_index", NULL, pid == CPUS_PID ? 0 : 1);
	put_metadata(perfetto, row, "thread_name", "name", name, 0);
	put_metadata(perfetto, row, "thread_sort_index", "sort_index", NULL, row + 1);
}

int perfetto_write(FILE *out, struct picture *picture)
{
	struct perfetto perfetto = { .out = out, .picture = picture };
	const struct picture_drawing drawing = {
		.context = &perfetto, .begin = begin_span, .end = end_span, .instant = put_instant,
		.arrived = end_arrow,
	};
	u32 i;
	int error;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
	for (i = 0; i < picture->nr_rows; i++)
		if (picture_row_is_used(picture, i))
			name_row(&perfetto, i);
	error = picture_draw(picture, &drawing);
	fprintf(out, "\n],\"otherData\":{\"events\":%llu,\"lost events\":%llu,\"gaps\":%llu,"
		"\"from_ns\":%llu,\"to_ns\":%llu}}\n", picture->account.tally.events,
		trace_lost(picture->trace), picture->account.tally.gaps, picture->from_ns, picture->to_ns);
	return error;
}
