# SPDX-License-Identifier: GPL-2.0-only
# costs.awk: the costs of profilers, from the lines of guest-bench.sh; used by report.awk and engines.awk, after
# series.awk. A kernel must be one version in all parts.

$1 == "release" {
	if (release[series] && release[series] != $2) {
		print "bench: kernel " series " is " release[series] " and " $2 ": measure all parts with one" >"/dev/stderr"
		failed = 1
		exit 1
	}
	release[series] = $2
}

$1 == "=" && $3 == "none" {
	key = series SUBSEP $2
	base[key, ++nr_base[key]] = $5
}

$1 == "=" && $3 != "none" {
	key = series SUBSEP $2 SUBSEP $3 SUBSEP $4
	n = ++nr_runs[key]
	elapsed[key, n] = $5
	tool_ns[key, n] = $6
	samples[key] = $7
	resident[series, $2, $3] = $8
	kernel_kb[series, $2, $3] = $9 + $10
	bytes[key] = $11
	if (!(($2, $4) in seen_rate)) {
		seen_rate[$2, $4]
		rates[$2, ++nr_rates[$2]] = $4
	}
}

# Median of list[1..n].
function median(list, n,    i, j, x) {
	for (i = 2; i <= n; i++) {
		x = list[i]
		for (j = i - 1; j > 0 && list[j] > x; j--)
			list[j + 1] = list[j]
		list[j + 1] = x
	}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

# Nanoseconds of the workload alone: the median of its runs.
function plain(part, s,    list, i) {
	for (i = 1; i <= nr_base[s, part]; i++)
		list[i] = base[s, part, i]
	return median(list, nr_base[s, part])
}

# Seconds that the workload took in addition to its time without a profiler, excluding the tool's
# own time if @interrupts_only. The median of the runs; -1: not measured.
function extra(part, tool, rate, interrupts_only, s,    key, list, i, alone) {
	key = s SUBSEP part SUBSEP tool SUBSEP rate
	if (!nr_runs[key])
		return -1
	alone = plain(part, s)
	for (i = 1; i <= nr_runs[key]; i++)
		list[i] = elapsed[key, i] - alone - (interrupts_only ? tool_ns[key, i] : 0)
	return median(list, nr_runs[key]) / 1e9
}

# Instructions per sample: under icount each takes a nanosecond.
function cost(part, tool, rate, interrupts_only, s,    window, more) {
	more = extra(part, tool, rate, interrupts_only, s)
	if (more < 0)
		return -1
	# Idle: the work is the time not halted, and the window is the whole of it.
	window = part == "idle" ? 0.9 : elapsed[s, part, tool, rate, 1] / 1e9
	return more * 1e9 / (window * rate)
}

function number(x, format) {
	return x < 0 ? "–" : sprintf(format, x)
}

function ratio(x, y) {
	return x < 0 || y <= 0 ? "–" : sprintf("%.3f", x / y)
}

function rule(columns,    i, text) {
	text = "| ---"
	for (i = 2; i <= columns; i++)
		text = text " | ---:"
	return text " |"
}
