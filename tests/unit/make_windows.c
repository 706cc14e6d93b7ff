// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_windows URL SPOOL FIRST LAST FILE: submit windows, as an agent does. Window N began at second 10 N,
 * and has N samples of each of two services. Appends N to FILE once nothing of the window is in memory
 * only. After the last one, waits until all are delivered, and prints the counts.
 */
#include <time.h>

#include "profiles.h"
#include "push/push_options.h"

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static void submit(struct push *push, u64 number)
{
	struct text_error error;
	struct stack_run run = { .result = { .nr_cpus = 1, .period_ns = 1000000, .began = 10.0 * number,
					     .elapsed_seconds = 10 } };
	char text[256];

	snprintf(text, sizeof(text), "a 1 user main@a %llu\nb 2 user main@b %llu\n", number, number);
	run.profile = profiles_of(text);
	run.result.account.taken = run.result.account.expected = 2 * number;
	if (push_submit(push, &run, &error))
		exit(1);
	profile_destroy(run.profile);
}

/* Note a window that outlasts a kill. */
static void note_stored(struct push *push, FILE *file, u64 number)
{
	struct push_counts counts;

	do {
		sleep_ms(1);
		push_counts(push, &counts);
	} while (counts.waiting != counts.waiting_spool);
	fprintf(file, "%llu\n", number);
	fflush(file);
}

int main(int argc, char **argv)
{
	static struct push_setup setup;
	const struct push_options options = { .spool = argc > 2 ? argv[2] : NULL };
	struct push_counts counts;
	struct text_error error;
	struct push *push;
	FILE *file;
	u64 number;

	if (argc != 6 || push_options_read(&options, argv[1], &setup, &error))
		return 2;
	file = fopen(argv[5], "a");
	push = push_open(&setup.config, &error);
	if (!file || !push)
		return 2;
	for (number = strtoull(argv[3], NULL, 10); number <= strtoull(argv[4], NULL, 10); number++) {
		submit(push, number);
		note_stored(push, file, number);
		sleep_ms(number % 7);
	}
	if (!push_wait(push, 600))
		return 3;
	push_close(push, &counts);
	printf("found %llu delivered %llu doubled %llu refused %llu dropped %llu damaged %llu\n",
	       counts.found, counts.delivered, counts.doubled, counts.refused, counts.dropped,
	       counts.damaged);
	fclose(file);
	return 0;
}
