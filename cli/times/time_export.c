// SPDX-License-Identifier: GPL-2.0-only
/* Exports of timed calls: see time_export.h. */
#include "base/text.h"
#include "export/export.h"
#include "release.h"
#include "times/time_export.h"

/** Weight of a path. */
typedef u64 (*weigh)(const struct time_counts *counts, const struct time_node *node);

static u64 weigh_net(const struct time_counts *counts, const struct time_node *node)
{
	return export_whole(time_net_ns(counts, node));
}

static u64 weigh_calls(const struct time_counts *counts, const struct time_node *node)
{
	return node->sums.calls;
}

static bool has_calls(const struct time_node *node)
{
	return !time_is_root(node) && node->sums.calls;
}

/* The names from the root; a path is not longer than the module's stack is deep. */
static void write_folded_path(FILE *out, const struct time_counts *counts, const struct time_node *node)
{
	if (node->parent != CALLS_NONE) {
		write_folded_path(out, counts, &counts->nodes[node->parent]);
		fputc(';', out);
	}
	export_folded_name(out, time_counts_name(counts, node));
}

static int write_folded(FILE *out, const void *context)
{
	const struct time_counts *counts = context;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++) {
		u64 ns = has_calls(&counts->nodes[i]) ? weigh_net(counts, &counts->nodes[i]) : 0;

		if (!ns)
			continue;
		write_folded_path(out, counts, &counts->nodes[i]);
		fprintf(out, " %llu\n", ns);
	}
	return 0;
}

/* Frames are numbered as nodes are: those of one name look the same. */
static void write_frames(FILE *out, const struct time_counts *counts)
{
	u32 i;

	fputs("\"shared\": {\"frames\": [", out);
	for (i = 0; i < counts->nr_nodes; i++) {
		fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", out);
		text_json(out, export_name(time_counts_name(counts, &counts->nodes[i])));
		fputc('}', out);
	}
	fputs("\n]},\n", out);
}

static void write_frame_path(FILE *out, const struct time_counts *counts, u32 position)
{
	u32 parent = counts->nodes[position].parent;

	if (parent != CALLS_NONE) {
		write_frame_path(out, counts, parent);
		fputc(',', out);
	}
	fprintf(out, "%u", position);
}

static void write_profile(FILE *out, const struct time_counts *counts, const char *name,
			  const char *unit, weigh weight)
{
	const char *separator = "\n";
	u64 sum = 0;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		sum += has_calls(&counts->nodes[i]) ? weight(counts, &counts->nodes[i]) : 0;
	fprintf(out, "{\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"%s\", "
		"\"startValue\": 0, \"endValue\": %llu,\n\"samples\": [", name, unit, sum);
	for (i = 0; i < counts->nr_nodes; i++) {
		if (!has_calls(&counts->nodes[i]))
			continue;
		fprintf(out, "%s[", separator);
		write_frame_path(out, counts, i);
		fputc(']', out);
		separator = ",\n";
	}
	fputs("\n],\n\"weights\": [", out);
	separator = "";
	for (i = 0; i < counts->nr_nodes; i++) {
		if (!has_calls(&counts->nodes[i]))
			continue;
		fprintf(out, "%s%llu", separator, weight(counts, &counts->nodes[i]));
		separator = ",";
	}
	fputs("]}", out);
}

static int write_speedscope(FILE *out, const void *context)
{
	const struct time_counts *counts = context;

	fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\": \"cpuprobe " CPUPROBE_RELEASE "\", \"name\": \"cpuprobe\", "
	      "\"activeProfileIndex\": 0,\n", out);
	write_frames(out, counts);
	fputs("\"profiles\": [\n", out);
	write_profile(out, counts, "net time", "nanoseconds", weigh_net);
	fputs(",\n", out);
	write_profile(out, counts, "calls", "none", weigh_calls);
	fputs("\n]}\n", out);
	return 0;
}

int time_export(struct export *exports, const struct time_counts *counts, struct text_error *error_ret)
{
	static const export_page_write writes[EXPORT_FORMATS] = {
		[EXPORT_FOLDED] = write_folded, [EXPORT_SPEEDSCOPE] = write_speedscope,
	};

	return export_write_each(exports, writes, counts, error_ret);
}
