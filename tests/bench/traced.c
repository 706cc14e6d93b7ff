// SPDX-License-Identifier: GPL-2.0-only
/*
 * traced PROBE: time and memory of `probe trace` for a saved trace of ten million events on four CPUs: the
 * summary, and the code path of single seconds. Each runs in a process of its own, median of five. One line
 * each: "traced FORM EVENTS MS KB", in processor time. Exits with 1 when the summary takes 3 s or 256 MB, or
 * a second of the code path 0.5 s. `traced make RUN` writes the trace, which is the same each time.
 */
#include <string.h>

#include "child.h"
#include "trace/trace_save.h"

#define NR_EVENTS	10000000u	/* each is one slot */
#define NR_CPUS		4u
#define NR_FUNCTIONS	500u
#define NR_THREADS	40u		/* of each CPU */
#define NR_SECONDS	50u
#define DEPTH		12u
#define SWITCH_EVERY	64u		/* events */
#define MAX_SUMMARY_MS	3000
#define MAX_SECOND_MS	500
#define MAX_KB		(256 * 1024)

/** The open calls of a thread. */
struct thread {
	uint32_t function[DEPTH];
	uint32_t depth;
};

static uint32_t sp_of(uint32_t thread, uint32_t depth)
{
	return 0x80000000u + thread * 0x8000 - depth * 64;
}

/* A call begins or ends. */
static void add_call(struct cpuprobe_event *slot, struct thread *thread, uint32_t number, uint64_t ns)
{
	bool begins = !thread->depth || (thread->depth < DEPTH && below(2));
	uint32_t function = begins ? below(NR_FUNCTIONS) : thread->function[thread->depth - 1];

	if (begins)
		thread->function[thread->depth++] = function;
	*slot = (struct cpuprobe_event){
		ns << 16 | (begins ? CPUPROBE_EVENT_ENTRY : CPUPROBE_EVENT_EXIT) << 8, function,
		sp_of(number, thread->depth),
	};
	if (!begins)
		thread->depth--;
}

static void add_cpu(struct trace *trace, struct cpuprobe_event *slots, uint32_t cpu)
{
	struct thread threads[NR_THREADS] = { { .depth = 0 } };
	uint32_t at = 0, i, nr = NR_EVENTS / NR_CPUS, next;
	uint64_t step_ns = NR_SECONDS * 1000000000ULL / nr, ns = step_ns;

	for (i = 0; i < nr; i++, ns += step_ns) {
		if (i % SWITCH_EVERY) {
			add_call(&slots[i], &threads[at], at, ns + below(step_ns / 2));
			continue;
		}
		next = i ? below(NR_THREADS) : at;
		slots[i] = (struct cpuprobe_event){
			ns << 16 | (i ? CPUPROBE_EVENT_SWITCH : CPUPROBE_EVENT_RUNNING) << 8,
			1 + cpu * NR_THREADS + next, 1 + cpu * NR_THREADS + at,
		};
		at = next;
	}
	trace->cpus[cpu] = (struct trace_cpu){
		.cpu = cpu, .at = (uint64_t)cpu * nr, .nr_slots = nr, .stored = nr,
	};
}

static struct trace *make_trace(void)
{
	struct trace *trace = trace_create();
	struct cpuprobe_event *slots = calloc(NR_EVENTS, sizeof(*slots));
	char name[32];
	uint32_t i;

	if (!trace || !slots)
		errx(1, "out of memory");
	trace->totals = (struct trace_totals){
		.traced_ns = (NR_SECONDS + 1) * 1000000000ULL, .cost_ps = 400000, .own_ps = 200000, .seen_ps = 100000,
	};
	trace->functions = calloc(NR_FUNCTIONS, sizeof(*trace->functions));
	trace->cpus = calloc(NR_CPUS, sizeof(*trace->cpus));
	if (!trace->functions || !trace->cpus)
		errx(1, "out of memory");
	trace->nr_functions = NR_FUNCTIONS;
	for (i = 0; i < NR_FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "function_%u", i);
		trace->functions[i].function = call_counts_function(trace->names, "", name, i, CALL_HOOKED);
	}
	trace->nr_cpus = trace->names->totals.nr_cpus = NR_CPUS;
	trace->names->totals.counted_ns = trace->totals.traced_ns;
	trace->slots = trace->owned = slots;
	trace->nr_slots = NR_EVENTS;
	for (i = 0; i < NR_CPUS; i++)
		add_cpu(trace, slots + i * (NR_EVENTS / NR_CPUS), i);
	if (trace_collect_tasks(trace, NULL))
		errx(1, "out of memory");
	return trace;
}

static int make(const char *path)
{
	const struct run_result result = { .nr_cpus = NR_CPUS, .began = 1e9, .elapsed_seconds = NR_SECONDS + 1 };
	struct trace *trace = make_trace();
	struct record_writer writer;
	struct text_error error;

	if (record_create(&writer, path, &error))
		errx(1, "%s", error.what);
	record_add_result(&writer, &result);
	trace_save(&writer, trace);
	trace_destroy(trace);
	return record_commit(&writer, &error) ? 1 : 0;
}

static bool measure(const char *form, double max_ms, char *const *argv)
{
	struct cost median = measure_child(argv);

	printf("traced %s %u %.0f %ld\n", form, NR_EVENTS, median.ms, median.kb);
	return median.ms <= max_ms && median.kb <= MAX_KB;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/cpuprobe-trace-XXXXXX";
	bool is_good;
	int fd;

	if (argc == 3 && !strcmp(argv[1], "make"))
		return make(argv[2]);
	if (argc != 2)
		errx(2, "usage: traced PROBE | traced make RUN");
	fd = mkstemp(path);
	if (fd < 0)
		err(1, "%s", path);
	close(fd);
	/* In a process of its own: the memory of this process would be counted with the child's. */
	run_child((char *[]){ argv[0], "make", path, NULL });
	is_good = measure("summary", MAX_SUMMARY_MS, (char *[]){ argv[1], "trace", path, NULL });
	is_good = measure("first", MAX_SECOND_MS, (char *[]){
		argv[1], "trace", "-flow", "-from", "1s", "-to", "2s", path, NULL }) && is_good;
	is_good = measure("last", MAX_SECOND_MS, (char *[]){
		argv[1], "trace", "-flow", "-from", "49s", "-to", "50s", path, NULL }) && is_good;
	unlink(path);
	return !is_good;
}
