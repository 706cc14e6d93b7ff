// SPDX-License-Identifier: GPL-2.0-only
/* NMIs in the receipt: see receipt_nmi.h. */
#include "run/receipt_nmi.h"

void receipt_add_nmi(struct receipt_nmi *nmi, const struct cpuprobe_account *account)
{
	nmi->irqs_off += account->irqs_off;
	nmi->merged += account->merged;
	nmi->foreign += account->foreign;
}

void receipt_join_nmi(struct receipt_nmi *sum, const struct receipt_nmi *more)
{
	sum->irqs_off += more->irqs_off;
	sum->merged += more->merged;
	sum->foreign += more->foreign;
}

void receipt_describe_nmi(const struct receipt_nmi *nmi, char *text, size_t len)
{
	snprintf(text, len, "%llu with interrupts off, %llu NMI%s merged, %llu unknown", nmi->irqs_off,
		 nmi->merged, nmi->merged == 1 ? "" : "s", nmi->foreign);
}

void receipt_json_nmi(FILE *out, const struct receipt_nmi *nmi)
{
	fprintf(out, ",\n    \"nmi\": { \"interrupts_off\": %llu, \"merged\": %llu, \"unknown\": %llu, "
		"\"cpus_alone\": %u }", nmi->irqs_off, nmi->merged, nmi->foreign, nmi->nr_alone);
}

void receipt_warn_nmi(const struct receipt_nmi *nmi, u64 expected, double least)
{
	if (expected && (double)nmi->merged / expected >= least)
		fprintf(stderr, "probe: warning: %llu NMIs (%.1f%%) merged with others, and took no sample\n"
			"hint: a lower -rate, fewer runs with -nmi at a time, or -unwind fp or none, merges "
			"fewer\n", nmi->merged, 100.0 * nmi->merged / expected);
	if (nmi->foreign)
		fprintf(stderr, "probe: warning: %llu NMI%s came that nobody knew: late ones of this run, or hardware "
			"reported an error\nhint: if they come without -nmi too, the kernel's log says so "
			"(Uhhuh); see mcelog or rasdaemon\n", nmi->foreign, nmi->foreign == 1 ? "" : "s");
	if (nmi->nr_alone)
		fprintf(stderr, "probe: warning: %u CPU%s had no other CPU to send NMIs for a part of the run\n"
			"hint: it was not sampled then; keep two of the sampled CPUs online\n", nmi->nr_alone,
			nmi->nr_alone == 1 ? "" : "s");
}
