// SPDX-License-Identifier: GPL-2.0-only
/* Exports of a saved trace: see export_trace.h. */
#include <errno.h>

#include "base/option_values.h"
#include "export_trace.h"
#include "picture/perfetto.h"
#include "picture/timeline.h"
#include "run/run_save.h"
#include "trace/trace_flow.h"
#include "trace/trace_save.h"
#include "trace/trace_view.h"

#define PICTURE(field)	offsetof(struct picture_options, field)

const struct option_spec export_trace_specs[] = {
	{ "from", "TIME", "a trace from this time on, such as 0.5 or 20ms", trace_flow_time, PICTURE(from_ns) },
	{ "to", "TIME", "a trace until this time", trace_flow_time, PICTURE(to_ns) },
	{ "task", "TASK", "of a trace only calls by this process or executable: a pid, a path or a name",
	  option_text, PICTURE(task) },
	{ NULL }
};

int export_trace_check(const struct picture_options *options, struct text_error *error_ret)
{
	if (options->to_ns && options->to_ns <= options->from_ns)
		return text_fail(error_ret, -EINVAL, "-to is not after -from");
	return 0;
}

static int refuse_trace(const struct export_options *exports, const char *stacks_option, struct text_error *error_ret)
{
	const char *wrong = exports->path[EXPORT_FOLDED] ? "folded" : exports->path[EXPORT_PPROF] ? "pprof" :
		exports->path[EXPORT_CALLGRIND] ? "callgrind" : stacks_option;

	if (!wrong)
		return 0;
	text_fail(error_ret, 0, "-%s needs a run with stacks; this is a trace", wrong);
	text_hint(error_ret, "traces have -perfetto, -speedscope and -html");
	return OPTIONS_UNFIT;
}

static int refuse_stacks(const struct export_options *exports, const struct picture_options *options,
			 struct text_error *error_ret)
{
	const char *wrong = exports->path[EXPORT_PERFETTO] ? "perfetto" : options->from_ns ? "from" :
		options->to_ns ? "to" : options->task ? "task" : NULL;

	if (!wrong)
		return 0;
	text_fail(error_ret, 0, "-%s needs a trace; this run is none", wrong);
	text_hint(error_ret, "'probe trace -save FILE' saves one");
	return OPTIONS_UNFIT;
}

int export_trace_refuse(const struct export_options *exports, const struct picture_options *options,
			bool is_trace, const char *stacks_option, struct text_error *error_ret)
{
	return is_trace ? refuse_trace(exports, stacks_option, error_ret) :
		refuse_stacks(exports, options, error_ret);
}

/* The formats get the picture, which each of them draws again. */
struct pictures {
	struct picture *picture;
	double began;
};

static int put_perfetto(FILE *out, const void *context)
{
	return perfetto_write(out, ((const struct pictures *)context)->picture);
}

static int put_evented(FILE *out, const void *context)
{
	return evented_write(out, ((const struct pictures *)context)->picture);
}

static int put_timeline(FILE *out, const void *context)
{
	const struct pictures *pictures = context;

	return timeline_write(out, pictures->picture, pictures->began);
}

static int write_pictures(struct export *exports, const struct pictures *pictures,
			  struct text_error *error_ret)
{
	static const export_page_write writes[EXPORT_FORMATS] = {
		[EXPORT_PERFETTO] = put_perfetto, [EXPORT_SPEEDSCOPE] = put_evented,
		[EXPORT_HTML] = put_timeline,
	};

	return export_write_each(exports, writes, pictures, error_ret);
}

int export_trace(struct export *exports, const struct record *record, const struct picture_options *options,
		 struct text_error *error_ret)
{
	struct trace *trace = trace_load(record, error_ret);
	struct picture picture;
	struct pictures pictures = { .picture = &picture };
	struct run_result result;
	int error;

	if (!trace)
		return -EBADMSG;
	if (!record_get_result(record, &result, error_ret))
		pictures.began = result.began;
	error = picture_init(&picture, trace, options, error_ret);
	if (!error) {
		trace_view_warn_clock(trace);
		error = write_pictures(exports, &pictures, error_ret);
		picture_deinit(&picture);
	}
	trace_destroy(trace);
	return error;
}
