# SPDX-License-Identifier: GPL-2.0-only
# agent.awk SERIES.raw...: what an agent costs on a CPU of the guest, from the lines of guest-agent.sh, as a table in
# Markdown. Instructions a second, each of which takes eight nanoseconds there, are shares of a CPU on which it takes one.
# Fails when the agent by the module takes more than 0.15%, or 32 MB.

$1 == "agent" {
	n = ++nr[series, $2, $3]
	seconds[series, $2, $3] += $4 / 1e9
	worked[series, $2, $3] += ($4 - $5) / 8e9
	process[series, $2, $3] += $6 / 8e9
}
$1 == "memory" { kb[series, $2] = $3 }

# Mean over the runs of a tool. The work is the same, so that the difference is what a tool adds.
function mean(sums, s, load, tool) { return sums[s, load, tool] / nr[s, load, tool] }

# Percent of a CPU: instructions of the machine beyond those without a tool.
function all_of(s, load, tool) {
	return 100 * (mean(worked, s, load, tool) - mean(worked, s, load, "none")) / mean(seconds, s, load, "none")
}

function process_of(s, load, tool) { return 100 * mean(process, s, load, tool) / mean(seconds, s, load, "none") }

function row(text, tool, is_agent,    i, s) {
	line = "| " text
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		if (!nr[s, "busy", tool]) {
			failed = 1
			continue
		}
		line = line sprintf(" | %.4f%% | %.4f%%", all_of(s, "idle", tool), all_of(s, "busy", tool))
		line = line (is_agent ? sprintf(" | %.4f%% | %.1f", process_of(s, "busy", tool), kb[s, tool] / 1024) : " | | ")
		if (tool == "agent" && !(all_of(s, "idle", tool) <= 0.15 && all_of(s, "busy", tool) <= 0.15 &&
		    kb[s, tool] && kb[s, tool] <= 32768))
			failed = 1
	}
	print line " |"
}

END {
	print "## An agent\n"
	print "`probe agent` at its default rate, which writes metrics and keeps its ring, on a CPU that is idle for ten minutes, and"
	print "on one that begins three programs a second for three minutes. A figure is what the whole machine executes beyond"
	print "the same without a profiler, in instructions a second, as a share of a CPU on which each takes a nanosecond; *process*"
	print "is the part of the agent\047s process when busy. With the module, idle CPUs sleep and are not sampled. The agent does not"
	print "push here, `perf record` begins a file each minute, and bpftrace counts stacks that it does not name."
	print "`BENCH=agent_guest make bench` measures this alone, and fails when the agent by the module takes more than 0.15%,"
	print "or 32 MB. fleet.md has the same on a loaded machine, with pushing.\n"
	title = "| an agent"
	rule = "| ---"
	for (i = 1; i <= nr_series; i++) {
		title = title " | " all_series[i] ": idle | busy | process | MiB"
		rule = rule " | ---: | ---: | ---: | ---:"
	}
	print title " |\n" rule " |"
	row("**`probe agent`**", "agent", 1)
	row("`probe agent -engine bpf`", "agent-bpf", 1)
	row("`perf record -F 19 -a -g` in a loop", "perf", 0)
	row("`bpftrace profile:hz:19 { @[kstack, ustack, comm] = count() }`", "bpftrace", 0)
	print ""
	exit failed
}
