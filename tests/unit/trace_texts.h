/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces from text, for tests: a line per event, "CPU NS OP ARGUMENTS". Functions are a to z, with the
 * numbers 0 to 25; u to x are functions of a program.
 *	> f SP [LEVEL]	entry			< f SP [LEVEL]	exit
 *	s FROM TO [pbd]	switch			r TID TGID	running
 *	i N, I N	irq begin, end; with a 1 after N one that the kernel does not count as an interrupt
 *	o N, O N	softirq begin, end
 *	y N, Y N RESULT	system call		k TID TGID	fork
 *	n TID TGID NAME				m TID TEXT	mark
 *	l N		lost			w TID CPU	wake-up
 *	e TID TGID	running, after exec
 */
#ifndef TRACE_TEXTS_H
#define TRACE_TEXTS_H

#include "trace/trace_events.h"
#include "unit.h"

#define TRACES_SLOTS	1000
#define TRACES_CPUS	3

struct trace_builder {
	struct cpuprobe_event slots[TRACES_CPUS][TRACES_SLOTS];
	u32 nr[TRACES_CPUS];
};

static inline void traces_text(struct trace_builder *builder, u32 cpu, const char *text, size_t len)
{
	u32 nr = (len + 15) / 16;

	memcpy(&builder->slots[cpu][builder->nr[cpu]], text, len);
	builder->nr[cpu] += nr;
}

static inline void traces_add(struct trace_builder *builder, u32 cpu, u64 ns, u32 type, u32 flags,
			      u32 what, u32 data)
{
	assert_true(cpu < TRACES_CPUS && builder->nr[cpu] < TRACES_SLOTS - 6);
	builder->slots[cpu][builder->nr[cpu]++] = (struct cpuprobe_event){
		ns << 16 | type << 8 | flags, what, data,
	};
}

static inline void traces_named(struct trace_builder *builder, u32 cpu, u64 ns, char op,
				const char *arguments)
{
	u32 tid = 0, tgid = 0;
	char text[80] = "";

	if (op == 'n') {
		assert_int_equal(sscanf(arguments, "%u %u %15s", &tid, &tgid, text), 3);
		traces_add(builder, cpu, ns, CPUPROBE_EVENT_NAME, 0, tid, tgid);
		traces_text(builder, cpu, text, 16);
	} else {
		assert_int_equal(sscanf(arguments, "%u %79[^\n]", &tid, text), 2);
		traces_add(builder, cpu, ns, CPUPROBE_EVENT_MARK, 0, tid, strlen(text));
		traces_text(builder, cpu, text, strlen(text));
	}
}

static inline void traces_line(struct trace_builder *builder, const char *line)
{
	static const char ops[] = "?><srwiIoOyYke";
	static const u32 types[] = {
		0, CPUPROBE_EVENT_ENTRY, CPUPROBE_EVENT_EXIT, CPUPROBE_EVENT_SWITCH, CPUPROBE_EVENT_RUNNING,
		CPUPROBE_EVENT_WAKEUP, CPUPROBE_EVENT_IRQ_BEGIN, CPUPROBE_EVENT_IRQ_END,
		CPUPROBE_EVENT_SOFTIRQ_BEGIN, CPUPROBE_EVENT_SOFTIRQ_END, CPUPROBE_EVENT_SYSCALL_BEGIN,
		CPUPROBE_EVENT_SYSCALL_END, CPUPROBE_EVENT_FORK, CPUPROBE_EVENT_RUNNING,
	};
	u32 cpu, flags = 0, what = 0, data = 0;
	unsigned long long ns;
	char op, name, how = 'p';
	int used;

	assert_int_equal(sscanf(line, "%u %llu %c %n", &cpu, &ns, &op, &used), 3);
	if (op == 'n' || op == 'm') {
		traces_named(builder, cpu, ns, op, line + used);
		return;
	}
	if (op == '>' || op == '<') {
		sscanf(line + used, "%c %u %u", &name, &data, &flags);
		what = name - 'a';
	} else if (op == 's') {
		sscanf(line + used, "%u %u %c", &data, &what, &how);
		flags = how == 'b' ? CPUPROBE_LEFT_BLOCKED : how == 'd' ? CPUPROBE_LEFT_DEAD : 0;
	} else {
		sscanf(line + used, "%u %d", &what, (int *)&data);
		flags = strchr("iI", op) && data ? 0 : strchr("iI", op) ? TRACE_LEVEL_IRQ :
			strchr("oO", op) ? TRACE_LEVEL_SOFTIRQ : op == 'e' ? CPUPROBE_EVENT_EXEC : 0;
	}
	traces_add(builder, cpu, ns, op == 'l' ? CPUPROBE_EVENT_LOST : types[strchr(ops, op) - ops],
		   flags, what,
		   data);
}

static inline void traces_cpu(struct trace *trace, struct trace_builder *builder, u32 cpu)
{
	struct cpuprobe_event *slots = trace->owned;

	trace->cpus[cpu] = (struct trace_cpu){
		.cpu = cpu, .at = trace->nr_slots, .nr_slots = builder->nr[cpu], .stored = builder->nr[cpu],
	};
	memcpy(slots + trace->nr_slots, builder->slots[cpu], builder->nr[cpu] * sizeof(*slots));
	trace->nr_slots += builder->nr[cpu];
}

/* A trace of @traced_ns on @nr_cpus with the events of @text; free with trace_destroy(). */
static inline struct trace *trace_of(const char *text, u64 traced_ns, u32 nr_cpus)
{
	struct trace_builder *builder = calloc(1, sizeof(*builder));
	struct trace *trace = trace_create();
	char line[120];
	u32 i;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
		traces_line(builder, line);
	}
	trace->functions = calloc(26, sizeof(*trace->functions));
	for (i = 0; i < 26; i++)
		trace->functions[i].function = call_counts_function(trace->names, i == 25 ? "mod" : "",
								    (char[]){ 'a' + i, 0 }, 64 * (i + 1),
								    CALL_HOOKED);
	for (i = 'u' - 'a'; i <= 'x' - 'a'; i++)
		trace->functions[i].is_user = 1;
	trace->nr_functions = 26;
	trace->owned = calloc(TRACES_CPUS * TRACES_SLOTS, sizeof(struct cpuprobe_event));
	trace->slots = trace->owned;
	trace->cpus = calloc(nr_cpus, sizeof(*trace->cpus));
	trace->nr_cpus = nr_cpus;
	for (i = 0; i < nr_cpus; i++)
		traces_cpu(trace, builder, i);
	trace->totals.traced_ns = trace->names->totals.counted_ns = traced_ns;
	trace->names->totals.nr_cpus = nr_cpus;
	free(builder);
	assert_int_equal(trace_collect_tasks(trace, NULL), 0);
	return trace;
}

#endif
