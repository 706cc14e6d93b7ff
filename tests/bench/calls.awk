# SPDX-License-Identifier: GPL-2.0-only
# calls.awk SERIES.raw...: the cost of counted, timed and followed calls, from the lines of the parts "calls",
# "times" and "trace", as a table in Markdown. Costs are instructions, since each takes a nanosecond. Fails when a limit
# is passed, or when a counter of another tool disagrees. -v without_limits=1: on a processor that has other limits.

$1 == "=" && ($2 == "calls" || $2 == "times" || $2 == "trace" || $2 == "switch") {
	part = $2
	n = ++nr_runs[part, $3, series]
	ns[part, $3, series, n] = $5
	calls[part, $3, series] = $7
	has[part] = 1
}
$1 == "hooks" { hook_s[series] = $2; unhook_s[series] = $3 }

# The median of three runs.
function median(part, tool, s,    a, b, c) {
	a = ns[part, tool, s, 1]; b = ns[part, tool, s, 2]; c = ns[part, tool, s, 3]
	return a > b ? (b > c ? b : (a > c ? c : a)) : (a > c ? a : (b > c ? c : b))
}

function cost(part, tool, s) {
	return (median(part, tool, s) - median(part, "none", s)) / calls[part, tool, s]
}

# A function's tracer does not count: the program's calls are known.
function traced(part, tool, s) {
	calls[part, tool, s] = part == "calls" ? 300000 : 100000
	return cost(part, tool, s)
}

function begin_row(text) { line = "| " text }

function cell(x, format, limit) {
	line = line " | " sprintf(format, x)
	if (limit && !without_limits && !(x > 0 && x <= limit))
		failed = 1
}

function end_row(limit) { print line " | " limit " |" }

# As cell(), with a limit for each series.
function cost_of_each(text, part, tool, limits,    i, limit) {
	begin_row(text)
	split(limits, limit)
	for (i = 1; i <= nr_series; i++)
		cell(cost(part, tool, all_series[i]), "%.1f", all_series[i] ~ /^6\.1$/ ? limit[1] : limit[2])
	end_row(limits)
}

# A row of costs; other tools have no limit.
function costs(text, part, tool, limit,    i) {
	begin_row(text)
	for (i = 1; i <= nr_series; i++)
		cell(limit ? cost(part, tool, all_series[i]) : traced(part, tool, all_series[i]), "%.1f", limit)
	end_row(limit)
}

function ratios(text, part, tool, other, limit,    i, s) {
	begin_row(text)
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		cell(cost(part, tool, s) / traced(part, other, s), "%.3f", limit)
	}
	end_row(limit)
}

function seconds(text, value, limit,    i) {
	begin_row(text)
	for (i = 1; i <= nr_series; i++)
		cell(value[all_series[i]], "%.2f", limit)
	end_row(limit)
}

function begin_table(what,    i) {
	title = "| " what
	rule = "| ---"
	for (i = 1; i <= nr_series; i++) {
		title = title " | " all_series[i]
		rule = rule " | ---:"
	}
	print title " | limit |\n" rule " | ---: |"
}

# bpftrace counts the program's calls too.
function compare_counts(part, tool,    i, s) {
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		if (calls[part, tool, s] == calls[part, "bpf-" part, s])
			continue
		print "calls.awk: " s ": " tool " has " calls[part, tool, s] " calls, bpftrace " \
			calls[part, "bpf-" part, s] >"/dev/stderr"
		failed = 1
	}
}

function counted() {
	compare_counts("calls", "calls-one")
	print "`probe calls` counts calls of getppid(), and then of all functions of the kernel; other tools count or"
	print "trace getppid() alone. A counted call knows its caller and context. Hooking and unhooking are of all"
	print "functions. `BENCH=calls make bench` measures this alone.\n"
	begin_table("a counted call, instructions")
	costs("**one function**", "calls", "calls-one", 66)
	costs("**all functions**", "calls", "calls-all", 80)
	costs("function tracer", "calls", "function")
	costs("function_graph", "calls", "function_graph")
	costs("bpftrace, count() of a kprobe", "calls", "bpf-calls")
	ratios("one function / function tracer", "calls", "calls-one", "function", 0.125)
	ratios("one function / function_graph", "calls", "calls-one", "function_graph", 0.05)
	ratios("one function / bpftrace", "calls", "calls-one", "bpf-calls", 0.15)
	seconds("all functions hooked, s", hook_s, 2)
	seconds("all functions unhooked, s", unhook_s, 2)
	print ""
}

function timed() {
	compare_counts("times", "calls-each")
	print "With `-each`, `-paths` and `-syscalls` each call is timed. bpftrace keeps a histogram of the times"
	print "between a kprobe and a kretprobe. `BENCH=times make bench` measures this alone.\n"
	begin_table("a timed call, instructions")
	costs("**-each**", "times", "calls-each", 600)
	costs("**-paths**", "times", "calls-paths", 900)
	costs("**-each -processes**", "times", "calls-processes", 900)
	costs("**-syscalls -processes**", "times", "calls-syscalls", 600)
	costs("function_graph", "times", "function_graph")
	costs("bpftrace, hist() of times", "times", "bpf-times")
	costs("perf trace -s", "times", "perf-trace")
	costs("strace -c", "times", "strace")
	ratios("-each / function_graph", "times", "calls-each", "function_graph", 0.45)
	ratios("-each / bpftrace", "times", "calls-each", "bpf-times", 0.5)
	ratios("-syscalls / perf trace -s", "times", "calls-syscalls", "perf-trace", 0.5)
	ratios("-syscalls / strace -c", "times", "calls-syscalls", "strace", 0.1)
	print ""
}

function followed() {
	print "A trace records the beginning and the end of each call of getppid(), and each switch between two tasks"
	print "that answer each other through pipes. `BENCH=trace make bench` measures this alone.\n"
	begin_table("an event recorded, instructions")
	cost_of_each("**entry and exit of a call**", "trace", "trace", "660 710")
	cost_of_each("**a context switch**", "switch", "trace-switch", "150 150")
	costs("function_graph", "trace", "function_graph")
	ratios("entry and exit / function_graph", "trace", "trace", "function_graph", 0.5)
	print ""
}

END {
	print "## Calls\n"
	if (has["calls"])
		counted()
	if (has["times"])
		timed()
	if (has["trace"])
		followed()
	exit failed
}
