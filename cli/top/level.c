// SPDX-License-Identifier: GPL-2.0-only
/* One level of the live view and its session: see level.h. */
#include <stdlib.h>
#include <string.h>

#include "run/cgroup.h"
#include "top/level.h"

static struct fold *create_machine_fold(void)
{
	return fold_create();
}

static struct fold *create_cgroup_fold(void)
{
	struct fold *fold = fold_create();

	if (fold)
		fold_name_by(fold, cgroup_name);
	return fold;
}

static struct level *create_level(const struct level_options *options, enum level_kind kind,
				  const char *name, double window_seconds)
{
	struct fold *(*make)(void) = kind != LEVEL_MACHINE ? NULL :
		options->by == CPUPROBE_BY_CGROUP ? create_cgroup_fold : create_machine_fold;
	struct level *level = calloc(1, sizeof(*level));

	if (!level)
		return NULL;
	level->kind = kind;
	level->options = options;
	snprintf(level->name, sizeof(level->name), "%s", name);
	level->finds = kind == LEVEL_MACHINE ? NULL : calloc(1, sizeof(*level->finds));
	if ((kind != LEVEL_MACHINE && !level->finds) ||
	    window_init(&level->window, make, window_seconds)) {
		level_destroy(level);
		return NULL;
	}
	level->roster.scale = 100;
	level->roster.list = kind == LEVEL_MACHINE ? &table_column_list : &finds_column_list;
	level->roster.view = kind == LEVEL_MACHINE ? (void *)&level->columns : level->finds;
	level->roster.sort = kind == LEVEL_MACHINE ? "total" :
		kind < LEVEL_FUNCTION ? "share" : NULL;
	return level;
}

struct level *level_create_machine(const struct level_options *options)
{
	struct level *level = create_level(options, LEVEL_MACHINE, "machine",
					   options->window_seconds);

	if (!level)
		return NULL;
	if (options->output.columns)
		snprintf(level->outlook.choice, sizeof(level->outlook.choice), "%s",
			 options->output.columns);
	if (options->sort)
		snprintf(level->outlook.sort, sizeof(level->outlook.sort), "%s", options->sort);
	return level;
}

struct level *level_create(struct level *above, enum level_kind kind, struct target *target,
			   bool owns_target, const char *name)
{
	struct level *level = create_level(above->options, kind, name, above->window.seconds);

	if (!level) {
		if (owns_target) {
			target_deinit(target);
			free(target);
		}
		return NULL;
	}
	level->above = above;
	level->target = target;
	level->owns_target = owns_target;
	level->layout = target->layout;
	level->is_kernel = above->is_kernel;
	return level;
}

void level_destroy(struct level *level)
{
	if (!level)
		return;
	rows_deinit(&level->rows);
	table_columns_deinit(&level->columns);
	fold_destroy(level->seen_cpus);
	outlook_deinit(&level->outlook);
	window_deinit(&level->window);
	if (level->owns_target) {
		target_deinit(level->target);
		free(level->target);
	}
	listing_destroy(level->listing);
	instructions_close(&level->instructions);
	free(level->roster.row);
	free(level->finds);
	free(level->cpus);
	free(level);
}

void level_sink(void *context, u32 cpu, const struct cpuprobe_account *account, const void *entries)
{
	struct level *level = context;

	/* A target that no process runs keeps its last numbers. */
	if (!level->is_task_gone)
		window_add(&level->window, cpu, account, entries);
	teller_note(&level->teller, account);
}

/* Hook of levels with a target: update the areas in the module. */
static int place_level_areas(void *context, struct device *device, struct text_error *error_ret)
{
	struct level *level = context;

	teller_look(&level->teller, &level->target->places);
	return teller_tell(&level->target->places, device, error_ret);
}

void level_run(struct level *level, struct run *run)
{
	struct target *target = level->target;

	run->context = level;
	run->sink = level_sink;
	if (!target) {
		run->start = (struct cpuprobe_start){
			.what = CPUPROBE_WHAT_SYSTEM, .exe_fd = -1, .cgroup_fd = -1,
			.by = level->options->by,
		};
		return;
	}
	run->start = target_start(target, level->is_kernel);
	run->start.low = level->layout.low;
	run->start.high = level->layout.high;
	run->task_pid = target->task.pid;
	run->place = place_level_areas;
	memset(&level->teller, 0, sizeof(level->teller));
}

void level_end_interval(struct level *level, const struct run_result *result)
{
	if (!level->is_task_gone)
		window_end(&level->window, &result->account, result->elapsed_seconds);
	if (result->nr_cpus)
		level->account.nr_cpus = result->nr_cpus;
}

int level_look(struct level *level, const struct run *run)
{
	const struct bucket *bucket = window_sum(&level->window);
	int error;

	level->account.run = bucket->account;
	level->account.seconds = bucket->seconds;
	level->account.period_ns = level->options->sampling.period_ns;
	level->account.event = sampling_event(&level->options->sampling);
	if (run && run->receipt.cost_ns)
		level->account.cost_ns = run->receipt.cost_ns;
	level->account.is_bpf = run && run->receipt.flags & RECEIPT_NO_MODULE;
	level->account.is_own = run && run->receipt.flags & RECEIPT_PERF;
	error = level->target ? level_make_finds(level, bucket) : level_make_rows(level, bucket);
	if (error) {
		level->outlook.nr = 0;	/* its rows may have been freed */
		return error;
	}
	level->has_looked = bucket->account.taken > 0;
	return outlook_arrange(&level->outlook, &level->roster);
}

bool level_check_task(struct level *level)
{
	bool was_gone = level->is_task_gone;

	if (level->target && level->target->task.exe_fd >= 0)
		level->is_task_gone = !places_live_pid(&level->target->places);
	return level->is_task_gone != was_gone;
}

/* "machine > program > ...", from the first level down to @level. */
static size_t write_path(const struct level *level, char *path, size_t len)
{
	size_t used = level->above ? write_path(level->above, path, len) : 0;

	if (used < len)
		used += snprintf(path + used, len - used, "%s%s", level->above ? " > " : "",
				 level->name);
	return used;
}

/* Clauses end in ';', so that drawing can drop the last ones. */
static void write_subject(const struct level *level, char *text, size_t len)
{
	static const char *const whats[] = {
		[LEVEL_TASK] = "by object", [LEVEL_OBJECT] = "by function",
		[LEVEL_RANGE] = "by function", [LEVEL_FUNCTION] = "by address",
		[LEVEL_INSTRUCTION] = "by address",
	};
	const struct event *event = &level->account.event;
	int used = snprintf(text, len,
			    "100%% = %llu samples of %s, %.1f%% +-%.2f of %s%.60s; %s",
			    level->finds->n, level->target->task.name, level->task_share * 100,
			    stat_margin(level->task_interval, level->task_share) * 100,
			    event_is_sampled(event) ? "all " : "the machine", event->name, whats[level->kind]);

	if (level->kind != LEVEL_TASK && used < (int)len)
		snprintf(text + used, len - used, "; 0x%llx-0x%llx", level->layout.low,
			 level->layout.high);
}

static bool has_any_slip(const struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].slip != SLIP_NONE)
			return true;
	return false;
}

/* On this level, shares are of the samples in the range, as in `probe proc -asm`. */
static void write_instructions(const struct level *level, char *text, size_t len)
{
	const struct listing *listing = level->listing;
	u64 nowhere = listing->astray + listing->unread, n = level->finds->n;
	double share = n ? (double)listing->hits / n : 0;
	struct stat_interval interval = stat_wilson(listing->hits, n, level->account.run.excess);
	bool has_marks = has_any_slip(listing);
	int used = snprintf(
		text, len, "100%% = %llu samples here, %.1f%% +-%.2f of %s%s", listing->hits,
		share * 100, stat_margin(interval, share) * 100, level->target->task.name,
		!listing->is_emulated ? has_marks ? "; ! ? @ #: may be the previous one's" : "" :
			has_marks     ? "; emulated, ! ? @ #: see ?" :
					"; emulated: see ?");

	if (nowhere && used < (int)len)
		snprintf(text + used, len - used, "; %llu where no instruction begins", nowhere);
}

void level_describe(struct level *level, struct model *model)
{
	write_path(level, model->path, sizeof(model->path));
	model->subject[0] = '\0';
	if (level->target && level->roster.list == &listing_column_list)
		write_instructions(level, model->subject, sizeof(model->subject));
	else if (level->target)
		write_subject(level, model->subject, sizeof(model->subject));
	else if (event_is_sampled(&level->account.event))
		snprintf(model->subject, sizeof(model->subject), "100%% = all %.80s; one sample in %llu",
			 level->account.event.name, level->account.event.period);
	model->account = level->account;
	model->window_seconds = level->window.seconds;
	model->cpus = level->cpus;
	model->nr_cpus = level->nr_cpus;
	model->roster = level->roster;
	model->outlook = &level->outlook;
	model->has_data = level->has_looked;
	model->is_last = level->kind == LEVEL_INSTRUCTION;
}
