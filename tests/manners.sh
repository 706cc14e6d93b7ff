#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# manners.sh: what is expected of any tool. Tables keep to their width, and columns to their place,
# whatever is in a name; nothing controls the terminal or turns a line; -help and -version
# everywhere; suggestions for what was mistyped; nothing but data in a pipe, and no colour; numbers
# for programs in any locale. On kept runs made from text: no module is needed.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe=$top/build/probe passed=0 failed=0
export LC_ALL=C.UTF-8
unset LANG NO_COLOR COLUMNS

check() {	# check NAME COMMAND...: it succeeds and says nothing
	local name=$1 output
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "ok   manners $name"
		passed=$((passed + 1))
	else
		printf 'FAIL manners %s\n%s\n' "$name" "$output"
		failed=$((failed + 1))
	fi
}

make_runs() {
	make -s -C "$top" build/make_run build/make_report tool || exit 1
	cd "$work" || exit 1
	"$top/build/make_run" "$top/tests/manners/stacks.txt" stacks || exit 1
	"$top/build/make_report" "$top/tests/manners/sys.txt" sys || exit 1
	"$top/build/make_report" "$top/tests/manners/proc.txt" proc || exit 1
}

# Reports of these runs, as people read them: what stands before and behind -width.
reports='show:sys
show -percpu:sys
show -o name,kernel,softirq,guest,user,total,error,lo,hi:sys
show:proc
show -all:proc
show -o address,hits,share,lo,hi,name:proc
show:stacks
flat:stacks
flat -o name,share,error,lo,hi,object:stacks
flat -by object:stacks
flat -by process:stacks
flat -by line:stacks
flat -bars:stacks
graph:stacks
graph -min 0:stacks
graph -tree:stacks
graph -callers main:stacks
diff:sys sys
diff:proc proc
doctor:'

# The library's measure of a line, by wc, is another than the tool's own.
is_narrow() {	# is_narrow WIDTH REPORT RUNS
	local cols line
	# shellcheck disable=SC2086 # words
	"$probe" $2 -width "$1" $3 >out 2>err || [ "$2" = doctor ] || echo "status $?: $(cat err)"
	cols=$(wc -L <out)
	if [ "$cols" -gt "$1" ]; then
		echo "$cols columns:"
		while IFS= read -r line; do
			[ "$(wc -L <<<"$line")" -le "$1" ] || echo "$line"
		done <out | head -n 5
	fi
	# Controls of the terminal, and of direction but for the mark U+200E.
	if grep -nP '[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{61c}]' out; then
		echo "controls"
	fi
	# What turns the line stands between marks.
	grep -nP '(?<![\x{590}-\x{8ff}\x{300}-\x{36f} _.a-z])[\x{590}-\x{8ff}]' out | grep -vP '\x{200e}' && echo "turned"
	return 0
}

make_runs
while IFS=: read -r report runs; do
	for width in 40 60 80 200; do
		check "width $width: $report $runs" is_narrow "$width" "$report" "$runs"
	done
done <<<"$reports"
echo "$passed passed, $failed failed"
