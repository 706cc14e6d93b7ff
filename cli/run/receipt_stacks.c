// SPDX-License-Identifier: GPL-2.0-only
/* The receipt of user stacks: see receipt_stacks.h. */
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "cpuprobe.h"
#include "run/receipt_stacks.h"
#include "run/unwind_options.h"

#define LEAST_SHARE	0.005	/* of the user stacks; less is told as "other reasons" */
#define MOST_REASONS	4

_Static_assert(sizeof(struct receipt_stacks) == 344, "saved in files");
_Static_assert((int)RECEIPT_ENDS <= RECEIPT_ENDS_SAVED, "saved in files");

/** A reason: its name in JSON, and for people, and what would help. */
static const struct reason {
	const char *key;
	const char *what;
	const char *remedy;	/* NULL: none */
} reasons[RECEIPT_ENDS] = {
	[RECEIPT_NO_TABLE] = { "no_table", "no unwind table",
			       "compile with -fasynchronous-unwind-tables" },
	[RECEIPT_NO_BUDGET] = { "no_budget", "no room for the table", "larger -unwind-memory, or unwind_mib of the module" },
	[RECEIPT_UNSUPPORTED] = { "unsupported", "unsupported unwind rule",
				  "perf record --call-graph dwarf follows it" },
	[RECEIPT_GENERATED] = { "generated", "generated code without frame pointers",
				"java -XX:+PreserveFramePointer keeps them" },
	[RECEIPT_UNKNOWN] = { "unknown", "process not known yet", "start the run before it" },
	[RECEIPT_UNREADABLE] = { "unreadable", "stack not in memory", NULL },
	[RECEIPT_TOO_DEEP] = { "too_deep", "too deep", NULL },
	[RECEIPT_NO_POINTER] = { "no_frame_pointer", "no frame pointer", NULL },
	[RECEIPT_32BIT] = { "32bit", "32-bit code", NULL },
	[RECEIPT_OUTSIDE] = { "outside", "outside of the stack", NULL },
	[RECEIPT_CUT] = { "cut", "cut by -unwind none", NULL },
	[RECEIPT_LATE] = { "late", "table not ready yet", "a longer run has fewer" },
	[RECEIPT_NO_RULE] = { "no_rule", "code without unwind rules", "assembly needs .cfi directives" },
};

static const struct {
	const char *key;
	const char *name;
	const char *option;
} interpreters[RECEIPT_INTERPRETERS] = {
	[RECEIPT_PYTHON] = { "python", "python3", "-X perf" },
	[RECEIPT_NODE] = { "node", "node", "--perf-basic-prof" },
};

/** A text that grows, and is cut where it has no room. */
struct sentence {
	char text[1536];
	size_t used;
};

static void put(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct sentence *sentence, const char *format, ...)
{
	size_t room = sizeof(sentence->text) - sentence->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(sentence->text + sentence->used, room, format, args);
	va_end(args);
	sentence->used += len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}

static double compute_share(const struct receipt_stacks *stacks, u64 samples)
{
	return stacks->samples ? (double)samples / stacks->samples : 0;
}

static const char *choose_remedy(const struct receipt_stacks *stacks, unsigned int end)
{
	if (end != RECEIPT_NO_POINTER)
		return reasons[end].remedy;
	return stacks->how == UNWIND_TABLES ? "compile with -fno-omit-frame-pointer" :
		"-unwind tables, with the module, needs none";
}

/* The objects that most of the stacks ended in, " (libfoo.so 0.9%, bar 0.2%)". */
static void put_objects(struct sentence *sentence, const struct receipt_stacks *stacks)
{
	size_t i, nr = 0;

	for (i = 0; i < RECEIPT_OBJECTS && stacks->object[i].samples; i++)
		put(sentence, "%s%s %.1f%%", nr++ ? ", " : " (", stacks->object[i].name,
		    100 * compute_share(stacks, stacks->object[i].samples));
	put(sentence, nr ? ")" : "");
}

static void put_reason(struct sentence *sentence, const struct receipt_stacks *stacks,
		       unsigned int end)
{
	const char *remedy = choose_remedy(stacks, end);

	put(sentence, "%.1f%% %s", 100 * compute_share(stacks, stacks->ended[end]),
	    reasons[end].what);
	if (end == RECEIPT_NO_TABLE)
		put_objects(sentence, stacks);
	if (end == RECEIPT_UNKNOWN && stacks->nr_unrecorded)
		put(sentence, " (%u mappings found no room in the module)", stacks->nr_unrecorded);
	if (remedy)
		put(sentence, ": %s", remedy);
}

/* The most frequent reason that was not told; RECEIPT_ENDS: none is frequent enough. */
static unsigned int find_next_reason(const struct receipt_stacks *stacks, unsigned int told)
{
	unsigned int end, most = RECEIPT_ENDS;

	for (end = 0; end < RECEIPT_ENDS; end++)
		if (!(told >> end & 1) && compute_share(stacks, stacks->ended[end]) >= LEAST_SHARE &&
		    (most == RECEIPT_ENDS || stacks->ended[end] > stacks->ended[most]))
			most = end;
	return most;
}

static void put_reasons(struct sentence *sentence, const struct receipt_stacks *stacks)
{
	u64 left = receipt_sum_ended(stacks);
	unsigned int told = 0, end, nr;

	for (nr = 0; nr < MOST_REASONS; nr++) {
		end = find_next_reason(stacks, told);
		if (end == RECEIPT_ENDS)
			break;
		put(sentence, nr ? "; " : " Ended early: ");
		put_reason(sentence, stacks, end);
		told |= 1u << end;
		left -= left < stacks->ended[end] ? left : stacks->ended[end];
	}
	if (nr && compute_share(stacks, left) >= 0.0005)
		put(sentence, "; %.1f%% other reasons", 100 * compute_share(stacks, left));
	put(sentence, nr ? "." : "");
}

static void put_interpreters(struct sentence *sentence, const struct receipt_stacks *stacks)
{
	size_t i;

	for (i = 0; i < RECEIPT_INTERPRETERS; i++)
		if (compute_share(stacks, stacks->nameless[i]) >= LEAST_SHARE)
			put(sentence, " %.1f%% in %s without names of its functions: %s %s.",
			    100 * compute_share(stacks, stacks->nameless[i]), interpreters[i].name,
			    interpreters[i].name, interpreters[i].option);
}

void receipt_print_stacks(FILE *out, const struct receipt_stacks *stacks, int cols)
{
	struct sentence sentence = { .used = 0 };

	if (!stacks->samples)
		return;
	put(&sentence, "User stacks (%s", stacks->how == UNWIND_TABLES ? "tables" :
	    stacks->how == UNWIND_NONE ? "first frame only" : "frame pointers only");
	if (stacks->limit_kib)
		put(&sentence, ", %.1f of %.1f MiB", stacks->used_kib / 1024.0,
		    stacks->limit_kib / 1024.0);
	put(&sentence, "): %.1f%% reach the outermost frame",
	    100 * compute_share(stacks, stacks->whole));
	if (compute_share(stacks, stacks->by_pointer) >= LEAST_SHARE)
		put(&sentence, ", %.1f%% are partly by frame pointer, for lack of a table",
		    100 * compute_share(stacks, stacks->by_pointer));
	put(&sentence, ".");
	put_reasons(&sentence, stacks);
	put_interpreters(&sentence, stacks);
	text_wrap(out, sentence.text, cols);
}

static void put_json_objects(FILE *out, const struct receipt_stacks *stacks)
{
	size_t i;

	fputs("      \"no_table_objects\": [", out);
	for (i = 0; i < RECEIPT_OBJECTS && stacks->object[i].samples; i++) {
		fprintf(out, "%s{\"object\": ", i ? ", " : "");
		text_json(out, stacks->object[i].name);
		fprintf(out, ", \"samples\": %llu}", stacks->object[i].samples);
	}
	fputs("],\n", out);
}

void receipt_json_stacks(FILE *out, const struct receipt_stacks *stacks)
{
	unsigned int i;

	if (!stacks->samples)
		return;
	fprintf(out, ",\n    \"user_stacks\": {\n      \"unwind\": \"%s\", \"samples\": %llu, "
		"\"outermost\": %llu, \"by_pointer\": %llu,\n      \"ended\": {",
		unwind_name(stacks->how), stacks->samples, stacks->whole, stacks->by_pointer);
	for (i = 0; i < RECEIPT_ENDS; i++)
		fprintf(out, "%s\"%s\": %llu", i ? ", " : "", reasons[i].key, stacks->ended[i]);
	fputs("},\n", out);
	put_json_objects(out, stacks);
	fputs("      \"nameless\": {", out);
	for (i = 0; i < RECEIPT_INTERPRETERS; i++)
		fprintf(out, "%s\"%s\": %llu", i ? ", " : "", interpreters[i].key,
			stacks->nameless[i]);
	fprintf(out, "},\n      \"tables\": %u, \"tables_refused\": %u, \"tables_stale\": %u, "
		"\"tables_evicted\": %u,\n      \"mappings_unrecorded\": %u, \"tables_kib\": %u, "
		"\"tables_limit_kib\": %u\n    }", stacks->nr_tables, stacks->nr_refused,
		stacks->nr_stale, stacks->nr_evicted, stacks->nr_unrecorded, stacks->used_kib,
		stacks->limit_kib);
}

u64 receipt_sum_ended(const struct receipt_stacks *stacks)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < RECEIPT_ENDS_SAVED; i++)
		sum = stacks->ended[i] > UINT64_MAX - sum ? UINT64_MAX : sum + stacks->ended[i];
	return sum;
}

void receipt_clean_stacks(struct receipt_stacks *stacks)
{
	size_t i;

	for (i = 0; i < RECEIPT_OBJECTS; i++) {
		stacks->object[i].name[sizeof(stacks->object[i].name) - 1] = '\0';
		text_clean(stacks->object[i].name);
	}
}
