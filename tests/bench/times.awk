# SPDX-License-Identifier: GPL-2.0-only
# The cost of a timed call, from the lines of the part "times": instructions, since each takes a
# nanosecond. Exits with 1 if a limit of docs/bench.md is passed.
$1 == "=" && $2 == "times" {
	if (!($3 in least) || $5 < least[$3]) least[$3] = $5
}

function cost(tool) { return (least[tool] - least["none"]) / 100000 }

function show(what, value, limit) {
	printf "%-6s %-46s %8.3f (at most %s)\n", series, what, value, limit
	if (!(value > 0 && value <= limit)) failed = 1
}

END {
	show("a timed call, instructions", cost("calls-each"), 600)
	show("a timed call / function_graph", cost("calls-each") / cost("function_graph"), 0.45)
	show("a call timed by path, instructions", cost("calls-paths"), 900)
	show("a call timed by process, instructions", cost("calls-processes"), 900)
	show("a timed system call / perf trace -s", cost("calls-syscalls") / cost("perf-trace"), 0.5)
	show("a timed system call / strace -c", cost("calls-syscalls") / cost("strace"), 0.1)
	exit failed
}
