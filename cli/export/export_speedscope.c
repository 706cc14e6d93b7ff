// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speedscope's own format: see export.h. The file has two profiles of the same stacks: by time and
 * by samples. Functions and process names are frames.
 */
#include <errno.h>
#include <stdlib.h>

#include "export/export.h"
#include "release.h"

/** Frames are numbered: functions, then processes, then lost samples. */
struct speedscope {
	FILE *out;
	const struct profile *profile;
	const u32 *order;		/* order of the stacks */
	const u32 *namesake;		/* for each process, the process whose frame it shares */
	const char *const *source;	/* source file of each function */
};

static void write_frame(const struct speedscope *view, const char *name, const char *file)
{
	fputs("\n{\"name\": ", view->out);
	text_json(view->out, export_name(name));
	if (file[0]) {
		fputs(", \"file\": ", view->out);
		text_json(view->out, file);
	}
	fputc('}', view->out);
}

/* File of a function: its source file or, if that is unknown, its object. */
static const char *get_source_file(const struct speedscope *view, u32 function)
{
	const struct profile_object *object =
		&view->profile->objects[view->profile->functions[function].object];

	if (view->source[function][0])
		return view->source[function];
	return object->kind == PROFILE_MARKS ? "" : object->path[0] ? object->path : object->name;
}

static void write_frames(const struct speedscope *view)
{
	const struct profile *profile = view->profile;
	u32 i;

	fputs("\"shared\": {\"frames\": [", view->out);
	for (i = 0; i < profile->nr_functions; i++) {
		fputs(i ? "," : "", view->out);
		write_frame(view, profile->functions[i].name, get_source_file(view, i));
	}
	for (i = 0; i < profile->nr_processes; i++) {
		fputc(',', view->out);
		write_frame(view, profile->processes[i].name, "");
	}
	fputc(',', view->out);
	write_frame(view, EXPORT_LOST, "");
	fputs("\n]},\n", view->out);
}

static void write_sample(const struct speedscope *view, const struct profile_stack *stack)
{
	const u32 *frames = profile_frames_of(view->profile, stack);
	u32 left;

	fprintf(view->out, "[%u", view->profile->nr_functions + view->namesake[stack->process]);
	for (left = stack->nr_frames; left; left--)
		fprintf(view->out, ",%u", view->profile->frames[frames[left - 1]].function);
	fputc(']', view->out);
}

static u64 get_stack_weight(const struct profile_stack *stack, bool is_time)
{
	return is_time ? export_whole(stack->ns) : stack->hits;
}

static void write_profile(const struct speedscope *view, bool is_time)
{
	const struct profile *profile = view->profile;
	u64 lost = is_time ? export_whole(profile->lost_ns) : profile->lost, sum = lost;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++)
		sum += get_stack_weight(&profile->stacks[i], is_time);
	fprintf(view->out, "{\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"%s\", "
		"\"startValue\": 0, \"endValue\": %llu,\n\"samples\": [",
		!is_time ? "samples" : profile->counts_events ? "events" : "CPU time",
		is_time && !profile->counts_events ? "nanoseconds" : "none", sum);
	for (i = 0; i < profile->nr_stacks; i++) {
		fputs(i ? ",\n" : "\n", view->out);
		write_sample(view, &profile->stacks[view->order[i]]);
	}
	if (profile->lost)
		fprintf(view->out, "%s\n[%u]", i ? "," : "",
			profile->nr_functions + profile->nr_processes);
	fputs("\n],\n\"weights\": [", view->out);
	for (i = 0; i < profile->nr_stacks; i++)
		fprintf(view->out, "%s%llu", i ? "," : "",
			get_stack_weight(&profile->stacks[view->order[i]], is_time));
	if (profile->lost)
		fprintf(view->out, "%s%llu", i ? "," : "", lost);
	fputs("]}", view->out);
}

int export_speedscope(FILE *out, const struct stack_run *stacks)
{
	u32 *order = export_order(stacks->profile);
	u32 *namesake = export_namesakes(stacks->profile);
	const char **source = export_source(stacks->profile);
	const struct speedscope view = { out, stacks->profile, order, namesake, source };
	bool has_room = order && namesake && source;

	if (has_room) {
		fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
		      "\"exporter\": \"cpuprobe " CPUPROBE_RELEASE "\", \"name\": \"cpuprobe\", "
		      "\"activeProfileIndex\": 0,\n", out);
		write_frames(&view);
		fputs("\"profiles\": [\n", out);
		write_profile(&view, true);
		fputs(",\n", out);
		write_profile(&view, false);
		fputs("\n]}\n", out);
	}
	free(order);
	free(namesake);
	free(source);
	return has_room ? 0 : -ENOMEM;
}
