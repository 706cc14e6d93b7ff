# SPDX-License-Identifier: GPL-2.0-only
# events.awk SERIES.raw...: what a sample of an event costs, beside an overflow that is only counted and perf, from the
# lines of the part "events", as a table in Markdown; costs.awk goes before it. Fails above a limit.
#
# The kernel stops a processor's counters while it handles an overflow. So the number of overflows is that of the
# periods of the work alone, each cycle of which is an instruction.

function event_cost(part, tool, s) {
	return extra(part, tool, 9973, 1, s) * 1e9 / (plain(part, s) * 9973 / 1e9)
}

function row(part, tool, text, perf, limit, perf_limit,    i, s, x, to_counting, to_perf, line) {
	line = "| " text
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		x = event_cost(part, tool, s)
		to_counting = ratio(x, event_cost(part, "overflows", s))
		to_perf = ratio(x, event_cost(part, perf, s))
		line = line sprintf(" | %s | %s | %s", number(x, "%.0f"), to_counting, to_perf)
		if (x <= 0 || (limit && to_counting > limit) || (perf_limit && to_perf > perf_limit))
			failed = 1
	}
	print line " |"
}

END {
	if (failed)
		exit 1
	print "## Events\n"
	print "Samples of `cycles` with a period of 100,270 on an emulated arm64, whose counters are exact: 9,973 a second."
	print "The *counting overflow* is `tests/bench/counting`: the same counter with a handler that adds one, so that"
	print "nearly all of its cost is the kernel's. A period of the module is drawn at random, of the others fixed."
	line = "Kernels:"
	for (i = 1; i <= nr_series; i++)
		line = line (i > 1 ? ", " : " ") release[all_series[i]]
	print line ". `BENCH=events make bench` measures this alone, and fails when"
	print "`sys` or `proc` is above 1.1 times the counting overflow, or 0.6 times perf.\n"
	line = "| instructions per sample of an event"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / counting | / perf"
	print line " |"
	print rule(1 + 3 * nr_series)
	row("events", "overflows", "counting overflow", "perf-cycles")
	row("events", "sys-cycles", "**`probe sys -event cycles`**", "perf-cycles", 1.1, 0.6)
	row("events", "proc-cycles", "**`probe proc -event cycles`**", "perf-cycles", 1.1, 0.6)
	row("events", "perf-cycles", "`perf record -e cycles -c`", "perf-cycles")
	row("events-stack", "stacks-cycles", "**`probe flat -unwind fp -event cycles`**, 10 frames", "perf-cycles-g")
	row("events-stack", "perf-cycles-g", "`perf record -e cycles -c -g`", "perf-cycles-g")
	row("events", "empty", "empty timer, for comparison", "perf-cycles")
	row("events", "sys", "`probe sys`, samples of time", "perf-cycles")
	print ""
	exit failed
}
