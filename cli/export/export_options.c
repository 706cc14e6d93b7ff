// SPDX-License-Identifier: GPL-2.0-only
/* Options that write stacks in the formats of other tools: see export_options.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export.h"
#include "export/export_options.h"
#include "export/html.h"

/** A format, indexed by enum export_format. */
struct format {
	const char *name;	/* option */
	int (*write)(FILE *out, const struct stack_run *stacks);
	bool is_binary;
};

static int write_html(FILE *out, const struct stack_run *stacks)
{
	return html_write(out, stacks->profile, &stacks->result,
			  stacks->has_receipt ? &stacks->receipt : NULL);
}

static const struct format formats[EXPORT_FORMATS] = {
	[EXPORT_FOLDED] = { "folded", export_folded, false },
	[EXPORT_PPROF] = { "pprof", export_pprof, true },
	[EXPORT_SPEEDSCOPE] = { "speedscope", export_speedscope, false },
	[EXPORT_CALLGRIND] = { "callgrind", export_callgrind, false },
	[EXPORT_HTML] = { "html", write_html, false },
	[EXPORT_PERFETTO] = { "perfetto", NULL, false },
};

static bool is_standard_output(const char *path)
{
	return !strcmp(path, "-");
}

/* Parse a path, which no other format may have. */
static int parse_path(const struct option_spec *spec, const char *value, void *at,
		      struct text_error *error_ret)
{
	struct export_options *options = at;
	int which = EXPORT_FORMATS, i;

	if (!value[0])
		return text_fail(error_ret, -EINVAL, "the file name is empty");
	for (i = 0; i < EXPORT_FORMATS; i++) {
		if (!strcmp(spec->name, formats[i].name))
			which = i;
		else if (options->path[i] && outfile_is_same(options->path[i], value))
			return text_fail(error_ret, -EINVAL, "'%s' is already the file of -%s",
					 value, formats[i].name);
	}
	if (formats[which].is_binary && is_standard_output(value) && isatty(STDOUT_FILENO))
		return text_fail(error_ret, -EINVAL, "standard output is a terminal");
	options->path[which] = value;
	return 0;
}

const struct option_spec export_specs[] = {
	{ "folded", "FILE", "write folded stacks, for flame graphs ('-': standard output)",
	  parse_path },
	{ "pprof", "FILE", "write a profile for pprof (.pb.gz)", parse_path },
	{ "speedscope", "FILE", "write a profile for speedscope (.speedscope.json)", parse_path },
	{ "callgrind", "FILE", "write a call graph for callgrind_annotate and kcachegrind",
	  parse_path },
	{ "html", "FILE", "write a page for a browser: tables, call graph, flame graph",
	  parse_path },
	{ NULL }
};

const struct option_spec export_trace_path_specs[] = {
	{ "perfetto", "FILE", "write a trace for ui.perfetto.dev and chrome://tracing (.json)", parse_path },
	{ NULL }
};

const struct option_spec export_page_specs[] = {
	{ "html", "FILE", "write the report as a page for a browser ('-': standard output)",
	  parse_path },
	{ NULL }
};

const struct option_spec export_path_specs[] = {
	{ "folded", "FILE", "write the net time of each path, for flame graphs ('-': standard output)",
	  parse_path },
	{ "speedscope", "FILE", "write the paths for speedscope (.speedscope.json)", parse_path },
	{ NULL }
};

bool export_is_asked(const struct export_options *options)
{
	int i;

	for (i = 0; i < EXPORT_FORMATS; i++)
		if (options->path[i])
			return true;
	return false;
}

int export_check_other(const struct export_options *options, const char *option, const char *path,
		       struct text_error *error_ret)
{
	int i;

	for (i = 0; path && i < EXPORT_FORMATS; i++)
		if (options->path[i] && outfile_is_same(path, options->path[i]))
			return text_fail(error_ret, -EINVAL, "-%s and -%s cannot write the same file '%s'", option,
					 formats[i].name, path);
	return 0;
}

int export_check(const struct export_options *options, const char *save, bool is_repeated,
		 struct text_error *error_ret)
{
	int i;

	for (i = 0; i < EXPORT_FORMATS; i++) {
		if (!options->path[i])
			continue;
		if (is_repeated)
			return text_fail(error_ret, -EINVAL,
					 "-%s cannot be combined with -repeat",
					 formats[i].name);
	}
	return export_check_other(options, "save", save, error_ret);
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat info_a, info_b;

	return !stat(a, &info_a) && !stat(b, &info_b) && S_ISREG(info_a.st_mode) &&
	       info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino;
}

/* The export gets standard output to itself; the variable stdout, where the report goes, leads nowhere until the end. */
static int take_standard_output(struct export *exports, struct outfile *out, struct text_error *error_ret)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	FILE *nowhere = fopen("/dev/null", "we");

	out->path = "standard output";
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (out->file && nowhere) {
		exports->report = stdout;
		stdout = nowhere;
		return 0;
	}
	text_fail(error_ret, -errno, "write standard output: %s", strerror(errno));
	if (nowhere)
		fclose(nowhere);
	if (!out->file && fd >= 0)
		close(fd);
	return -EIO;
}

static void give_back_standard_output(struct export *exports)
{
	if (!exports->report)
		return;
	fclose(stdout);
	stdout = exports->report;
	exports->report = NULL;
}

int export_open(struct export *exports, const struct export_options *options, const char *input,
		struct text_error *error_ret)
{
	int i, error = 0;

	memset(exports, 0, sizeof(*exports));
	exports->options = *options;
	for (i = 0; !error && i < EXPORT_FORMATS; i++) {
		const char *path = options->path[i];

		if (!path)
			continue;
		if (is_standard_output(path))
			error = take_standard_output(exports, &exports->files[i], error_ret);
		else if (input && is_same_file(path, input))
			error = text_fail(error_ret, -EINVAL,
					  "write %s: the file is the run being read", path);
		else
			error = outfile_open(&exports->files[i], path, error_ret);
	}
	if (error)
		export_abandon(exports);
	return error;
}

/* Check a written file; its last bytes may fail. */
static int check_written(struct export *exports, int which, int error, struct text_error *error_ret)
{
	const struct outfile *out = &exports->files[which];
	int unwritten = -outfile_error(out);

	/* A reader that closes the pipe early, such as head, needs only the status. */
	if (unwritten == -EPIPE && is_standard_output(exports->options.path[which]))
		return text_fail(error_ret, unwritten, "%s", "");
	error = error ?: unwritten;
	return error ? text_fail(error_ret, error, "write %s: %s", out->path, strerror(-error)) : 0;
}

static int commit_all(struct export *exports, int error, struct text_error *error_ret)
{
	int i;

	for (i = 0; !error && i < EXPORT_FORMATS; i++)
		if (exports->files[i].file)
			error = outfile_commit(&exports->files[i], error_ret);
	export_abandon(exports);
	return error;
}

/* All files are complete before the first one gets its name. */
int export_write(struct export *exports, const struct stack_run *stacks,
		 struct text_error *error_ret)
{
	int i, error = 0;

	for (i = 0; !error && i < EXPORT_FORMATS; i++)
		if (exports->options.path[i])
			error = check_written(exports, i,
					      formats[i].write(exports->files[i].file, stacks),
					      error_ret);
	return commit_all(exports, error, error_ret);
}

int export_write_each(struct export *exports, const export_page_write write[EXPORT_FORMATS],
		      const void *context, struct text_error *error_ret)
{
	int i, error = 0;

	for (i = 0; !error && i < EXPORT_FORMATS; i++)
		if (exports->options.path[i])
			error = check_written(exports, i,
					      write[i](exports->files[i].file, context),
					      error_ret);
	return commit_all(exports, error, error_ret);
}

int export_write_page(struct export *exports, export_page_write write, const void *context,
		      struct text_error *error_ret)
{
	const export_page_write writes[EXPORT_FORMATS] = { [EXPORT_HTML] = write };

	return export_write_each(exports, writes, context, error_ret);
}

void export_abandon(struct export *exports)
{
	int i;

	for (i = 0; i < EXPORT_FORMATS; i++)
		outfile_abandon(&exports->files[i]);
	give_back_standard_output(exports);
}
