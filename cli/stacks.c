// SPDX-License-Identifier: GPL-2.0-only
/* Where stacks come from: see stacks.h. */
#include <errno.h>
#include <string.h>

#include "profile/profile_save.h"
#include "save.h"
#include "stacks.h"

static int load(struct stacks *stacks, const struct record *record, struct text_error *error_ret)
{
	if (!profile_is_kept(record))
		return text_fail(error_ret, -EBADMSG, "it keeps a run without stacks");
	if (record_get_result(record, &stacks->result, error_ret))
		return -EBADMSG;
	stacks->has_receipt = !load_receipt(record, &stacks->receipt);
	stacks->profile = profile_load(record, error_ret);
	return stacks->profile ? 0 : -EBADMSG;
}

int stacks_load(struct stacks *stacks, const char *path, struct text_error *error_ret)
{
	struct text_error why;
	struct record record;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = record_read(path, &record, error_ret);
	if (error)
		return error;
	error = load(stacks, &record, &why);
	record_deinit(&record);
	return error ? text_fail(error_ret, error, "show %s: %s", path, why.what) : 0;
}

void stacks_deinit(struct stacks *stacks)
{
	profile_destroy(stacks->profile);
	memset(stacks, 0, sizeof(*stacks));
}
