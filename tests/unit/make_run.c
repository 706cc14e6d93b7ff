// SPDX-License-Identifier: GPL-2.0-only
/* make_run TEXT RUN [EXECUTIONS]: a saved run with stacks from a profile as text (profiles.h). */
#include "profiles.h"
#include "profile/profile_save.h"

static char text[64 << 20];

int main(int argc, char **argv)
{
	FILE *file = argc == 3 || argc == 4 ? fopen(argv[1], "r") : NULL;
	struct record_writer writer;
	struct text_error error;
	struct profile *profile;
	u64 executions;
	struct run_result result = { .nr_cpus = 1, .period_ns = 1000000, .seed = 1, .began = 1e9 };

	if (!file || !fread(text, 1, sizeof(text) - 1, file)) {
		fprintf(stderr, "usage: make_run TEXT RUN [EXECUTIONS]\n");
		return 2;
	}
	profile = profiles_of(text);
	result.account.taken = result.account.expected = profile->taken;
	result.account.lost = profile->lost;
	result.elapsed_seconds = profile->taken_ns / 1e9;
	if (record_create(&writer, argv[2], &error))
		return 1;
	record_add_result(&writer, &result);
	if (argc == 4) {
		executions = strtoull(argv[3], NULL, 10);
		record_add(&writer, "EXEC", &executions, sizeof(executions));
	}
	profile_save(&writer, profile);
	profile_destroy(profile);
	return record_commit(&writer, &error) ? 1 : 0;
}
