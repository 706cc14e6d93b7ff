// SPDX-License-Identifier: GPL-2.0-only
/* The passes over a trace that make a picture: see picture.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "picture/picture_rows.h"
#include "picture/picture_watch.h"

static void reset_rows(struct picture *picture)
{
	u32 i;

	for (i = 0; i < picture->nr_rows; i++)
		picture->rows[i] = (struct picture_row){
			.top = TRACE_NONE, .older = picture->rows[i].older,
			.nr_olders = picture->rows[i].nr_olders, .is_used = picture->rows[i].is_used,
		};
	memset(picture->cpus, 0, (picture->trace->nr_cpus + 1) * sizeof(*picture->cpus));
	memset(picture->arrows, 0, picture->nr_rows * sizeof(*picture->arrows));
	picture->nr_spans = 0;
	picture->free = TRACE_NONE;
	picture->nr_arrows = 0;
	picture->has_begun = false;
	picture->is_cut = false;
}

/* One pass over the trace. */
static int follow(struct picture *picture, struct trace_account *account)
{
	const struct trace_watch watch = picture_watch(picture);
	int error;

	reset_rows(picture);
	error = trace_account_init(account, picture->trace, &picture->choice, &watch);
	if (error)
		return error;
	picture_end_rows(picture, account->end_ns);
	if (!picture->is_exhausted)
		return 0;
	trace_account_deinit(account);
	return -ENOMEM;
}

int picture_draw(struct picture *picture, const struct picture_drawing *drawing)
{
	struct trace_account account;
	int error;

	picture->drawing = drawing;
	picture->to_ns = picture->options.to_ns ?: UINT64_MAX;
	if (picture->to_ns > picture->account.end_ns)
		picture->to_ns = picture->account.end_ns;
	error = follow(picture, &account);
	if (!error)
		trace_account_deinit(&account);
	picture->drawing = NULL;
	return error;
}

int picture_init(struct picture *picture, const struct trace *trace, const struct picture_options *options,
		 struct text_error *error_ret)
{
	u32 i, nr = 3 * trace->nr_cpus + trace->nr_tasks;
	int error;

	*picture = (struct picture){
		.trace = trace, .options = *options, .choice.task = options->task, .nr_rows = nr,
		.from_ns = options->from_ns, .to_ns = UINT64_MAX,
		.rows = calloc(nr + 1, sizeof(*picture->rows)),
		.cpus = calloc(trace->nr_cpus + 1, sizeof(*picture->cpus)),
		.arrows = calloc(nr + 1, sizeof(*picture->arrows)),
	};
	for (i = 0; picture->rows && i < nr; i++)
		picture->rows[i].older = TRACE_NONE;
	error = picture->rows && picture->cpus && picture->arrows ? follow(picture, &picture->account) :
		-ENOMEM;
	if (error)
		error = text_fail(error_ret, error, "out of memory");
	else if (options->from_ns >= picture->account.end_ns)
		error = text_fail(error_ret, -EINVAL, "-from is not before the end of the trace, %.9g s",
				  picture->account.end_ns / 1e9);
	else
		return 0;
	picture_deinit(picture);
	return error;
}

void picture_deinit(struct picture *picture)
{
	/* Names of an account that was never made are none. */
	if (picture->account.cpus)
		trace_account_deinit(&picture->account);
	free(picture->rows);
	free(picture->olders);
	free(picture->cpus);
	free(picture->arrows);
	free(picture->spans);
	*picture = (struct picture){ .nr_rows = 0 };
}

bool picture_row_is_used(const struct picture *picture, u32 row)
{
	return picture->rows[row].is_used;
}
