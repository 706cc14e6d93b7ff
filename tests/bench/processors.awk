# SPDX-License-Identifier: GPL-2.0-only
# processors.awk BENCH.md ARM64.md: tables of docs/bench.md beside the same ones of arm64, as Markdown. A row is found by
# its table's title and its text. Fails when arm64 is above a limit.

FNR == 1 { nr_files++; title = "" }

!/^[|]/ { title = ""; next }

{ nr_cells = split($0, cells, / *[|] */) - 1 }

# The first line of a table has its title, and in other columns the names of kernels.
title == "" {
	title = cells[2]
	split("", column)
	for (i = 3; i <= nr_cells; i++)
		column[i] = cells[i]
	# A text may have several rows in one table, and a title several tables: of these, the first counts.
	is_new = !((nr_files, title) in has_table)
	has_table[nr_files, title]
	split("", seen)
	next
}

cells[2] !~ /^-/ && is_new {
	n = ++seen[cells[2]]
	if (nr_files == 2)
		text[title, ++nr_rows[title]] = cells[2] SUBSEP n
	for (i = 3; i <= nr_cells; i++)
		if (column[i] ~ /^6\./)
			value[title, cells[2], n, column[i]] = cells[i]
}

function head(first, last) {
	print "| " first " | x86 6.1 | x86 6.12 | arm64 6.1 | arm64 6.12" (last ? " | " last : "") " |"
	print "| --- | ---: | ---: | ---: | ---:" (last ? " | ---:" : "") " |"
}

function shown(x) { return x == "" ? "–" : x }

# One of the four columns.
function at(title, name, n, c) { return value[title, name, n, kernel[c]] }

function table(title,    r, c, key, line) {
	if (!nr_rows[title])
		return
	head(title)
	for (r = 1; r <= nr_rows[title]; r++) {
		split(text[title, r], key, SUBSEP)
		line = "| " key[1]
		for (c = 1; c <= 4; c++)
			line = line " | " shown(at(title, key[1], key[2], c))
		print line " |"
	}
	print ""
}

# A row of the table of limits: a cost beside another one of the same table. @limits: of arm64's kernels.
function limited(name, title, one, nr_one, other, nr_other, limits,    c, x, y, line, limit) {
	if (!nr_rows[title])
		return
	split(limits, limit, " ")
	line = "| " name
	for (c = 1; c <= 4; c++) {
		x = at(title, one, nr_one, c)
		y = at(title, other, nr_other, c)
		line = line " | " (y > 0 ? sprintf("%.3f", x / y) : "–")
		if (kernel[c] ~ /arm64/ && has_kernel(title, kernel[c]) && !(y > 0 && x > 0 && x / y <= limit[c - 2]))
			failed = 1
	}
	limit_lines[++nr_limits] = line " | " limits " |"
}

function has_kernel(title, name,    r, key) {
	for (r = 1; r <= nr_rows[title]; r++) {
		split(text[title, r], key, SUBSEP)
		if (value[title, key[1], key[2], name] != "")
			return 1
	}
	return 0
}

END {
	split("6.1 6.12 6.1-arm64 6.12-arm64", kernel, " ")
	sample = "instructions per sample at 9973 Hz"
	stacks = "stacks, instructions per sample at 9973 Hz"
	counted = "a counted call, instructions"
	perf = "`perf record -e cpu-clock -F`"
	table(sample)
	table(stacks)
	table(counted)
	table("a timed call, instructions")
	table("an event recorded, instructions")
	limited("`probe sys` / empty timer", sample, "**`probe sys`**", 1, "**empty timer**", 1, "1.06 1.06")
	limited("`probe sys` / `perf record -F`", sample, "**`probe sys`**", 1, perf, 1, "0.53 0.52")
	limited("10 frames / `perf record -g`", stacks, "**`probe flat -unwind fp`**, 10 frames of a program", 1,
		"`perf record -e cpu-clock -F -g`", 1, "0.54 0.53")
	limited("a counted call / `function` tracer", counted, "**one function**", 1, "function tracer", 1, "0.31 0.14")
	head("arm64's limits", "6.1, 6.12 limit")
	for (i = 1; i <= nr_limits; i++)
		print limit_lines[i]
	exit failed
}
