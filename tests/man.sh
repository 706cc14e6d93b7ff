#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# man.sh: check the manual and -help. Every page is formatted without a warning; each option and
# column in -help has an entry in the command's page, and each entry exists in the command; -help
# fits 80 columns; the overview names each command and page; cpuprobe(4) names each request; the
# examples on saved runs show the tool's actual output, and so do the tables of docs/reading.md and docs/fleet.md;
# figures of cost equal those in docs/bench.md.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe=$top/build/probe passed=0 failed=0

check() {	# check NAME COMMAND...: the command succeeds and prints nothing
	local name=$1 output
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "ok   man $name"
		passed=$((passed + 1))
	else
		printf 'FAIL man %s\n%s\n' "$name" "$output"
		failed=$((failed + 1))
	fi
}

# A page has no date of its own: the release's date is used.
is_clean() {	# is_clean PAGE
	groff -man -Tutf8 -ww -z "$1" 2>&1
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -Wwarning "$1" 2>&1 | grep -v 'missing date'
	fi
	return 0
}

# The first words of the lines in a section of -help, which are indented by two blanks.
listed() {	# listed COMMAND SECTION: "Options" or "Columns"
	"$probe" help "$1" | awk -v section="$2" '
		/^[A-Z]/ { inside = index($0, section) == 1 }
		inside && /^  [^ ]/ { print $1 }'
}

# Entries are indented by seven blanks, their text by more.
has_entries() {	# has_entries COMMAND PAGE
	local word
	MANWIDTH=80 man -l "$2" 2>/dev/null | col -bx >"$work/text"
	for word in $(listed "$1" Options) $(listed "$1" Columns); do
		grep -q -- "^       $word\( \|$\)" "$work/text" || echo "probe $1: $word has no entry"
	done
}

is_narrow() {	# is_narrow COMMAND: fits 80 columns, without trailing blanks
	"$probe" help "$1" | awk -v name="$1" 'length > 80 || / $/ { print "probe help " name ": " $0 "|" }'
}

# Options with one title have it once, whatever lists they come from.
has_titles_once() {	# has_titles_once COMMAND PAGE
	"$probe" help "$1" | awk -v name="$1" '/^[A-Z].*:$/ && nr[$0]++ { print "probe help " name ": twice: " $0 }'
	awk -v name="$1" '/^\.S[HS] / && nr[$0]++ { print "probe-" name "(1): twice: " $0 }' "$2"
}

names_all() {
	local command
	for command in $commands; do
		grep -q "^\.BR probe-$command (1)" "$top/docs/probe.1" || echo "$command is not in probe(1)"
	done
}

names_requests() {
	grep -o '^#define CPUPROBE_IOC_[A-Z]*' "$top/kmod/uapi/cpuprobe.h" | while read -r _ name; do
		[ "$name" = CPUPROBE_IOC_MAGIC ] || grep -q "^\.B $name$" "$top/docs/man/cpuprobe.4" ||
			echo "$name is not in cpuprobe(4)"
	done
}

refuses() {	# refuses LINE...: lines of a page of probe sys that must be rejected
	printf '%s\n' @head @options @columns "$@" >"$work/page.in"
	if "$top/build/make_man" sys "$work/page.in" >"$work/out" 2>&1; then
		echo "$1 was accepted"
	fi
}

# The saved runs of the examples: those in the sources, one made from text, and a forged one.
make_runs() {
	make -s -C "$top" build/make_run build/make_man build/precision build/fleet_figures build/guest-bin/forge_kept || exit 1
	mkdir "$work/runs"
	ln -s "$top"/tests/fuzz/corpus/save/{sys,proc-*} "$top"/docs/man/runs/* "$work/runs"
	"$top/build/make_run" "$top/docs/man/example.txt" "$work/runs/run"
	"$top/build/guest-bin/forge_kept" "$work/runs/sys" "$work/runs/forged" RCPT 24
}

# Write each example "$ probe ..." on one of these runs, and the lines after it, as N.command and
# N.wanted.
find_examples() {	# find_examples PAGE
	awk -v folder="$work" '
		/^\.EX/ { inside = 1; next }
		/^\.EE/ { inside = 0; name = "" }
		!inside { next }
		{ gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); sub(/^\\&/, ""); gsub(/\\e/, "\\") }
		/^\$ / { name = folder "/" ++nr; print substr($0, 3) >name ".command"; printf "" >name ".wanted"; next }
		name { print >name ".wanted" }' "$1"
}

# A line "..." in WANTED matches any number of lines.
is_like() {	# is_like WANTED OUTPUT
	awk 'NR == FNR { wanted[++nr] = $0; next }
		{ while (wanted[at + 1] == "..." && !skips) { at++; skips = 1 }
		  if (at < nr && $0 == wanted[at + 1]) { at++; skips = 0 }
		  else if (!skips) { print "printed: " $0; print "manual:  " wanted[at + 1]; exit 1 } }
		END { if (wanted[at + 1] == "...") at++
		      if (at < nr) { print "not printed: " wanted[at + 1]; exit 1 } }' "$1" "$2"
}

are_real() {	# are_real COMMAND PAGE: the page has examples, and they are true
	local command run nr=0
	rm -f "$work"/*.command "$work"/*.wanted
	find_examples "$2"
	for command in "$work"/*.command; do
		[ -e "$command" ] || break
		run=$(awk '{ print $NF }' "$command")
		[ -e "$work/runs/$run" ] || continue
		nr=$((nr + 1))
		# shellcheck disable=SC2046 # words
		(cd "$work/runs" && "$probe" $(sed 's/^probe //' "$command")) >"$work/output" 2>/dev/null
		is_like "${command%.command}.wanted" "$work/output" || cat "$command"
	done
	[ $nr != 0 ] || echo "probe $1: no example on a saved run"
}

# A row of docs/bench.md, its cells separated by '|'.
bench_row() { grep -F -m 1 -- "| $1 |" "$top/docs/bench.md"; }

# range DIGITS NUMBER NUMBER: "0.46 to 0.48", or one number if both are equal
range() {
	printf '%s\n' "$2" "$3" | sort -n |
		awk -v d="$1" '{ x[NR] = sprintf("%.*f", d, $1) } END { print x[1] == x[2] ? x[1] : x[1] " to " x[2] }'
}

# Figures of cost in pages equal those in docs/bench.md.
cites() {	# cites COMMAND TEXT...: the page contains each text, wherever its lines end
	local text command=$1
	shift
	for text; do
		MANWIDTH=1000 man -l "$top/build/man/probe-$command.1" 2>/dev/null | col -bx | tr -s ' \n' ' ' |
			grep -qF -- "$text" || echo "probe-$command(1) does not say: $text"
	done
}

cites_sample() {	# cites_sample COMMAND ROW
	local cell
	IFS='|' read -r -a cell <<<"$(bench_row "$2")"
	cites "$1" "is $(range 2 "${cell[3]}" "${cell[7]}") times that of an empty timer, and" \
		"$(range 2 "${cell[4]}" "${cell[8]}") times that of perf record -F"
}

cites_stacks() {	# cites_stacks COMMAND
	local sys few many tables bare
	IFS='|' read -r -a sys <<<"$(bench_row '**`probe sys`**')"
	IFS='|' read -r -a few <<<"$(bench_row '**`probe flat -unwind fp`**, 10 frames of a program')"
	IFS='|' read -r -a many <<<"$(bench_row '**`probe flat`**, 20 frames in the kernel')"
	cites "$1" "takes $(times "${few[2]}" "${sys[2]}" "${few[5]}" "${sys[6]}") times what one of probe sys takes" \
		"and $(times "${many[2]}" "${sys[2]}" "${many[5]}" "${sys[6]}") times with 20 frames in the kernel" \
		"That is $(range 2 "${few[3]}" "${few[6]}") and $(range 2 "${many[3]}" "${many[6]}") times what perf record -g" \
		"$(range 2 "${few[4]}" "${few[7]}") and $(range 2 "${many[4]}" "${many[7]}") times what bpftrace"
	IFS='|' read -r -a tables <<<"$(bench_row '**`probe flat`**, by tables')"
	IFS='|' read -r -a bare <<<"$(bench_row '**`probe flat`**, the same without frame pointers')"
	cites "$1" "take $(times "${bare[2]}" "${sys[2]}" "${tables[5]}" "${sys[6]}") times what probe sys takes" \
		"and $(range 2 "${bare[3]}" "${bare[6]}") times what perf record -g takes where there are no frame pointers"
}

times() {	# times A B C D: the range of A/B and C/D
	range 1 "$(awk "BEGIN { print $1 / $2 }")" "$(awk "BEGIN { print $3 / $4 }")"
}

# The tables of docs/reading.md, as the tool's own statistics compute them.
has_table() {	# has_table hits | time
	"$top/build/precision" "$1" >"$work/table"
	awk -v begin="<!-- $1 -->" -v end="<!-- $1 end -->" '$0 == end { inside = 0 } inside
		$0 == begin { inside = 1 }' "$top/docs/reading.md" | diff - "$work/table"
}

# The tables of docs/fleet.md, from the tool's own statistics and the sizes that were measured.
has_fleet_table() {	# has_fleet_table NAME
	"$top/build/fleet_figures" "$1" "$top/docs/fleet.tsv" >"$work/table"
	awk -v begin="<!-- $1 -->" -v end="<!-- $1 end -->" '$0 == end { inside = 0 } inside
		$0 == begin { inside = 1 }' "$top/docs/fleet.md" | diff - "$work/table"
}

make_runs
commands=$("$probe" help | awk '/^  [a-z]/ && $1 != "help" && $1 != "version" { print $1 }')
check "probe.1 is clean" is_clean "$top/docs/probe.1"
check "probe.1 names all commands" names_all
check "cpuprobe.4 is clean" is_clean "$top/docs/man/cpuprobe.4"
check "cpuprobe.4 names all requests" names_requests
for command in $commands; do
	check "help $command fits" is_narrow "$command"
	page=$top/build/man/probe-$command.1
	check "$command has titles once" has_titles_once "$command" "$page"
	check "$command has a page" test -e "$page"
	check "$command is clean" is_clean "$page"
	check "$command is complete" has_entries "$command" "$page"
done
for command in proc flat graph trace show export verify diff; do
	check "examples of $command" are_real "$command" "$top/build/man/probe-$command.1"
done
for command in sys proc; do
	check "cost in $command" cites_sample "$command" "**\`probe $command\`**"
done
for command in flat graph start; do
	check "cost of stacks in $command" cites_stacks "$command"
done
check "table of shares in docs/reading.md" has_table hits
check "table of times in docs/reading.md" has_table time
for table in rates knows hosts series bytes; do
	check "fleet.md has the table $table" has_fleet_table $table
done
check "no option that is not there" refuses "@option nosuch" text @end
check "no column that is not there" refuses "@column nosuch" text @end
check "no block without an end" refuses "@option sec" text
check "no block within another" refuses "@option sec" text "@option hz" text @end
check "no unknown directive" refuses "@optoins"
check "no missing file" refuses "@include nosuch.inc"
echo "$passed passed, $failed failed"
