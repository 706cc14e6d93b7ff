# SPDX-License-Identifier: GPL-2.0-only
# hidden.awk SERIES.raw...: the page on programs that hide, as Markdown. The guest test truth_hidden
# describes the raw lines. With -v svg=FILE also the drawing of the first file.

FNR == 1 { nr_series++ }
$1 == "release" { release[nr_series] = $2 }

/^=/ {
	sub(/^=/, "")
	row = ++nr_rows[nr_series]
	for (i = 1; i <= 8; i++)
		value[nr_series, row, i] = $i
	name = $9
	for (i = 10; i <= NF; i++)
		name = name " " $i
	value[nr_series, row, NAME] = name
}

BEGIN {
	RATE = 1; TRUTH = 3; LO = 4; HI = 5; FIXED = 6; PERF = 7; STAT = 8; NAME = 9
	INK = "#222"; OURS = "#2f6fb7"
	nr_peers = split(FIXED " " PERF " " STAT, peers)
	color[FIXED] = "#e08214"; color[PERF] = "#b2182b"; color[STAT] = "#6b6b6b"
}

function is_held(s, row) {
	return value[s, row, LO] <= value[s, row, TRUTH] && value[s, row, TRUTH] <= value[s, row, HI]
}

function table(s,    row, held) {
	print "Kernel " release[s] ", percent of the CPU:\n"
	print "| in step with | the program computes | truth | `probe sys` | `-jitter none` |" \
		" `perf record` | `/proc/stat` |"
	print "| ---: | --- | ---: | ---: | ---: | ---: | ---: |"
	for (row = 1; row <= nr_rows[s]; row++) {
		printf "| %d Hz | %s | **%.1f** | %.1f–%.1f%s | %.1f | %.1f | %.1f |\n", value[s, row, RATE],
			value[s, row, NAME], value[s, row, TRUTH], value[s, row, LO], value[s, row, HI],
			is_held(s, row) ? "" : " (misses)", value[s, row, FIXED], value[s, row, PERF],
			value[s, row, STAT]
		held += is_held(s, row)
	}
	printf "\n%d of %d intervals hold the truth.\n\n", held, nr_rows[s]
}

END {
	print "# Nothing hides\n"
	print "Made by `make hidden`; nothing here is typed by hand. A program computes for a"
	print "part of each period and sleeps for the rest, in lockstep with a clock that samplers"
	print "use. A sampler sees it busy or idle depending on the moment when it looks.\n"
	print "![what each sampler says of each program](nothing-hides.svg)\n"
	print "Each row is a window of three seconds in a stock kernel, on one emulated CPU on"
	print "which an instruction takes exactly one nanosecond. These run at the same time:\n"
	print "- *truth*: the scheduler's exact time of the program, from `/proc/PID/schedstat`;"
	print "- `probe sys -rate R`, with R the rate of the program's clock: its 95% interval;"
	print "- `probe sys -rate R -jitter none`, the same with a fixed period;"
	print "- `perf record -e cpu-clock -F R -a`: the program's share of the samples;"
	print "- `/proc/stat`, which `top` prints: the busy share of the whole machine.\n"
	for (s = 1; s <= nr_series; s++)
		table(s)
	print "## Why a fixed period fails\n"
	print "A sampler with a fixed period looks at the same moment of each period. A program"
	print "that repeats with that period does the same thing at that moment every time. A"
	print "thousand samples are then one sample taken a thousand times: all of them say 0%,"
	print "or all say 100%, and more samples do not help. The phase at the start decides"
	print "which. It is chance, or the program's choice, and the next run may say the"
	print "opposite. No interval computed from such samples means anything. (perf says 0%"
	print "more often than 100%, because it shares the CPU with the program here: it starts"
	print "when it gets the CPU, which is mostly when the program sleeps.)\n"
	print "`/proc/stat` looks at each scheduler tick, 250 times a second here, and charges the"
	print "whole tick period to the task that it finds. It never sees a program that sleeps at"
	print "each tick. A program that runs at each tick for one millisecond is charged four. It"
	print "is not shown as 100% busy, because the kernel measures idle time by a clock. The"
	print "ticks fall on several phases of a program in lockstep with 100 or 300 Hz, so its"
	print "share may come out about right here, but not in a sampler at that rate. A program in"
	print "lockstep with 1000 Hz is in lockstep with the tick as well.\n"
	print "Programs need not hide on purpose. Timers, frames, audio buffers and polling loops"
	print "run at round rates, and start when a tick wakes them.\n"
	print "## Why jitter does not\n"
	print "`probe` draws one instant in each period of its grid, uniformly and independently of"
	print "the other draws. Whatever a program does, the chance that a sample hits it is"
	print "therefore the part of the period in which it runs: there is no phase to meet or to"
	print "avoid. A program can know the rate and the grid, but not the instant. The expected"
	print "share is the true one for any period of the program, and the number of samples alone"
	print "determines the uncertainty. Poisson sampling has these properties too. One sample in"
	print "each period spreads the samples more evenly, so that programs that are not in lockstep"
	print "with the grid are measured at least as well.\n"
	print "Programs in lockstep, as here, are the worst case: samples are like independent"
	print "tosses of a coin, and an interval contains the truth 19 times out of 20. The seeds"
	print "are 1 to 10; none was chosen. The guest test `truth_hidden` checks these rows in each"
	print "`make check-full`. At most 3 of 10 intervals may miss the truth. Fixed periods, and"
	print "`/proc/stat` for programs in lockstep with the tick's 250 Hz, must be wrong by more"
	print "than 10 points."
	if (svg)
		draw(1, svg)
}

# --- the drawing: a row for each program, with a lane for each sampler ---

function x_of(percent) {
	return 284 + 4.26 * percent
}

function text(x, y, style, content) {
	printf "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", x, y, style ? " " style : "", content >svg
}

function line(x1, y1, x2, y2, style) {
	printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style >svg
}

function bar(x1, x2, y) {
	printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" rx=\"2\" fill=\"%s\"/>\n",
		x1, y - 5, x2 - x1, OURS >svg
}

function truth_mark(x, y1, y2) {
	line(x, y1, x, y2, "stroke=\"" INK "\" stroke-width=\"2\"")
}

# Shapes differ as well as colours.
function point(peer, x, y) {
	if (peer == FIXED)
		printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"", x, y >svg
	else if (peer == PERF)
		printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"", x - 3.5, y - 3.5 >svg
	else
		printf "<path d=\"M%.1f %.1f l4.5 4.5 l-4.5 4.5 l-4.5 -4.5 z\"", x, y - 4.5 >svg
	printf " fill=\"%s\"/>\n", color[peer] >svg
}

function legend(y) {
	truth_mark(22, y - 10, y + 4)
	text(29, y + 1, "", "truth")
	bar(80, 106, y - 3)
	text(112, y + 1, "", "probe sys, 95% interval")
	point(FIXED, 276, y - 3)
	text(285, y + 1, "", "probe sys -jitter none")
	point(PERF, 440, y - 3)
	text(449, y + 1, "", "perf record -F, same rate")
	point(STAT, 630, y - 3)
	text(640, y + 1, "", "/proc/stat")
}

function draw_row(s, row, y,    i, x, truth) {
	truth = x_of(value[s, row, TRUTH])
	if (value[s, row, RATE] != value[s, row - 1, RATE]) {
		line(10, y, 730, y, "stroke=\"#999\"")
		text(16, y + 25, "font-weight=\"bold\"", value[s, row, RATE] " Hz")
	}
	text(84, y + 25, "", value[s, row, NAME])
	bar(x_of(value[s, row, LO]), x_of(value[s, row, HI]), y + 9)
	truth_mark(truth, y + 2, y + 42)
	for (i = 1; i <= nr_peers; i++) {
		x = x_of(value[s, row, peers[i]])
		line(truth, y + 9 + 9 * i, x, y + 9 + 9 * i,
			"stroke=\"" color[peers[i]] "\" stroke-opacity=\"0.4\" stroke-width=\"1.5\"")
		point(peers[i], x, y + 9 + 9 * i)
	}
}

function draw(s, svg,    row, p, bottom) {
	bottom = 78 + 45 * nr_rows[s]
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 740 %d\"" \
		" font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n",
		bottom + 52, INK >svg
	printf "<rect width=\"740\" height=\"%d\" fill=\"white\"/>\n", bottom + 52 >svg
	text(370, 24, "text-anchor=\"middle\" font-size=\"15\" font-weight=\"bold\"",
		"Programs in step with a clock, and what samplers say of them")
	legend(52)
	for (row = 2; row <= nr_rows[s]; row += 2)
		printf "<rect x=\"10\" y=\"%d\" width=\"720\" height=\"45\" fill=\"#f6f6f6\"/>\n",
			78 + 45 * (row - 1) >svg
	for (p = 0; p <= 100; p += 20) {
		line(x_of(p), 78, x_of(p), bottom, "stroke=\"#ddd\"")
		text(x_of(p), bottom + 18, "text-anchor=\"middle\"", p "%")
	}
	for (row = 1; row <= nr_rows[s]; row++)
		draw_row(s, row, 78 + 45 * (row - 1))
	line(10, bottom, 730, bottom, "stroke=\"#999\"")
	text(497, bottom + 38, "text-anchor=\"middle\"", "share of the CPU, kernel " release[s])
	print "</svg>" >svg
}
