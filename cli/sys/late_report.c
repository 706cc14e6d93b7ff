// SPDX-License-Identifier: GPL-2.0-only
/* Lateness by CPU and place: see late_report.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sys/late_report.h"

static struct late_cpu *get_late_cpu(struct late_report *report, u32 number)
{
	struct late_cpu *cpus;
	size_t i;

	for (i = 0; i < report->nr_cpus; i++)
		if (report->cpus[i].cpu == number)
			return &report->cpus[i];
	cpus = realloc(report->cpus, (report->nr_cpus + 1) * sizeof(*cpus));
	if (!cpus)
		return NULL;
	report->cpus = cpus;
	memset(&cpus[report->nr_cpus], 0, sizeof(*cpus));
	cpus[report->nr_cpus].cpu = number;
	return &cpus[report->nr_cpus++];
}

static void merge_place_counts(struct cpuprobe_place *into, const struct cpuprobe_place *place)
{
	into->hits += place->hits;
	into->missed += place->missed;
	into->off_ns += place->off_ns;
	into->late_ns += place->late_ns;
	if (place->late_max_ns > into->late_max_ns)
		into->late_max_ns = place->late_max_ns;
}

static void add_place(struct late_report *report, const struct cpuprobe_place *place)
{
	size_t i;

	for (i = 0; i < report->nr_places; i++) {
		struct cpuprobe_place *known = &report->places[i].counts;

		if (known->pc == place->pc && known->caller == place->caller) {
			merge_place_counts(known, place);
			return;
		}
	}
	if (array_has_room(&report->places, report->nr_places, sizeof(struct late_place)))
		report->places[report->nr_places++] = (struct late_place){ .counts = *place };
	else
		report->lost += place->hits;
}

/* 0 as @min_ns: no sample. */
static void extend_handler_range(struct late_cpu *cpu, u64 min_ns, u64 max_ns)
{
	if (min_ns && (!cpu->handler_min_ns || min_ns < cpu->handler_min_ns))
		cpu->handler_min_ns = min_ns;
	if (max_ns > cpu->handler_max_ns)
		cpu->handler_max_ns = max_ns;
}

/*
 * How many periods a sample counts for. A sample by NMI counts for its own and for a part of the missed ones: NMIs
 * merge, or their sender is late. The code on the sampled CPU has no influence on that, but CPUs miss different
 * numbers of them.
 */
static double weight_of_sample(const struct late_report *report, const struct cpuprobe_account *account)
{
	return report->is_by_nmi && account->taken ? 1 + (double)account->missed / account->taken : 1;
}

void late_report_add(void *context, u32 number, const struct cpuprobe_account *account,
		     const void *entries)
{
	const struct cpuprobe_lateness *lateness = entries;
	struct late_report *report = context;
	struct late_cpu *cpu = get_late_cpu(report, number);
	const double weight = weight_of_sample(report, account);
	u32 i, bin;

	report->lost += account->lost[0];
	report->irqs_off += account->irqs_off;
	report->off_ns += account->irqs_off * weight * account->period_ns;
	report->expected += report->is_by_nmi ? account->taken : account->expected;
	report->sampled_ns += (report->is_by_nmi ? account->taken * weight : account->expected) * account->period_ns;
	for (i = 0; i < account->entries; i++) {
		struct cpuprobe_place place = lateness->place[i];

		place.off_ns *= weight;
		add_place(report, &place);
	}
	if (!cpu)
		return;
	cpu->taken += account->taken;
	cpu->sampled_ns += account->expected * account->period_ns;
	cpu->late_ns += account->late_ns;
	if (account->late_max_ns > cpu->late_max_ns)
		cpu->late_max_ns = account->late_max_ns;
	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++) {
		cpu->hits[0][bin] += lateness->hits[0][bin];
		cpu->hits[1][bin] += lateness->hits[1][bin];
		cpu->handler_hits[bin] += lateness->handler_hits[bin];
	}
	cpu->handler_ns += lateness->handler_ns;
	cpu->handler_ns2 += lateness->handler_ns2;
	extend_handler_range(cpu, lateness->handler_min_ns, lateness->handler_max_ns);
}

void late_report_sum(const struct late_report *report, struct late_cpu *sum_ret)
{
	size_t i;
	u32 bin;

	*sum_ret = (struct late_cpu){ .cpu = LATE_ALL_CPUS };
	for (i = 0; i < report->nr_cpus; i++) {
		const struct late_cpu *cpu = &report->cpus[i];

		sum_ret->taken += cpu->taken;
		sum_ret->sampled_ns += cpu->sampled_ns;
		sum_ret->handler_ns += cpu->handler_ns;
		sum_ret->handler_ns2 += cpu->handler_ns2;
		extend_handler_range(sum_ret, cpu->handler_min_ns, cpu->handler_max_ns);
		for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
			sum_ret->handler_hits[bin] += cpu->handler_hits[bin];
	}
}

double late_handler_mean(const struct late_cpu *cpu)
{
	return cpu->taken ? cpu->handler_ns / cpu->taken : NAN;
}

double late_handler_sd(const struct late_cpu *cpu)
{
	double mean = late_handler_mean(cpu);

	/* Rounding can make the variance of equal times negative. */
	return cpu->taken ? sqrt(fmax(cpu->handler_ns2 / cpu->taken - mean * mean, 0)) : NAN;
}

static void name_address(const struct sym_index *symbols, u64 addr, char *name, size_t len)
{
	const struct sym *sym = symbols ? sym_index_find(symbols, addr) : NULL;

	if (sym)
		sym_name(sym, name, len);
	else
		snprintf(name, len, "0x%llx", addr);
	text_clean(name);
}

static void name_place(struct late_place *place, const struct sym_index *symbols)
{
	const struct cpuprobe_place *counts = &place->counts;

	if (!counts->pc) {
		snprintf(place->landed, sizeof(place->landed), "(user code)");
		return;
	}
	name_address(symbols, counts->pc, place->landed, sizeof(place->landed));
	/* A return address may be the first address of the next function. */
	if (counts->caller != counts->pc)
		name_address(symbols, counts->caller - 1, place->caller, sizeof(place->caller));
}

static int compare_off_times(const void *a, const void *b)
{
	const struct late_place *x = a, *y = b;
	u64 ox = x->counts.off_ns, oy = y->counts.off_ns;

	return (ox < oy) - (ox > oy) ?: strcmp(x->landed, y->landed) ?:
		strcmp(x->caller, y->caller);
}

void late_report_name(struct late_report *report, const struct sym_index *symbols)
{
	size_t i, j, nr = 0;

	for (i = 0; i < report->nr_places; i++) {
		struct late_place place = report->places[i];

		name_place(&place, symbols);
		for (j = 0; j < nr; j++)
			if (!strcmp(report->places[j].landed, place.landed) &&
			    !strcmp(report->places[j].caller, place.caller))
				break;
		if (j < nr)
			merge_place_counts(&report->places[j].counts, &place.counts);
		else
			report->places[nr++] = place;
	}
	report->nr_places = nr;
	if (nr)
		qsort(report->places, nr, sizeof(*report->places), compare_off_times);
}

static const char *get_owner(const struct late_place *place)
{
	return place->caller[0] ? place->caller : place->landed;
}

void late_report_compare(struct late_report *report, const struct late_report *inferred)
{
	size_t i, j;

	report->inferred = inferred;
	for (i = 0; i < report->nr_places; i++) {
		struct late_place *place = &report->places[i];

		place->inferred_ns = 0;
		for (j = 0; j < inferred->nr_places; j++)
			if (!strcmp(get_owner(&inferred->places[j]), place->landed))
				place->inferred_ns += inferred->places[j].counts.off_ns;
	}
}

u64 late_report_off_ns(const struct late_report *report)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < report->nr_places; i++)
		sum += report->places[i].counts.off_ns;
	return sum;
}

void late_report_clear(struct late_report *report)
{
	free(report->cpus);
	free(report->places);
	memset(report, 0, sizeof(*report));
}
