// SPDX-License-Identifier: GPL-2.0-only
/* The receipt of a run: see receipt.h. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/stat.h"
#include "base/text.h"
#include "base/virtual.h"
#include "run/run_kind.h"
#include "run/receipt.h"

static bool contains_cpu(const struct cpus *cpus, u32 cpu)
{
	size_t i;

	for (i = 0; i < cpus->nr; i++)
		if (cpus->number[i] == cpu)
			return true;
	return false;
}

void receipt_clock_read(struct receipt_clock *clock, const struct cpus *cpus)
{
	unsigned long long t[8];
	char line[512];
	unsigned int cpu;
	FILE *file = fopen("/proc/stat", "re");
	int i;

	memset(clock, 0, sizeof(*clock));
	while (file && fgets(line, sizeof(line), file)) {
		/* user nice system idle iowait irq softirq steal */
		if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0],
			   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 9 ||
		    !contains_cpu(cpus, cpu))
			continue;
		for (i = 0; i < 8; i++)
			clock->all += t[i];
		clock->steal += t[7];
	}
	if (file)
		fclose(file);
}

/* The linker's note: sizes of name and contents, type, "GNU", then the build ID. */
static void read_module_build_id(char *text, size_t len)
{
	unsigned char note[16 + 20];
	size_t i;
	int fd = open("/sys/module/cpuprobe/notes/.note.gnu.build-id", O_RDONLY | O_CLOEXEC);

	text[0] = '\0';
	if (fd < 0)
		return;
	if (read(fd, note, sizeof(note)) == sizeof(note))
		for (i = 0; i < 6; i++)
			snprintf(text + 2 * i, len - 2 * i, "%02x", note[16 + i]);
	close(fd);
}

static const char *name_engine(const struct receipt *receipt)
{
	return receipt->flags & RECEIPT_BPF ? "bpf" :
	       receipt->flags & RECEIPT_PERF ? "perf" : "module";
}

unsigned int receipt_lumped_modes(unsigned int flags)
{
	if (!(flags & RECEIPT_NO_MODULE))
		return 0;
	return (flags & RECEIPT_SOFTIRQS ? 0 : 1u << CPUPROBE_MODE_SOFTIRQ) |
		(flags & RECEIPT_GUESTS ? 0 : 1u << CPUPROBE_MODE_GUEST);
}

void receipt_identify(struct receipt *receipt, const char *module_release)
{
	char build[16];
	struct utsname name;

	read_module_build_id(build, sizeof(build));
	if (receipt->flags & RECEIPT_NO_MODULE)
		snprintf(receipt->module, sizeof(receipt->module), "none (engine %s)",
			 name_engine(receipt));
	else
		snprintf(receipt->module, sizeof(receipt->module), "%.32s%s%s", module_release,
			 build[0] ? " build " : "", build);
	if (!uname(&name)) {
		snprintf(receipt->kernel, sizeof(receipt->kernel), "%s", name.release);
		snprintf(receipt->kernel_build, sizeof(receipt->kernel_build), "%s", name.version);
	}
	if (virtual_is(""))
		receipt->flags |= RECEIPT_VIRTUAL;
}

void receipt_add_cpu(struct receipt_cpu *sum, const struct receipt_cpu *cpu)
{
	sum->flags |= cpu->flags;
	sum->expected += cpu->expected;
	sum->taken += cpu->taken;
	sum->missed += cpu->missed;
	sum->pending += cpu->pending;
	sum->lost += cpu->lost;
	sum->deferred += cpu->deferred;
	sum->excluded += cpu->excluded;
	sum->late_ns += cpu->late_ns;
	sum->late_max_ns = sum->late_max_ns > cpu->late_max_ns ? sum->late_max_ns : cpu->late_max_ns;
	sum->sampled_ns += cpu->sampled_ns;
}

void receipt_add_ends(struct receipt_stacks *sum, const struct receipt_stacks *stacks)
{
	int i;

	sum->samples += stacks->samples;
	sum->whole += stacks->whole;
	sum->by_pointer += stacks->by_pointer;
	for (i = 0; i < RECEIPT_ENDS_SAVED; i++)
		sum->ended[i] += stacks->ended[i];
	for (i = 0; i < RECEIPT_INTERPRETERS; i++)
		sum->nameless[i] += stacks->nameless[i];
}

void receipt_add_up(struct receipt *receipt, const struct receipt_cpu *cpus, size_t nr)
{
	size_t i;

	receipt->expected = receipt->taken = receipt->missed = receipt->lost = 0;
	receipt->deferred = receipt->excluded = receipt->sampled_ns = 0;
	receipt->nr_cpus = receipt->nr_slowed = 0;
	receipt->event.nr_throttled = receipt->event.nr_uncounted = receipt->nmi.nr_alone = 0;
	for (i = 0; i < nr; i++) {
		receipt->expected += cpus[i].expected;
		receipt->taken += cpus[i].taken;
		receipt->missed += cpus[i].missed;
		receipt->lost += cpus[i].lost;
		receipt->deferred += cpus[i].deferred;
		receipt->excluded += cpus[i].excluded;
		receipt->sampled_ns += cpus[i].sampled_ns;
		receipt->nr_cpus += cpus[i].expected > 0;
		receipt->nr_slowed += !!(cpus[i].flags & (CPUPROBE_ACCOUNT_SLOWED | CPUPROBE_ACCOUNT_COSTLY));
		receipt->event.nr_throttled += !!(cpus[i].flags & CPUPROBE_ACCOUNT_THROTTLED);
		if (receipt->flags & RECEIPT_NMI && !receipt_has_event(receipt))
			receipt->nmi.nr_alone += !!(cpus[i].flags & CPUPROBE_ACCOUNT_UNCOUNTED);
		else
			receipt->event.nr_uncounted += !!(cpus[i].flags & CPUPROBE_ACCOUNT_UNCOUNTED);
	}
}

/* Samples taken per second and CPU. */
static double compute_reached_hz(const struct receipt *receipt)
{
	const u64 ns = receipt_has_event(receipt) ? receipt->event.enabled_ns : receipt->sampled_ns;

	return ns ? 1e9 * receipt->taken / ns : 0;
}

/* Share of the sampled CPUs' time spent on sampling; an upper bound with RECEIPT_SLEEPS. */
static double compute_overhead(const struct receipt *receipt)
{
	return compute_reached_hz(receipt) * receipt->cost_ns / 1e9;
}

const char *receipt_clock_name(const struct receipt *receipt)
{
	static const char *const jitters[] = { "grid", "poisson", "none" };

	if (receipt->jitter == CPUPROBE_JITTER_GRID && receipt->flags & RECEIPT_NO_MODULE)
		return receipt->event.event.period == 1 ? "none" : receipt->flags & RECEIPT_BPF &&
			(!receipt_has_event(receipt) || event_is_software(&receipt->event.event)) ?
			"comb" : "redrawn";
	return jitters[receipt->jitter % 3];
}

static u64 count_included(const struct receipt *receipt)
{
	return receipt->taken - receipt->excluded;
}

/* The share that would have left a hit. */
static double compute_least_share(const struct receipt *receipt)
{
	return stat_least_share(count_included(receipt), receipt_excess(receipt));
}

/* Lists what no sample can land in, and what was left out. */
static void list_unseen(const struct receipt *receipt, char *text, size_t len)
{
	size_t used;

	if (receipt_has_event(receipt))
		receipt_event_unseen(&receipt->event, text, len);
	else if (receipt->flags & RECEIPT_NMI)
		snprintf(text, len, "NMI handlers and firmware");
	else
		snprintf(text, len, "interrupt handlers and firmware (they delay samples)");
	used = strlen(text);
	if (receipt->flags & RECEIPT_VIRTUAL)
		used += snprintf(text + used, len - used, ", what the host does");
	if (receipt->nr_skipped)
		used += snprintf(text + used, len - used, ", %u isolated CPU%s%s%s",
				 receipt->nr_skipped, receipt->nr_skipped > 1 ? "s" : "",
				 receipt->skipped[0] ? ": " : "", receipt->skipped);
	if (receipt->flags & RECEIPT_BPF)
		used += snprintf(text + used, len - used, ", lateness%s",
				 receipt->flags & RECEIPT_SOFTIRQS ? "" :
				 ", softirqs apart from other kernel time");
	if (receipt->flags & RECEIPT_PERF)
		used += snprintf(text + used, len - used,
				 ", other users, the kernel, idle CPUs, lateness");
	if (receipt->excluded)
		snprintf(text + used, len - used, ", deferred samples");
}

/* The bound of deferred samples, " over 20 us"; empty if it is the default. */
static void describe_deferred_bound(const struct receipt *receipt, char *text, size_t len)
{
	char bound[16];

	text[0] = '\0';
	if (receipt->deferred_ns != RECEIPT_DEFERRED_NS)
		snprintf(text, len, " over %s", text_ns(receipt->deferred_ns, bound));
}

/* "3 deferred over 20 us (kept)"; BPF cannot tell how late a sample came, and nothing delays an NMI. */
static void describe_deferred(const struct receipt *receipt, char *text, size_t len)
{
	char over[24];

	describe_deferred_bound(receipt, over, sizeof(over));
	if (receipt->flags & RECEIPT_NMI)
		receipt_describe_nmi(&receipt->nmi, text, len);
	else if (receipt->flags & RECEIPT_NO_MODULE || receipt_has_event(receipt))
		snprintf(text, len, "deferred unknown");
	else
		snprintf(text, len, "%llu deferred%s%s", receipt->deferred, over,
			 receipt->flags & RECEIPT_EXCLUDES ? " (left out)" :
			 receipt->deferred ? " (kept)" : "");
}

/* "1.0 us a sample, 0.10% overhead"; only the module measures it. */
static void describe_cost(const struct receipt *receipt, char *text, size_t len)
{
	if (receipt->flags & RECEIPT_NO_MODULE)
		snprintf(text, len, "cost of a sample unknown");
	else
		snprintf(text, len, "%.1f us a sample, %s%.2f%% overhead", receipt->cost_ns / 1e3,
			 receipt->flags & RECEIPT_SLEEPS ? "at most " : "",
			 compute_overhead(receipt) * 100);
}

/* " on 2 CPUs"; events of threads run with these, wherever they run. */
static void describe_place(const struct receipt *receipt, char *text, size_t len)
{
	if (receipt->flags & RECEIPT_PERF)
		snprintf(text, len, " in running threads");
	else
		snprintf(text, len, " on %u CPU%s", receipt->nr_cpus,
			 receipt->nr_cpus == 1 ? "" : "s");
}

/* The clock and its rate: what was asked for and what was reached. */
static void describe_rate(const struct receipt *receipt, char *text, size_t len)
{
	static const char *const jitters[] = { "", " poisson", " without jitter" };
	const char *by = receipt->flags & RECEIPT_NMI ? " by NMI" : "";

	if (receipt_has_event(receipt))
		receipt_describe_event(&receipt->event, by, receipt->taken, text, len);
	else if (receipt->rates.nr_changes && receipt_rates_vary(&receipt->rates))
		snprintf(text, len, "%.6g to %.6g Hz%s%s asked, %.6g reached", 1e9 / receipt->rates.most_ns,
			 1e9 / receipt->rates.least_ns, jitters[receipt->jitter % 3], by, compute_reached_hz(receipt));
	else
		snprintf(text, len, "%.6g Hz%s%s asked, %.6g reached", 1e9 / receipt->period_ns,
			 jitters[receipt->jitter % 3], by, compute_reached_hz(receipt));
}

void receipt_print(FILE *out, const struct receipt *receipt, int cols)
{
	char line[1400], unseen[320], rate[320], steal[32] = "unknown", slowed[40] = "", paused[40] = "";
	char deferred[112], cost[64], where[40], clock[24] = "", merged[40] = "";

	if (!isnan(receipt->steal))
		snprintf(steal, sizeof(steal), "%.1f%%", receipt->steal * 100);
	if (receipt->nr_slowed)
		snprintf(slowed, sizeof(slowed), ", halved on %u", receipt->nr_slowed);
	if (receipt->nr_merged)
		snprintf(merged, sizeof(merged), " of %u merged runs", receipt->nr_merged);
	if (receipt->paused_seconds)
		snprintf(paused, sizeof(paused), "; paused for %.3g s", receipt->paused_seconds);
	if (receipt->flags & RECEIPT_NO_MODULE)
		snprintf(clock, sizeof(clock), "clock %s; ", receipt_clock_name(receipt));
	describe_rate(receipt, rate, sizeof(rate));
	describe_place(receipt, where, sizeof(where));
	list_unseen(receipt, unseen, sizeof(unseen));
	describe_deferred(receipt, deferred, sizeof(deferred));
	describe_cost(receipt, cost, sizeof(cost));
	snprintf(line, sizeof(line), "Receipt%s: %s%s%s%s%s; "
		 "%llu expected = %llu taken + %llu missed; %llu lost, %s, steal %s, "
		 "%u CPU%s skipped; %s; "
		 "least share %.2g%%; %sseed %#llx; module %s, kernel %s; unseen: %s.",
		 merged, rate, where, slowed, receipt->flags & RECEIPT_SLEEPS ? ", idle ones asleep" : "",
		 paused,
		 receipt->expected, receipt->taken, receipt->missed, receipt->lost,
		 deferred, steal, receipt->nr_skipped, receipt->nr_skipped == 1 ? "" : "s",
		 cost, compute_least_share(receipt) * 100, clock,
		 receipt->seed, receipt->module, receipt->kernel, unseen);
	text_wrap(out, line, cols);
	receipt_print_stacks(out, &receipt->stacks, cols);
	if (receipt->flags & RECEIPT_PERF)
		receipt_print_own(out, &receipt->own, cols);
}

void receipt_print_beside(FILE *out, const struct receipt *receipt, int cols)
{
	char line[1000], rate[320], unseen[320], throttled[48] = "";

	describe_rate(receipt, rate, sizeof(rate));
	receipt_event_unseen(&receipt->event, unseen, sizeof(unseen));
	if (receipt->event.nr_throttled)
		snprintf(throttled, sizeof(throttled), ", throttled on %u CPU%s", receipt->event.nr_throttled,
			 receipt->event.nr_throttled == 1 ? "" : "s");
	snprintf(line, sizeof(line), "Beside it: %s on %u CPU%s; %llu expected = %llu taken + %llu missed; "
		 "%llu lost%s; clock %s; seed %#llx; unseen: %s.", rate, receipt->nr_cpus,
		 receipt->nr_cpus == 1 ? "" : "s", receipt->expected, receipt->taken, receipt->missed,
		 receipt->lost, throttled, receipt_clock_name(receipt), receipt->seed, unseen);
	text_wrap(out, line, cols);
}

void receipt_json_members(FILE *out, const struct receipt *receipt)
{
	char unseen[320];

	list_unseen(receipt, unseen, sizeof(unseen));
	fprintf(out, "\"seed\": %llu, \"jitter\": \"%s\", \"idle\": \"%s\", "
		"\"rate_asked\": %.6g, \"rate_reached\": %.6g,\n    \"cpus\": %u, "
		"\"cpus_skipped\": %u, \"cpus_slowed\": %u, \"expected\": %llu, "
		"\"taken\": %llu, \"missed\": %llu,\n    \"lost\": %llu, ",
		receipt->seed, receipt_clock_name(receipt),
		receipt->flags & RECEIPT_SLEEPS ? "sleep" : "sample", receipt_has_event(receipt) ?
		1e9 / (receipt->event.least_ns ?: 1) : 1e9 / receipt->period_ns,
		compute_reached_hz(receipt), receipt->nr_cpus, receipt->nr_skipped,
		receipt->nr_slowed, receipt->expected, receipt->taken, receipt->missed,
		receipt->lost);
	if (receipt->flags & RECEIPT_NO_MODULE || receipt_has_event(receipt))
		fputs("\"deferred\": null, \"deferred_excluded\": null, \"deferred_over_ns\": null, \"steal\": ", out);
	else
		fprintf(out, "\"deferred\": %llu, \"deferred_excluded\": %llu, \"deferred_over_ns\": %u, \"steal\": ",
			receipt->deferred, receipt->excluded, receipt->deferred_ns);
	if (isnan(receipt->steal))
		fputs("null", out);
	else
		fprintf(out, "%.4f", receipt->steal * 100);
	fprintf(out, ",\n    \"paused_seconds\": %.3f, ", receipt->paused_seconds);
	if (receipt->flags & RECEIPT_NO_MODULE)
		fputs("\"sample_cost_ns\": null, \"overhead\": null, ", out);
	else
		fprintf(out, "\"sample_cost_ns\": %u, \"overhead\": %.4f, ", receipt->cost_ns,
			compute_overhead(receipt) * 100);
	fprintf(out, "\"least_share\": %.6f,\n    \"cpus_left_alone\": ", compute_least_share(receipt) * 100);
	text_json(out, receipt->skipped);
	fprintf(out, ",\n    \"engine\": \"%s\"", name_engine(receipt));
	if (receipt->rates.nr_changes)
		fprintf(out, ", \"rate_changes\": %u", receipt->rates.nr_changes);
	if (receipt_rates_vary(&receipt->rates) && !receipt->nr_merged)
		fprintf(out, ", \"excess\": %.6f", receipt_excess(receipt));
	if (receipt->nr_merged)
		fprintf(out, ", \"merged_runs\": %u, \"excess\": %.6f", receipt->nr_merged,
			receipt->merged_excess);
	fputs(",\n    \"module\": ", out);
	text_json(out, receipt->module);
	fputs(", \"kernel\": ", out);
	text_json(out, receipt->kernel);
	fputs(",\n    \"kernel_build\": ", out);
	text_json(out, receipt->kernel_build);
	fputs(",\n    \"unseen\": ", out);
	text_json(out, unseen);
	receipt_json_stacks(out, &receipt->stacks);
	if (receipt->flags & RECEIPT_PERF)
		receipt_json_own(out, &receipt->own);
	if (receipt_has_event(receipt))
		receipt_json_event(out, &receipt->event);
	if (receipt->flags & RECEIPT_NMI)
		receipt_json_nmi(out, &receipt->nmi);
}

void receipt_json(FILE *out, const struct receipt *receipt)
{
	fputs("  \"receipt\": {\n    ", out);
	receipt_json_members(out, receipt);
	fputs("\n  }", out);
}

void receipt_finish(const struct receipt *receipt, const struct output_options *output)
{
	switch (output->format) {
	case FORMAT_JSON:
		fputs("{\n  \"report\": \"receipt\",\n", stdout);
		receipt_json(stdout, receipt);
		fputs("\n}\n", stdout);
		break;
	case FORMAT_TSV:
		/* Programs read the rows on stdout; the receipt is for people. */
		receipt_print(stderr, receipt, output_cols(output));
		break;
	default:
		receipt_print(stdout, receipt, output_cols(output));
	}
}

/* @of: names the event, if there is one. */
static void warn_of_lost(const struct receipt *receipt, const char *of, u64 n)
{
	const struct run_kind *kind = run_kind_of(receipt->what);

	fprintf(stderr, "probe: warning: %s%llu samples (%.1f%%) %s\nhint: %s", of, receipt->lost,
		100.0 * receipt->lost / n, kind->loss ?: "found no room in the table: row (lost)", kind->loss_hint);
	if (!kind->loss)
		fprintf(stderr, "; a %s fills it more slowly", receipt_has_event(receipt) &&
			!(receipt->flags & RECEIPT_NMI) ? "larger -period" : "lower -rate");
	fputc('\n', stderr);
}

void receipt_warn(const struct receipt *receipt, int digits)
{
	u64 n = count_included(receipt);
	/* Half of the last digit: a smaller share can at most change the rounding. */
	double least = 0.5 * pow(10, -digits - 2);
	char bound[16], of[EVENT_NAME_LEN + 4] = "";

	if (receipt_has_event(receipt))
		snprintf(of, sizeof(of), "%s: ", receipt->event.event.name);
	if (n && (double)receipt->lost / n >= least)
		warn_of_lost(receipt, of, n);
	if (receipt->expected && (double)receipt->missed / receipt->expected >= least)
		fprintf(stderr, "probe: warning: %s%llu of %llu periods (%.1f%%) passed without a "
			"sample\nhint: %s; "
			"a %s misses fewer\n", of, receipt->missed, receipt->expected,
			100.0 * receipt->missed / receipt->expected,
			receipt->flags & RECEIPT_PERF ?
			"most of them ended in the kernel, which perf events of users do not show" :
			receipt->flags & RECEIPT_BPF ?
			"interrupts were off, or the host or another BPF program ran" :
			receipt_has_event(receipt) ? "events came faster than -rate allows" :
			receipt->flags & RECEIPT_NMI ? "the CPUs that send NMIs were delayed, or NMIs merged" :
			"'probe late' shows what delayed samples",
			receipt_has_event(receipt) && !(receipt->flags & RECEIPT_NMI) ? "larger -period" : "lower -rate");
	if (receipt->flags & RECEIPT_NMI)
		receipt_warn_nmi(&receipt->nmi, receipt->expected, least);
	else if (n && (double)receipt->deferred / receipt->taken >= least)
		fprintf(stderr, "probe: warning: %llu samples (%.1f%%) came over %s late%s\n"
			"hint: 'probe late' shows what kept interrupts off; -deferred %s\n",
			receipt->deferred, 100.0 * receipt->deferred / receipt->taken,
			text_ns(receipt->deferred_ns, bound),
			receipt->flags & RECEIPT_EXCLUDES ? " and were left out" : "",
			receipt->flags & RECEIPT_EXCLUDES ? "show includes them" :
							    "exclude omits them");
	if (receipt_has_event(receipt))
		receipt_warn_event(&receipt->event, receipt->taken);
	if (receipt->steal >= least && !receipt_has_event(receipt))
		fprintf(stderr, "probe: warning: the host took %.1f%% of the sampled CPUs' time\n"
			"hint: shares are of the time the guest had; measure on a quieter host\n",
			receipt->steal * 100);
}
