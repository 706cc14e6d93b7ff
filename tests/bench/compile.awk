# SPDX-License-Identifier: GPL-2.0-only
# compile.awk -v ns=N SERIES.raw...: the fate of the samples of compiling machines, on which an
# instruction takes N nanoseconds, as a table in Markdown. Input lines are "compile KEY VALUE", see
# guest-compile.sh. Fails when a machine lost 0.1% of its samples, or when fewer than 97% of the user stacks are
# whole (95% with ns=1), and, unless ns=1, when the tool took more than 5% of the CPU or 128 MB.

$1 == "compile" { value[series, $2] = $3 }

# A value for each kernel; optionally relative to another key's value, and times a factor.
function row(text, key, format, of, factor,    i, x, line) {
	line = "| " text
	for (i = 1; i <= nr_series; i++) {
		x = value[all_series[i], key] / (of ? value[all_series[i], of] : 1)
		line = line " | " sprintf(format, factor ? x * factor : x)
	}
	print line " |"
}

END {
	seconds = value[all_series[1], "seconds"]
	if (ns == 1) {
		least = 0.95
		print "The same for " seconds " seconds at one nanosecond an instruction: processes live eight times shorter against"
		print "the tool, which compiles tables while they run. Fails when fewer than 95% reach the outermost frame.\n"
	} else {
		least = 0.97
		print "## A machine that compiles\n"
		print "`probe start -rate 1000` samples stacks of the whole machine while gcc compiles the tool's own"
		print "sources, two jobs at a time, again and again: " seconds " seconds of one CPU on which each instruction"
		print "takes eight nanoseconds. Programs of Debian have no frame pointers: user stacks come from call frame"
		print "information. `BENCH=compile make bench` measures this alone, and fails when 0.1% is lost, when fewer"
		print "than 97% of the user stacks reach the outermost frame, or when the tool takes 5% of the CPU or 128 MB.\n"
	}
	title = "| stacks of a compile"
	rule = "| ---"
	for (i = 1; i <= nr_series; i++) {
		title = title " | " all_series[i]
		rule = rule " | ---:"
	}
	print title " |\n" rule " |"
	row("files compiled", "files", "%d")
	row("processes begun", "processes", "%d")
	row("samples", "samples", "%d")
	row("**lost, %**", "lost", "%.4f", "samples", 100)
	row("distinct stacks", "stacks", "%d")
	row("user stacks", "user_samples", "%d")
	row("**reach the outermost frame, %**", "user_outermost", "%.2f", "user_samples", 100)
	row("end in code without a table, %", "user_no_table", "%.2f", "user_samples", 100)
	row("end in code whose table is not ready yet, %", "user_late", "%.2f", "user_samples", 100)
	row("end at a rule that is not supported, %", "user_unsupported", "%.2f", "user_samples", 100)
	row("end where the stack is not in memory, %", "user_unreadable", "%.2f", "user_samples", 100)
	row("too deep, %", "user_too_deep", "%.2f", "user_samples", 100)
	row("process not known yet, %", "user_unknown", "%.2f", "user_samples", 100)
	row("the kernel's unwinder gave up, %", "broken", "%.3f", "samples", 100)
	row("object of a frame unknown, its process gone, %", "unknown", "%.2f", "samples", 100)
	row("the module's memory, KB", "module_kb", "%d")
	row("the tool's CPU time, %", "tool_seconds", "%.2f", "seconds", 100)
	row("the tool resident, KB", "tool_kb", "%d")
	print ""
	for (i = 1; i <= nr_series; i++) {
		series = all_series[i]
		if (!value[series, "samples"] || !value[series, "files"] || value[series, "failures"] ||
		    value[series, "lost"] >= 0.001 * value[series, "samples"] ||
		    value[series, "user_outermost"] < least * value[series, "user_samples"] ||
		    ns != 1 && (value[series, "tool_seconds"] > 0.05 * seconds || value[series, "tool_kb"] > 131072))
			exit 1
	}
}
