# SPDX-License-Identifier: GPL-2.0-only
# engines.awk SERIES.raw...: what a sample costs by BPF, beside the module, perf and bpftrace, from the lines of the
# part "engines", as a table in Markdown; costs.awk goes before it. Fails above a limit.

function row(part, tool, text, baseline, other, limit, share, other_share,    i, s, x, to_perf, to_other, line) {
	line = "| " text
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		x = cost(part, tool, 9973, 1, s)
		to_perf = ratio(x, cost(part, baseline, 9973, 1, s))
		to_other = other ? ratio(x, cost(part, other, 9973, 1, s)) : "–"
		line = line sprintf(" | %s | %s | %s", number(x, "%.0f"), to_perf, to_other)
		if (limit && (x < 0 || x > limit || to_perf > share || (other && to_other > other_share)))
			failed = 1
	}
	print line " |"
}

# The cost of drawing periods again, at 997 Hz, in percent of a CPU.
function draws(s) {
	return 100 * (extra("engines-1k", "sys-bpf", 997, 0, s) - extra("engines-1k", "sys-bpf-fixed", 997, 0, s)) / \
		(elapsed[s, "engines-1k", "sys-bpf", 997, 1] / 1e9)
}

END {
	if (failed)
		exit 1
	print "## Where no module may be loaded\n"
	print "The same samples by BPF programs (`-engine bpf`), whose clock is a comb of eight cpu-clock events. *Other* is"
	print "bpftrace by the same key. `BENCH=engines make bench` measures this alone, and fails above 1,600 (`sys`),"
	print "1,450 (`proc`) and 2,750 (`flat`) instructions, above 0.75 and 0.86 times perf, or 0.86 times bpftrace.\n"
	line = "| instructions per sample at 9973 Hz"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / perf | / other"
	print line " |"
	print rule(1 + 3 * nr_series)
	row("engines", "sys", "`probe sys`, by the module", "perf", "bpf-comm")
	row("engines", "sys-bpf", "**`probe sys -engine bpf`**", "perf", "bpf-comm", 1600, 0.75, 0.86)
	row("engines", "proc", "`probe proc`, by the module", "perf")
	row("engines", "proc-bpf", "**`probe proc -engine bpf`**", "perf", "", 1450, 0.75)
	row("engines", "perf", "`perf record -e cpu-clock -F`", "perf", "bpf-comm")
	row("engines", "bpf-comm", "`bpftrace profile:hz { @[comm] = count() }`", "perf", "bpf-comm")
	row("engines-stack", "stacks-fp", "`probe flat -unwind fp`, 10 frames, by the module", "perf-g", "bpf-ustack")
	row("engines-stack", "stacks-bpf", "**`probe flat -engine bpf`**, 10 frames", "perf-g", "bpf-ustack", 2750, 0.86, 1)
	row("engines-stack", "perf-g", "`perf record -e cpu-clock -F -g`", "perf-g", "bpf-ustack")
	row("engines-stack", "bpf-ustack", "`bpftrace profile:hz { @[ustack] = count() }`", "perf-g", "bpf-ustack")
	print ""
	line = "| `probe sys -engine bpf`"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i]
	print line " | limit |"
	print rule(2 + nr_series)
	line = "| drawing periods again, % of the CPU"
	for (i = 1; i <= nr_series; i++) {
		line = line sprintf(" | %.4f", draws(all_series[i]))
		failed = failed || draws(all_series[i]) > 0.02
	}
	print line " | 0.02 |"
	line = "| the tool resident, KB"
	for (i = 1; i <= nr_series; i++) {
		line = line " | " resident[all_series[i], "engines", "sys-bpf"]
		failed = failed || resident[all_series[i], "engines", "sys-bpf"] > 8192
	}
	print line " | 8192 |"
	line = "| maps in the kernel per CPU, KB"
	for (i = 1; i <= nr_series; i++) {
		line = line sprintf(" | %.0f", kernel_kb[all_series[i], "engines", "sys-bpf"])
		failed = failed || kernel_kb[all_series[i], "engines", "sys-bpf"] > 64
	}
	print line " | 64 |\n"
	exit failed
}
