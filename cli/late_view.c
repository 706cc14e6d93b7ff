// SPDX-License-Identifier: GPL-2.0-only
/* The report of lateness: see late_view.h. */
#include <math.h>
#include <string.h>

#include "late_view.h"
#include "stat.h"
#include "text.h"

#define BAR_COLS	40
#define TIME_COLS	9

/* "12.3 us": three digits and a unit. */
static const char *time_text(double ns, char text[16])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int u = 0;

	while (u < 3 && ns >= 999.5) {
		ns /= 1000;
		u++;
	}
	snprintf(text, 16, "%.3g %s", ns, units[u]);
	return text;
}

static uint64_t total(const uint64_t hits[CPUPROBE_LATE_BINS])
{
	uint64_t sum = 0;
	int bin;

	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		sum += hits[bin];
	return sum;
}

static void render_bins(FILE *out, const struct late_cpu *cpu)
{
	uint64_t most = 1;
	char below[16];
	int bin, last = 0, first = CPUPROBE_LATE_BINS - 1, stars;

	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++) {
		if (!cpu->hits[0][bin] && !cpu->hits[1][bin])
			continue;
		first = bin < first ? bin : first;
		last = bin;
		most = cpu->hits[0][bin] > most ? cpu->hits[0][bin] : most;
	}
	fprintf(out, "\n%*s  %8s  %8s\n=========  ========  ========\n", TIME_COLS, "Late by <", "At work",
		"Idle");
	for (bin = first; bin <= last; bin++) {
		fprintf(out, "%*s  %8llu  %8llu", TIME_COLS,
			bin ? time_text(ldexp(1, bin), below) : "in time",
			(unsigned long long)cpu->hits[0][bin], (unsigned long long)cpu->hits[1][bin]);
		stars = llround((double)cpu->hits[0][bin] / most * BAR_COLS);
		fprintf(out, "%s%.*s\n", stars ? "  " : "", stars,
			"****************************************");
	}
	fputc('\n', out);
}

static void render_cpu(FILE *out, const struct late_cpu *cpu, int cols)
{
	double n = cpu->taken, mean = cpu->handler_ns / n;
	double variance = cpu->handler_ns2 / n - mean * mean;
	uint64_t work = total(cpu->hits[0]);
	char late[16], late_max[16], handler[16], spread[16], least[16], most[16], line[512];

	snprintf(line, sizeof(line), "CPU %u: %llu samples, %llu of them woke it from idle. At work late by "
		 "%s on average, %s at most. Handler: %s (s.d. %s, %s to %s).", cpu->cpu,
		 (unsigned long long)cpu->taken, (unsigned long long)total(cpu->hits[1]),
		 time_text(work ? (double)cpu->late_ns / work : 0, late),
		 time_text(cpu->late_max_ns, late_max), time_text(mean, handler),
		 time_text(sqrt(fmax(variance, 0)), spread), time_text(cpu->handler_min_ns, least),
		 time_text(cpu->handler_max_ns, most));
	text_wrap(out, line, cols);
	render_bins(out, cpu);
}

/* Of the time sampled, that in which samples were kept waiting there. */
static double share(const struct late_report *report, const struct late_place *place)
{
	return report->sampled_ns ? (double)place->counts.off_ns / report->sampled_ns : 0;
}

static struct stat_interval share_of(const struct late_report *report,
				     const struct late_place *place)
{
	return stat_wilson_share(share(report, place), report->expected);
}

static void render_place(FILE *out, const struct late_report *report,
			 const struct late_place *place, int cols)
{
	struct stat_interval interval = share_of(report, place);
	double part = share(report, place);
	char mean[16], most[16], name[256];

	snprintf(name, sizeof(name), "%s%s%s", place->landed, place->caller[0] ? " < " : "",
		 place->caller);
	text_cut(name, cols > 60 ? cols - 46 : 14);
	fprintf(out, "%7llu  %6.2f  %5.2f  %8s  %8s  %s\n", (unsigned long long)place->counts.hits,
		part * 100, fmax(interval.hi - part, part - interval.lo) * 100,
		time_text((double)place->counts.late_ns / place->counts.hits, mean),
		time_text(place->counts.late_max_ns, most), name);
}

static void render_text(FILE *out, const struct late_report *report,
			const struct receipt *receipt, int cols)
{
	size_t i;

	for (i = 0; i < report->nr_cpus; i++)
		if (report->cpus[i].taken)
			render_cpu(out, &report->cpus[i], cols);
	if (report->nr_places) {
		fprintf(out, "Where interrupts were let in again after more than %u us\n\n"
			"Samples   Share     +-      Mean       Max  Landed in < called from\n"
			"=======  ======  =====  ========  ========  =======================\n",
			receipt->deferred_ns / 1000);
		for (i = 0; i < report->nr_places; i++)
			render_place(out, report, &report->places[i], cols);
	} else {
		fprintf(out, "No sample came more than %u us late.\n", receipt->deferred_ns / 1000);
	}
	if (report->lost)
		fprintf(out, "(%llu late samples found no room in the table of places)\n",
			(unsigned long long)report->lost);
	fputc('\n', out);
	receipt_print(out, receipt, cols);
}

static void render_tsv(FILE *out, const struct late_report *report)
{
	size_t i;

	fputs("landed\tcaller\tsamples\tmissed\tshare\tlo\thi\tmean_ns\tmax_ns\n", out);
	for (i = 0; i < report->nr_places; i++) {
		const struct late_place *place = &report->places[i];
		struct stat_interval interval = share_of(report, place);

		fprintf(out, "%s\t%s\t%llu\t%llu\t%.4f\t%.4f\t%.4f\t%.0f\t%llu\n", place->landed,
			place->caller, (unsigned long long)place->counts.hits,
			(unsigned long long)place->counts.missed, share(report, place) * 100,
			interval.lo * 100, interval.hi * 100,
			(double)place->counts.late_ns / place->counts.hits,
			(unsigned long long)place->counts.late_max_ns);
	}
}

static void render_json_bins(FILE *out, const char *key, const uint64_t *hits)
{
	int bin;

	fprintf(out, ", \"%s\": [", key);
	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		fprintf(out, "%s%llu", bin ? ", " : "", (unsigned long long)hits[bin]);
	fputc(']', out);
}

static void render_json(FILE *out, const struct late_report *report,
			const struct receipt *receipt)
{
	size_t i;

	fprintf(out, "{\n  \"report\": \"late\",\n  \"samples\": %llu,\n  \"lost\": %llu,\n"
		"  \"cpus\": [", (unsigned long long)receipt->taken, (unsigned long long)report->lost);
	for (i = 0; i < report->nr_cpus; i++) {
		const struct late_cpu *cpu = &report->cpus[i];
		double n = cpu->taken ? cpu->taken : 1, mean = cpu->handler_ns / n;

		fprintf(out, "%s\n    {\"cpu\": %u, \"samples\": %llu, \"late_ns\": %llu, "
			"\"late_max_ns\": %llu, \"handler_mean_ns\": %.1f, \"handler_sd_ns\": %.1f, "
			"\"handler_min_ns\": %llu, \"handler_max_ns\": %llu", i ? "," : "", cpu->cpu,
			(unsigned long long)cpu->taken, (unsigned long long)cpu->late_ns,
			(unsigned long long)cpu->late_max_ns, mean,
			sqrt(fmax(cpu->handler_ns2 / n - mean * mean, 0)),
			(unsigned long long)cpu->handler_min_ns,
			(unsigned long long)cpu->handler_max_ns);
		render_json_bins(out, "work", cpu->hits[0]);
		render_json_bins(out, "idle", cpu->hits[1]);
		fputc('}', out);
	}
	fputs("\n  ],\n  \"rows\": [", out);
	for (i = 0; i < report->nr_places; i++) {
		const struct late_place *place = &report->places[i];
		struct stat_interval interval = share_of(report, place);

		fprintf(out, "%s\n    {\"landed\": ", i ? "," : "");
		text_json(out, place->landed);
		fputs(", \"caller\": ", out);
		text_json(out, place->caller);
		fprintf(out, ", \"samples\": %llu, \"missed\": %llu, \"share\": %.4f, \"lo\": %.4f, "
			"\"hi\": %.4f, \"mean_ns\": %.0f, \"max_ns\": %llu}",
			(unsigned long long)place->counts.hits,
			(unsigned long long)place->counts.missed, share(report, place) * 100,
			interval.lo * 100, interval.hi * 100,
			(double)place->counts.late_ns / place->counts.hits,
			(unsigned long long)place->counts.late_max_ns);
	}
	fputs("\n  ],\n", out);
	receipt_json(out, receipt);
	fputs("\n}\n", out);
}

void late_view_show(FILE *out, const struct late_report *report, const struct receipt *receipt,
		    const struct output_options *options)
{
	if (options->format == FORMAT_JSON)
		render_json(out, report, receipt);
	else if (options->format == FORMAT_TSV)
		render_tsv(out, report);
	else
		render_text(out, report, receipt, output_cols(options));
}
