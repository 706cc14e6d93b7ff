// SPDX-License-Identifier: GPL-2.0-only
/* probe proc: where one task spends its time, the paper's Figures 4 and 5. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "hist_view.h"
#include "task.h"

struct proc_options {
	struct sampling_options sampling;
	const char *low;
	const char *high;
	unsigned int mode;	/* 0: user, 1: kernel */
	bool is_plain;
	bool shows_all;
};

/** All that one run of the command holds. */
struct proc {
	struct proc_options options;
	struct task task;
	struct sym_index *symbols;	/* NULL: none */
	struct slots_layout layout;
	uint64_t object_start;
	uint64_t hits[CPUPROBE_SLOTS];
	struct hist_elsewhere elsewhere;
	struct run run;
};

static const struct option_spec proc_specs[] = {
	{ "low", "A", "first address: 0x-hex, decimal, 0-octal, SYMBOL or SYMBOL+N" },
	{ "high", "B", "first address above that no longer counts" },
	{ "mode", "M", "user or kernel (default user)" },
	{ "plain", NULL, "leave symbols out" },
	{ "all", NULL, "show every slot, also those too small to draw" },
	{ NULL, NULL, NULL }
};

static const char *const modes[] = { "user", "kernel", NULL };

static int proc_set(void *context, const char *name, const char *value,
		    struct text_error *error_ret)
{
	struct proc_options *options = context;
	int result = sampling_set(&options->sampling, name, value, error_ret);

	if (result <= 0)
		return result;
	if (!strcmp(name, "low"))
		options->low = value;
	else if (!strcmp(name, "high"))
		options->high = value;
	else if (!strcmp(name, "mode"))
		return parse_choice(value, modes, &options->mode, error_ret);
	else if (!strcmp(name, "plain"))
		options->is_plain = true;
	else
		options->shows_all = true;
	return 0;
}

/* The device's sink: slots of all CPUs add up. */
static void add_slots(void *context, uint32_t cpu, const struct cpuprobe_account *account,
		      const void *entries)
{
	const __u64 *hits = entries;
	struct proc *proc = context;
	uint32_t i;

	(void)cpu;
	for (i = 0; i < account->entries; i++)
		proc->hits[i] += hits[i];
	proc->elsewhere.outside += account->outside;
	proc->elsewhere.other_mode += account->other_mode;
	proc->elsewhere.other_exe += account->other_exe;
	proc->elsewhere.other_task += account->other_task;
}

/* A warning when the symbols given do not describe the program that is measured. */
static void check_symbols(struct proc *proc, const char *path, int fd)
{
	struct sym_index *own = NULL;
	struct sym_image image;
	const struct sym *first;
	bool is_foreign = false;
	size_t i;

	if (!sym_image_read(fd, &image, NULL) && image.build_id_len &&
	    proc->task.image.build_id_len) {
		is_foreign = image.build_id_len != proc->task.image.build_id_len ||
			memcmp(image.build_id, proc->task.image.build_id, image.build_id_len);
	} else if (!sym_index_create_elf(proc->task.exe_fd, &own, NULL)) {
		is_foreign = sym_index_agreement(proc->symbols, own) < 0.99;
		sym_index_destroy(own);
	} else {
		i = sym_index_lower_bound(proc->symbols, proc->task.image.code_start);
		first = i < sym_index_size(proc->symbols) ? sym_index_at(proc->symbols, i) : NULL;
		is_foreign = !first || first->start >= proc->task.image.code_end;
	}
	if (is_foreign)
		fprintf(stderr, "probe: warning: the symbols of %s do not belong to this %s\n",
			path, proc->task.name);
}

static int load_file(struct proc *proc, const char *path, struct text_error *error_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct sym_error reason;
	int error;

	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	error = sym_index_create(fd, &proc->symbols, &reason);
	if (error)
		text_fail(error_ret, 0, "read symbols of %s: %s", path, reason.text);
	else if (!proc->options.mode && proc->task.exe_fd >= 0)
		check_symbols(proc, path, fd);
	close(fd);
	return error;
}

static int load_kernel(struct proc *proc, struct text_error *error_ret)
{
	struct sym_error reason;
	int error = sym_index_create_kallsyms("/proc/kallsyms", &proc->symbols, &reason);

	if (!error || (proc->options.low && proc->options.high))
		return 0;
	text_fail(error_ret, 0, "read /proc/kallsyms: %s", reason.text);
	text_hint(error_ret, error == -EACCES ?
		  "run as root with kernel.kptr_restrict below 2, or give -low and -high" :
		  "give -low and -high");
	return error;
}

static int load_symbols(struct proc *proc, const char *path, struct text_error *error_ret)
{
	struct sym_error reason;
	int error;

	if (path)
		return load_file(proc, path, error_ret);
	if (proc->options.mode)
		return load_kernel(proc, error_ret);
	error = sym_index_create_elf(proc->task.exe_fd, &proc->symbols, &reason);
	if (error && !proc->options.is_plain) {
		fprintf(stderr, "probe: %s: %s; addresses are shown without names\n",
			proc->task.name, reason.text);
		fprintf(stderr, "hint: give the file that holds its symbols as SYMBOLS\n");
	}
	return 0;
}

static int parse_address(const struct proc *proc, const char *option, const char *text,
			 uint64_t *addr_ret, struct text_error *error_ret)
{
	struct text_error reason;
	const char *plus = strrchr(text, '+');
	uint64_t offset = 0;
	char name[512];

	if (isdigit((unsigned char)text[0])) {
		if (!parse_u64(text, addr_ret, &reason))
			return 0;
		return text_fail(error_ret, -EINVAL, "option -%s: %s", option, reason.what);
	}
	if (proc->symbols && sym_index_by_name(proc->symbols, text, addr_ret))
		return 0;
	snprintf(name, sizeof(name), "%.*s", plus ? (int)(plus - text) : 0, text);
	if (plus && proc->symbols && !parse_u64(plus + 1, &offset, NULL) &&
	    sym_index_by_name(proc->symbols, name, addr_ret)) {
		*addr_ret += offset;
		return 0;
	}
	text_fail(error_ret, 0, "option -%s: '%s' is neither a number nor a symbol of %s", option,
		  text, proc->options.mode ? "the kernel" : proc->task.name);
	return -EINVAL;
}

/* The whole of the code: of the executable, or of the kernel proper. */
static int code_range(const struct proc *proc, uint64_t *low, uint64_t *high,
		      struct text_error *error_ret)
{
	if (!proc->options.mode) {
		*low = proc->task.image.code_start;
		*high = proc->task.image.code_end;
		return 0;
	}
	if (proc->symbols && sym_index_by_name(proc->symbols, "_stext", low) &&
	    sym_index_by_name(proc->symbols, "_etext", high))
		return 0;
	*low = 0;
	*high = UINT64_MAX;
	if (proc->options.low && proc->options.high)
		return 0;
	text_fail(error_ret, 0, "find the kernel's code: the symbols have no _stext and _etext");
	text_hint(error_ret, "give -low and -high");
	return -ENODATA;
}

static int choose_range(struct proc *proc, struct text_error *error_ret)
{
	uint64_t code_low, code_high, low, high;
	int error = code_range(proc, &code_low, &code_high, error_ret);

	if (error)
		return error;
	proc->object_start = proc->options.mode ? code_low : proc->task.image.load_start;
	low = code_low;
	high = code_high;
	if (proc->options.low)
		error = parse_address(proc, "low", proc->options.low, &low, error_ret);
	if (!error && proc->options.high)
		error = parse_address(proc, "high", proc->options.high, &high, error_ret);
	if (error)
		return error;
	if (proc->options.low && proc->options.high && low >= high)
		return text_fail(error_ret, -EINVAL, "range 0x%llx to 0x%llx: -low must be below -high",
				 (unsigned long long)low, (unsigned long long)high);
	if (high <= code_low || low >= code_high) {
		text_fail(error_ret, 0, "range 0x%llx to 0x%llx: outside the code of %s",
			  (unsigned long long)low, (unsigned long long)high,
			  proc->options.mode ? "the kernel" : proc->task.name);
		text_hint(error_ret, "its code is at 0x%llx to 0x%llx",
			  (unsigned long long)code_low, (unsigned long long)code_high);
		return -EINVAL;
	}
	return slots_layout_init(&proc->layout, low, high);
}

static int find_task(struct proc *proc, const char *word, char **command,
		     struct text_error *error_ret)
{
	int error = word ? task_find(word, command != NULL, &proc->task, error_ret) :
		task_find_command(command[0], &proc->task, error_ret);

	/* A command that is not there has failed as a command, not we. */
	if (error == -ENOENT && !word)
		proc->run.command_error = error;
	if (error)
		return error;
	if (proc->task.exe_fd < 0 && !proc->options.mode) {
		text_fail(error_ret, 0, "measure %s: a kernel thread has no user mode",
			  proc->task.name);
		text_hint(error_ret, "use -mode kernel");
		return -EINVAL;
	}
	return 0;
}

static int line_cols(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40)
		return HIST_LINE_COLS;
	return size.ws_col < HIST_LINE_COLS ? size.ws_col : HIST_LINE_COLS;
}

/* CPUs that were sampled; accounts of a process run do not tell them apart. */
static double scale_of(const struct proc *proc)
{
	const struct run *run = &proc->run;

	if (proc->options.sampling.of == OF_MACHINE || !run->account.expected)
		return 100;
	return 100.0 * run->nr_cpus;
}

static int show(struct proc *proc)
{
	const struct proc_options *options = &proc->options;
	struct hist_view view = {
		.hist = {
			.layout = &proc->layout,
			.hits = proc->hits,
			.taken = proc->run.account.taken,
			.symbols = options->is_plain ? NULL : proc->symbols,
			.object = options->mode ? "kernel" : proc->task.name,
			.object_start = proc->object_start,
			.line_cols = line_cols(),
			.shows_all = options->shows_all,
		},
		.elsewhere = proc->elsewhere,
		.task = proc->task.name,
		.mode = modes[options->mode],
		.scale = scale_of(proc),
		.ci = options->sampling.ci,
		.run = &proc->run,
	};

	if (!view.hist.taken)
		return run_no_samples(&proc->run);
	if (proc->run.end == RUN_TASK_ENDED)
		fprintf(stderr, "probe: process %d ended after %.1f s\n", proc->task.pid,
			proc->run.elapsed_seconds);
	hist_view_render(stdout, &view, options->sampling.format);
	return 0;
}

static int measure_and_show(struct proc *proc)
{
	struct run *run = &proc->run;
	struct text_error error;
	int result, shown;

	run->options = &proc->options.sampling;
	run->start = (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_PROCESS,
		.exe_fd = proc->task.exe_fd,
		.pid = proc->task.pid,
		.mode = proc->options.mode ? CPUPROBE_MODE_KERNEL : CPUPROBE_MODE_USER,
		.low = proc->layout.low,
		.high = proc->layout.high,
		.code_start = proc->options.mode ? 0 : proc->task.image.code_start,
	};
	run->task_pid = proc->task.pid;
	run->sink = add_slots;
	run->context = proc;
	result = run_measure(run, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
		return result;
	}
	shown = show(proc);
	return result ? result : shown;
}

static int prepare_and_run(struct proc *proc, const char *word, const char *symbols)
{
	struct text_error error;
	int result = find_task(proc, word, proc->run.command, &error);

	if (!result)
		result = load_symbols(proc, symbols, &error);
	if (!result)
		result = choose_range(proc, &error);
	if (result)
		text_report(&error);
	else
		result = measure_and_show(proc);
	sym_index_destroy(proc->symbols);
	task_deinit(&proc->task);
	return run_exit_status(&proc->run, result);
}

static int proc_run(const struct command *command, char **argv)
{
	struct proc proc = { .task.exe_fd = -1 };
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	sampling_init(&proc.options.sampling);
	if (options_parse(argv, command->options, proc_set, &proc.options, &rest, &error)) {
		status = command_misused(command, &error);
	} else if (!rest.nr_args && !rest.command) {
		text_fail(&error, 0, "no TASK given");
		text_hint(&error, "a pid, a path, or the name of a running executable");
		status = command_misused(command, &error);
	} else if (rest.nr_args > 2) {
		text_fail(&error, 0, "unexpected argument '%s'", rest.args[2]);
		text_hint(&error, "a command to measure goes after '--'");
		status = command_misused(command, &error);
	} else {
		proc.run.command = rest.command;
		status = prepare_and_run(&proc, rest.nr_args ? rest.args[0] : NULL,
					 rest.nr_args > 1 ? rest.args[1] : NULL);
	}
	sampling_deinit(&proc.options.sampling);
	return status;
}

static const struct option_spec *const proc_options[] = { proc_specs, sampling_specs, NULL };

const struct command command_proc = {
	.name = "proc",
	.arguments = "TASK [SYMBOLS] [-- COMMAND...]",
	.help = "histogram of the addresses at which one task spends its time",
	.options = proc_options,
	.run = proc_run,
};
