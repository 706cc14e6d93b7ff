// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of the page: see html_data.h. Rows are arrays, to keep the file small. A sum is
 * [samples, ns, lo, hi]; lo and hi are the interval of the sum's share of all samples.
 */
#include "base/stat.h"
#include "base/text.h"
#include "export/html_data.h"
#include "page/page_data.h"

static void put_sum(FILE *out, const struct html *html, struct sum sum)
{
	double base_ns = html->profile->taken_ns;
	struct stat_interval interval = stat_wilson_share(base_ns > 0 ? sum.ns / base_ns : 0,
							  html->profile->taken,
							  html->profile->excess);

	fprintf(out, "[%llu,", sum.hits);
	page_number(out, sum.ns);
	fprintf(out, ",%.6g,%.6g]", interval.lo, interval.hi);
}

static void put_named_sum(FILE *out, const struct html *html, const char *key, struct sum sum)
{
	fprintf(out, ",\n\"%s\":", key);
	put_sum(out, html, sum);
}

static void put_array(FILE *out, const char *key, u32 nr, const struct html *html,
		      void (*row)(FILE *out, const struct html *html, u32 at))
{
	u32 i;

	fprintf(out, ",\n\"%s\":[", key);
	for (i = 0; i < nr; i++) {
		if (i)
			fputs(",\n", out);
		row(out, html, i);
	}
	fputc(']', out);
}

static void put_function(FILE *out, const struct html *html, u32 at)
{
	fputc('[', out);
	text_json(out, html->profile->functions[at].name);
	fprintf(out, ",%u,", html->profile->functions[at].object);
	put_sum(out, html, html->sums.function_self[at]);
	fputc(',', out);
	put_sum(out, html, html->sums.function_total[at]);
	fputc(']', out);
}

static void put_object(FILE *out, const struct html *html, u32 at)
{
	const struct profile_object *object = &html->profile->objects[at];

	fputc('[', out);
	text_json(out, object->name);
	fprintf(out, ",%u,", object->kind);
	text_json(out, object->path);
	fputc(',', out);
	put_sum(out, html, html->sums.object_self[at]);
	fputc(',', out);
	put_sum(out, html, html->sums.object_total[at]);
	fputc(']', out);
}

static void put_process(FILE *out, const struct html *html, u32 at)
{
	const struct profile_process *process = &html->profile->processes[at];

	fputc('[', out);
	text_json(out, process->name);
	fprintf(out, ",%u,%u,", process->kind, process->pid);
	put_sum(out, html, html->sums.process[at]);
	fputc(']', out);
}

static void put_program(FILE *out, const struct html *html, u32 at)
{
	fputc('[', out);
	text_json(out, html->flame.programs[at].name);
	fprintf(out, ",%u]", html->flame.programs[at].kind);
}

/* Write a column of the tree: nodes in preorder, without recursion, because stacks may be deep. */
static void put_tree_column(FILE *out, const struct html *html, const char *key,
			    void (*value)(FILE *out, const struct flame_node *node, u32 level))
{
	const struct flame_node *nodes = html->flame.nodes, *node = nodes;
	u32 level = 0;

	fprintf(out, ",\n\"%s\":[", key);
	for (;;) {
		value(out, node, level);
		if (node->first_child != PROFILE_NONE) {
			level++;
			node = &nodes[node->first_child];
		} else {
			for (; level && node->next == PROFILE_NONE; level--)
				node = &nodes[node->parent];
			if (!level)
				break;
			node = &nodes[node->next];
		}
		fputc(',', out);
	}
	fputc(']', out);
}

static void put_level(FILE *out, const struct flame_node *node, u32 level)
{
	fprintf(out, "%u", level);
}

static void put_name(FILE *out, const struct flame_node *node, u32 level)
{
	fprintf(out, "%u", node->name);
}

static void put_hits(FILE *out, const struct flame_node *node, u32 level)
{
	fprintf(out, "%llu", node->self.hits);
}

static void put_ns(FILE *out, const struct flame_node *node, u32 level)
{
	page_number(out, node->self.ns);
}

int html_data(FILE *out, const void *context)
{
	static const char *const modes[CPUPROBE_MODES] = {
		[CPUPROBE_MODE_KERNEL] = "kernel", [CPUPROBE_MODE_SOFTIRQ] = "softirq",
		[CPUPROBE_MODE_USER] = "user", [CPUPROBE_MODE_GUEST] = "guest",
	};
	const struct html *html = context;
	const struct profile *profile = html->profile;
	int mode;

	page_begin(out, html->result, profile->taken, html->receipt);
	put_named_sum(out, html, "all", (struct sum){ profile->taken, profile->taken_ns });
	put_named_sum(out, html, "lost", (struct sum){ profile->lost, profile->lost_ns });
	put_named_sum(out, html, "other", (struct sum){ profile->other, profile->other_ns });
	put_named_sum(out, html, "idle", html->sums.idle);
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		put_named_sum(out, html, modes[mode], html->sums.mode[mode]);
	fprintf(out, ",\n\"marks\":%d", PROFILE_MARK_COUNT);
	put_array(out, "objects", profile->nr_objects, html, put_object);
	put_array(out, "functions", profile->nr_functions, html, put_function);
	put_array(out, "processes", profile->nr_processes, html, put_process);
	put_array(out, "programs", html->flame.nr_programs, html, put_program);
	put_tree_column(out, html, "node_level", put_level);
	put_tree_column(out, html, "node_name", put_name);
	put_tree_column(out, html, "node_hits", put_hits);
	put_tree_column(out, html, "node_ns", put_ns);
	fputs("}\n", out);
	return 0;
}
