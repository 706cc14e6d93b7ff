// SPDX-License-Identifier: GPL-2.0-only
/* Measurements of several events at once: see measurements.h. */
#include "run/run_events.h"
#include "stacks/measurements.h"

/* The options of the @at-th measurement: executions are counted by the first one. */
static void set_options(struct stacks_options *options, const struct stacks_options *asked, unsigned int at)
{
	*options = *asked;
	if (!at)
		return;
	sampling_beside(&asked->sampling, at - 1, &options->sampling);
	options->count = 0;
	options->count_from = NULL;
}

int measurements_init(struct measurements *measurements, const struct stacks_options *options, char **command,
		      struct text_error *error_ret)
{
	struct measurement *first = &measurements->of[0];
	unsigned int i;
	int error;

	measurements->nr = 0;
	for (i = 0; i <= options->sampling.nr_others; i++) {
		set_options(&measurements->options[i], options, i);
		error = measurement_init(&measurements->of[i], &measurements->options[i], command, error_ret);
		if (error) {
			measurements_deinit(measurements);
			return error;
		}
		measurements->nr++;
		if (!i)
			continue;
		measurements->of[i - 1].beside = &measurements->of[i];
		first->run.beside[i - 1] = &measurements->of[i].run;
	}
	first->run.nr_beside = measurements->nr - 1;
	return 0;
}

int measurements_run(struct measurements *measurements, struct text_error *error_ret)
{
	return measurement_run(&measurements->of[0], error_ret);
}

u64 measurements_taken(const struct measurements *measurements)
{
	u64 taken = 0;
	unsigned int i;

	for (i = 0; i < measurements->nr; i++)
		taken += measurements->of[i].run.result.account.taken;
	return taken;
}

static void fill_run(struct record_writer *writer, const void *context)
{
	measurement_save(context, NULL, writer);
}

int measurements_save(const struct measurements *measurements, struct record_writer *writer)
{
	unsigned int i;
	int error = 0;

	measurement_save(&measurements->of[0], NULL, writer);
	for (i = 1; !error && i < measurements->nr; i++)
		error = run_events_add(writer, i - 1, fill_run, &measurements->of[i]);
	return error;
}

void measurements_deinit(struct measurements *measurements)
{
	while (measurements->nr)
		measurement_deinit(&measurements->of[--measurements->nr]);
}
