// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_trace TEXT RUN TRACED_NS CPUS [CALLS]: a saved trace from lines of text, see trace_texts.h. With CALLS
 * the trace has that many calls of b in calls of a besides, on the first CPU after the text.
 */
#include "trace_texts.h"
#include "run/run_save.h"
#include "trace/trace_save.h"

static char *read_text(const char *path)
{
	FILE *in = fopen(path, "re");
	char *text = calloc(1, 65536);

	if (!in || !text || !fread(text, 1, 65535, in))
		exit(1);
	fclose(in);
	return text;
}

/* Adds calls of b, ten of them in each call of a, a microsecond each, to the first CPU, the only one. */
static void add_calls(struct trace *trace, u64 nr, u64 ns)
{
	struct cpuprobe_event *slots = realloc(trace->owned, (trace->nr_slots + 3 * nr) * sizeof(*slots));
	u64 at = trace->nr_slots, i;

	if (!slots)
		exit(1);
	for (i = 0; i < nr; i++, ns += 1000) {
		if (i % 10 == 0)
			slots[at++] = (struct cpuprobe_event){ ns << 16 | CPUPROBE_EVENT_ENTRY << 8, 0, 9000 };
		slots[at++] = (struct cpuprobe_event){ (ns + 100) << 16 | CPUPROBE_EVENT_ENTRY << 8, 1, 8000 };
		slots[at++] = (struct cpuprobe_event){ (ns + 600) << 16 | CPUPROBE_EVENT_EXIT << 8, 1, 8000 };
		if (i % 10 == 9)
			slots[at++] = (struct cpuprobe_event){ (ns + 700) << 16 | CPUPROBE_EVENT_EXIT << 8, 0, 9000 };
	}
	trace->owned = slots;
	trace->slots = slots;
	trace->nr_slots = trace->cpus[0].nr_slots = trace->cpus[0].stored = at;
}

int main(int argc, char **argv)
{
	struct record_writer writer = { .out.file = NULL };
	struct run_result result = { .began = 1.7e9 };
	struct text_error error;
	struct trace *trace;
	char *text;

	if (argc < 5)
		return 2;
	text = read_text(argv[1]);
	result.elapsed_seconds = atof(argv[3]) / 1e9;
	result.nr_cpus = atoi(argv[4]);
	trace = trace_of(text, strtoull(argv[3], NULL, 10), result.nr_cpus);
	if (argc > 5)
		add_calls(trace, strtoull(argv[5], NULL, 10), 5000000);
	if (record_create(&writer, argv[2], &error))
		return 1;
	record_add_result(&writer, &result);
	trace_save(&writer, trace);
	if (record_commit(&writer, &error))
		return 1;
	record_abandon(&writer);
	trace_destroy(trace);
	free(text);
	return 0;
}
