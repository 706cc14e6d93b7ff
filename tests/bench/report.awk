# SPDX-License-Identifier: GPL-2.0-only
# report.awk SERIES.raw... host.txt...: the tables of the bench, as Markdown; costs.awk goes before it.
# With -v svg=FILE also the drawing of overhead against rate; -v commits=TEXT says which sources were measured.
# -v only=sample and -v only=stacks print one table; the second has limits, unless -v without_limits=1.

BEGIN {
	split("empty-bare empty sys proc proc-narrow perf perf-g bpf-comm bpf-ustack", tools)
	label["empty-bare"] = "timer that only adds its period"
	label["empty"] = "**empty timer**"
	label["sys"] = "**`probe sys`**"
	label["proc"] = "**`probe proc`**"
	label["proc-narrow"] = "`probe proc`, one function"
	label["perf"] = "`perf record -e cpu-clock -F`"
	label["perf-g"] = "`perf record -e cpu-clock -F -g`"
	label["bpf-comm"] = "`bpftrace profile:hz { @[comm] = count() }`"
	label["bpf-ustack"] = "`bpftrace profile:hz { @[ustack] = count() }`"
	work["slow-gzip"] = "gzip of 20 MB"
	work["slow-tar"] = "tar of a source tree"
	work["slow-net"] = "stream through the loopback"
}

$1 == "module" { module_kb = $2 }
$1 == "handler" { handler = $2 }
$1 == "symbols" { symbols[++nr_symbols] = $0 }
$1 == "graph" { graphs[++nr_graphs] = $0 }
$1 == "native" { natives[++nr_natives] = $0 }
$1 == "traced" { traces[++nr_traces] = $0 }
$1 == "unwind" { unwinds[++nr_unwinds] = $0 }

function sample_table(rate,    t, i, s, line, x, columns) {
	line = "| instructions per sample at " rate " Hz"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / empty | / perf -F | with tool"
	print line " |"
	print rule(1 + 4 * nr_series)
	for (t = 1; t in tools; t++) {
		line = "| " label[tools[t]]
		for (i = 1; i <= nr_series; i++) {
			s = all_series[i]
			x = cost("sample", tools[t], rate, 1, s)
			line = line sprintf(" | %s | %s | %s | %s", number(x, "%.0f"),
				ratio(x, cost("sample", "empty", rate, 1, s)),
				ratio(x, cost("sample", "perf", rate, 1, s)),
				number(cost("sample", tools[t], rate, 0, s), "%.0f"))
		}
		print line " |"
	}
	print ""
}

function rates_table(s,    t, r, line, part, rate) {
	split("sample-1k sample-1k sample sample sample sample", part)
	split("997 1000 3989 4000 9973 10000", rate)
	line = "| kernel " s ", instructions per sample at"
	for (r = 1; r <= 6; r++)
		line = line " | " rate[r] " Hz"
	print line " | 997 Hz, with tool |"
	print rule(8)
	for (t = 1; t in tools; t++) {
		line = "| " label[tools[t]]
		for (r = 1; r <= 6; r++)
			line = line " | " number(cost(part[r], tools[t], rate[r], 1, s), "%.0f")
		print line " | " number(cost("sample-1k", tools[t], 997, 0, s), "%.0f") " |"
	}
	print ""
}

# The tools that the module's stacks are compared with, in the last two columns.
function other_of(part) {
	return part == "stack-user" ? "bpf-ustack" : part == "stack-frameless" ? "perf-dwarf" : "bpf-kstack"
}

function stacks_line(part, tool, text,    i, s, line, x) {
	line = "| " text
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		x = cost(part, tool, 9973, 1, s)
		line = line sprintf(" | %s | %s | %s", number(x, "%.0f"),
			ratio(x, cost(part, "perf-g", 9973, 1, s)),
			ratio(x, cost(part, other_of(part), 9973, 1, s)))
	}
	print line " |"
}

function stacks_table(    i, line) {
	line = "| stacks, instructions per sample at 9973 Hz"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / perf -g | / last of three"
	print line " |"
	print rule(1 + 3 * nr_series)
	stacks_line("stack-user", "stacks-fp", "**`probe flat -unwind fp`**, 10 frames of a program")
	stacks_line("stack-user", "stacks", "**`probe flat`**, by tables")
	stacks_line("stack-user", "perf-g", label["perf-g"])
	stacks_line("stack-user", "bpf-ustack", label["bpf-ustack"])
	stacks_line("stack-frameless", "stacks", "**`probe flat`**, the same without frame pointers")
	stacks_line("stack-frameless", "perf-g", label["perf-g"] ", which finds one frame")
	stacks_line("stack-frameless", "perf-dwarf", "`perf record -e cpu-clock -F --call-graph dwarf`")
	stacks_line("stack-kernel", "stacks", "**`probe flat`**, 20 frames in the kernel")
	stacks_line("stack-kernel", "perf-g", label["perf-g"])
	stacks_line("stack-kernel", "bpf-kstack", "`bpftrace profile:hz { @[kstack] = count() }`")
	print ""
}

# Fails when stacks cost more than they may.
function judge_stacks(    i, s, x) {
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		if (cost("stack-user", "stacks-fp", 9973, 1, s) > 0.54 * cost("stack-user", "perf-g", 9973, 1, s))
			exit 1
		x = cost("stack-frameless", "stacks", 9973, 1, s)
		if (x > 2700 || x > 0.20 * cost("stack-frameless", "perf-dwarf", 9973, 0, s) ||
		    x > 0.85 * cost("stack-frameless", "perf-g", 9973, 1, s))
			exit 1
	}
}

function situation(part, rate, text,    i, s, line, x, perf) {
	line = "| " text ", " rate " Hz"
	for (i = 1; i <= nr_series; i++) {
		s = all_series[i]
		x = cost(part, "sys", rate, 1, s)
		# On an idle CPU perf takes only some of its samples.
		perf = part == "idle" ? -1 : cost(part, "perf", rate, 1, s)
		line = line sprintf(" | %s | %s | %s", number(x, "%.0f"),
			ratio(x, cost(part, "empty", rate, 1, s)), ratio(x, perf))
	}
	print line " |"
}

function situations_table(    i, line) {
	line = "| `probe sys`, instructions per sample"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / empty | / perf -F"
	print line " |"
	print rule(1 + 3 * nr_series)
	situation("busy-1", 9973, "1 process")
	situation("busy-40", 9973, "40 processes")
	situation("create", 9973, "another process at each sample, of 120")
	situation("call", 9973, "in kernel mode")
	situation("idle", 997, "on idle")
	situation("idle", 9973, "on idle")
	print ""
}

function sessions_table(    i, n, s, line, one, tool, count) {
	line = "| sessions of `probe sys` at 9973 Hz, instructions per period"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] " | / one"
	print line " |"
	print rule(1 + 2 * nr_series)
	split("sys sys-2 sys-4", tool)
	split("1 2 4", count)
	for (n = 1; n <= 3; n++) {
		line = "| " count[n]
		for (i = 1; i <= nr_series; i++) {
			s = all_series[i]
			one = cost("sessions", "sys", 9973, 1, s)
			line = line sprintf(" | %s | %s", number(cost("sessions", tool[n], 9973, 1, s), "%.0f"),
				ratio(cost("sessions", tool[n], 9973, 1, s), one))
		}
		print line " |"
	}
	print ""
}

function memory_table(    i, t, s, line, key) {
	line = "| memory, 9973 Hz"
	for (i = 1; i <= nr_series; i++)
		line = line " | " all_series[i] ": resident KB | rings and maps KB | bytes per sample on disk"
	print line " |"
	print rule(1 + 3 * nr_series)
	for (t = 3; t in tools; t++) {
		line = "| " label[tools[t]]
		for (i = 1; i <= nr_series; i++) {
			s = all_series[i]
			key = s SUBSEP "sample" SUBSEP tools[t] SUBSEP 9973
			line = line sprintf(" | %d | %d | %.0f", resident[s, "sample", tools[t]],
				kernel_kb[s, "sample", tools[t]],
				bytes[key] / (elapsed[key, 1] / 1e9 * 9973))
		}
		print line " |"
	}
	print ""
}

function slowdown(part, tool, rate, s,    x) {
	x = extra(part, tool, rate, 0, s)
	return x * 1e9 / plain(part, s) * 100
}

function slowdown_table(s,    part, r, line, i, parts) {
	split("slow-gzip slow-tar slow-net", parts)
	line = "| kernel " s ", slowdown in % at"
	for (r = 1; r <= nr_rates["slow-gzip"]; r++)
		line = line " | " rates["slow-gzip", r] " Hz"
	print line " |"
	print rule(1 + nr_rates["slow-gzip"])
	for (i = 1; i <= 3; i++) {
		part = parts[i]
		slowdown_line(part, "sys", "`probe sys`", s)
		slowdown_line(part, "perf", "`perf record -F`", s)
	}
	print ""
}

function slowdown_line(part, tool, name, s,    r, line) {
	line = "| " work[part] ", " name
	for (r = 1; r <= nr_rates[part]; r++)
		line = line " | " sprintf("%.2f", slowdown(part, tool, rates[part, r], s))
	print line " |"
}

function symbols_section(    i, f) {
	print "## Symbols\n"
	print "Reading all symbols of code and sorting them by address; `nm -n` (`-D` where there is no"
	print "`.symtab`) writes to /dev/null. User and system time of whole processes, which take turns; median"
	print "of 9. The file is read once beforehand. `BENCH=symbols make bench` measures this alone, and fails"
	print "above 0.6 times nm.\n"
	print "| symbols of a large file | MB | `probe` ms | KB resident | `nm -n` ms | KB resident | / nm |"
	print rule(7)
	for (i = 1; i <= nr_symbols; i++) {
		split(symbols[i], f, " ")
		printf "| %s | %s | %.1f | %d | %.1f | %d | %.2f |\n", f[2], f[3], f[4], f[5], f[6],
			f[7], f[4] / f[6]
	}
	print ""
}

function unwind_section(    i, f) {
	print "## Tables of call frame information\n"
	print "Compiling `.eh_frame` for the module: processor time, least of 7, the file read once beforehand."
	print "A row is a change of the rule, at the beginning and the end of functions too. `BENCH=unwind make"
	print "bench` measures this alone, and fails above 2 ms and 150 ns a row, or 6 bytes a row.\n"
	print "| file | functions | rows | rules | KB | bytes a row | ms | rows not supported | of the code |"
	print rule(9)
	for (i = 1; i <= nr_unwinds; i++) {
		split(unwinds[i], f, " ")
		printf "| %s | %d | %d | %d | %d | %.2f | %.1f | %d | %.2f%% |\n", f[2], f[3], f[4], f[5], f[6],
			f[7], f[8], f[9], f[10]
	}
	print ""
}

function graph_table(    i, f) {
	print "| `probe graph` | stacks | functions | ms | KB resident |"
	print rule(5)
	for (i = 1; i <= nr_graphs; i++) {
		split(graphs[i], f, " ")
		printf "| %s | %d | %d | %d | %d |\n", f[2], f[3], f[4], f[5], f[6]
	}
	print ""
}

function trace_section(    i, f, name, limit) {
	name["summary"] = "summary"
	name["first"] = "code path of the second second"
	name["last"] = "code path of the last second"
	limit["summary"] = 3000
	limit["first"] = limit["last"] = 500
	print "## Long traces\n"
	print "A saved trace of ten million events, 200,000 a second, on four CPUs. Processor time of whole processes on"
	print "the machine that measures, median of 5. `BENCH=traced make bench` measures this alone, and fails at a"
	print "limit or at 256 MB.\n"
	print "| `probe trace` | events | ms | limit | KB resident |"
	print rule(5)
	for (i = 1; i <= nr_traces; i++) {
		split(traces[i], f, " ")
		printf "| %s | %d | %d | %d | %d |\n", name[f[2]], f[3], f[4], limit[f[2]], f[5]
	}
	print ""
}

# By how much sampling slows work on the machine that ran the bench.
function native_section(    i, f, name) {
	name["ticks"] = "interrupts that do nothing"
	name["probe"] = "**`probe sys -engine bpf`**"
	name["own"] = "`probe` beyond those interrupts"
	name["perf"] = "`perf record -F 1000 -a`"
	print "## Slowdown on a real machine\n"
	print "A fixed amount of work, on the machine that ran the bench, alone and sampled at 1 kHz on all CPUs, in"
	print "rounds in random order. A slowdown is the median over the rounds of the time beside that of the"
	print "work alone in the same round, with an interval of 95%. It is the thread's CPU time, which other programs"
	print "do not add to; but they, and the host of a virtual machine, disturb caches and clocks, so that an interval is"
	print "wide on a busy machine. The profiler's own process is not in it. Interrupts that do nothing are events of the"
	print "CPU's clock without a program: the least that any sampling by them costs, expensive on a virtual machine."
	print "`BENCH=native make bench` measures this alone, and fails if `probe` costs over 0.5% beyond them at the low"
	print "end of its interval.\n"
	print "| under | slowdown | 95% interval | rounds |"
	print rule(4)
	for (i = 1; i <= nr_natives; i++) {
		split(natives[i], f, " ")
		if (f[3] ~ /^[-0-9.]+$/)
			printf "| %s | %.2f%% | %.2f%% to %.2f%% | %d |\n", name[f[2]], f[3], f[4], f[5], f[6]
		else
			print "| " natives[i] " | – | – | – |"
	}
	print ""
}

END {
	if (failed)
		exit 1
	if (!nr_series) {
		if (nr_natives)
			native_section()
		if (nr_traces)
			trace_section()
		if (nr_symbols)
			symbols_section()
		if (nr_unwinds)
			unwind_section()
		exit
	}
	if (only == "sample") {
		sample_table(9973)
		exit
	}
	if (only == "stacks") {
		stacks_table()
		if (!without_limits)
			judge_stacks()
		exit
	}
	print "# What a sample costs\n"
	print "Made by `make bench`; no figure here is typed by hand. Stock Debian kernels boot in QEMU with"
	print "`-icount`: one CPU on which each instruction takes one nanosecond. The additional time that a"
	print "fixed amount of work takes under a profiler is therefore the number of instructions that the"
	print "profiler executed. A figure is the median of three runs and covers the whole interrupt: entry, the"
	print "kernel's timer code, handler and exit. *With tool* adds the instructions of the profiler's process"
	print "while the work ran. Above 1 kHz the work takes less than a second, without a regular harvest of"
	print "`probe`. At 1 kHz it takes three seconds and has harvests: see the last column of the tables by"
	print "rate. The *empty timer* is `tests/bench/empty`, a pinned hrtimer. Its handler, of " handler " instructions,"
	print "counts and re-arms the timer with `hrtimer_forward_now()`. Kernels:"
	for (i = 1; i <= nr_series; i++)
		print "- " all_series[i] ": " release[all_series[i]]
	print "\nCommits measured: " commits "."
	print "\n## A sample\n"
	sample_table(9973)
	for (i = 1; i <= nr_series; i++)
		rates_table(all_series[i])
	print "## Stacks\n"
	stacks_table()
	print "## Situations\n"
	situations_table()
	print "## Sessions\n"
	sessions_table()
	print "## Memory and disk\n"
	memory_table()
	print "Besides, the module holds for each session " module_kb " KB per possible CPU, allocated at its start."
	print "Resident is the peak of each tool.\n"
	print "## Slowdown of real work\n"
	for (i = 1; i <= nr_series; i++)
		slowdown_table(all_series[i])
	print "![overhead against rate](overhead.svg)\n"
	native_section()
	symbols_section()
	unwind_section()
	print "## Call graphs\n"
	print "A saved run of distinct stacks, 37 frames each on average: all functions as a listing"
	print "(`-min 0`), and as a tree. Processor time of whole processes, median of 5. `BENCH=graph make"
	print "bench` measures this alone, and fails at 2 seconds or 150 MB.\n"
	graph_table()
	trace_section()
	if (svg)
		draw(all_series[1], svg)
}

# --- the drawing: logarithmic axis of rates, linear axis of percent ---

function x_of(rate) {
	return 70 + 560 * (log(rate) - log(100)) / (log(20000) - log(100))
}

function y_of(percent) {
	return 330 - 280 * percent / top
}

function curve(part, tool, color, dash, s, file,    r, points, rate) {
	for (r = 1; r <= nr_rates[part]; r++) {
		rate = rates[part, r]
		points = points sprintf("%.1f,%.1f ", x_of(rate), y_of(slowdown(part, tool, rate, s)))
	}
	printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
		points, color, dash ? " stroke-dasharray=\"" dash "\"" : "" >file
}

function text(x, y, anchor, content, file) {
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, content >file
}

function draw(s, file,    r, p, part, i, parts, dash, y) {
	split("slow-gzip slow-tar slow-net", parts)
	split("|6 3|2 3", dash, "|")
	top = 5
	for (i = 1; i <= 3; i++)
		for (r = 1; r <= nr_rates[parts[i]]; r++) {
			p = slowdown(parts[i], "perf", rates[parts[i], r], s)
			while (p > top)
				top += 5
		}
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 400\" font-family=\"sans-serif\" font-size=\"12\">" >file
	print "<rect width=\"660\" height=\"400\" fill=\"white\"/>" >file
	text(330, 22, "middle", "Slowdown of real work against sampling rate, kernel " s, file)
	for (p = 0; p <= top; p += 5) {
		printf "<line x1=\"70\" x2=\"630\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", y_of(p), y_of(p) >file
		text(62, y_of(p) + 4, "end", p "%", file)
	}
	for (r = 1; r <= nr_rates["slow-gzip"]; r++)
		text(x_of(rates["slow-gzip", r]), 348, "middle", rates["slow-gzip", r], file)
	text(350, 366, "middle", "samples per second and CPU", file)
	for (i = 1; i <= 3; i++) {
		part = parts[i]
		curve(part, "perf", "#c0392b", dash[i], s, file)
		curve(part, "sys", "#1f5fa8", dash[i], s, file)
	}
	y = 60
	for (i = 1; i <= 3; i++)
		for (p = 0; p < 2; p++) {
			printf "<line x1=\"90\" x2=\"120\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
				y - 4, y - 4, p ? "#1f5fa8" : "#c0392b",
				dash[i] ? " stroke-dasharray=\"" dash[i] "\"" : "" >file
			text(128, y, "start", (p ? "probe sys, " : "perf record, ") work[parts[i]], file)
			y += 18
		}
	print "</svg>" >file
}
