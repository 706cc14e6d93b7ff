#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# man.sh: the manual and -help. Every page is read without a warning; each option and column that
# -help knows has its entry in the command's page; an entry of what a command does not have is
# an error; -help keeps within 80 columns; the overview names each command.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe=$top/build/probe passed=0 failed=0

check() {	# check NAME COMMAND...: it succeeds and says nothing
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

# A page has no date: it is that of the release.
is_clean() {	# is_clean PAGE
	groff -man -Tutf8 -ww -z "$1" 2>&1
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -Wwarning "$1" 2>&1 | grep -v 'missing date'
	fi
	return 0
}

# The words that begin the lines of a section of -help, two blanks from the margin.
listed() {	# listed COMMAND SECTION: "Options" or "Columns"
	"$probe" help "$1" | awk -v section="$2" '
		/^[A-Z]/ { inside = index($0, section) == 1 }
		inside && /^  [^ ]/ { print $1 }'
}

# Entries stand seven blanks from the margin, what is said of them further in.
has_entries() {	# has_entries COMMAND PAGE
	local word
	MANWIDTH=80 man -l "$2" 2>/dev/null | col -bx >"$work/text"
	for word in $(listed "$1" Options) $(listed "$1" Columns); do
		grep -q -- "^       $word\( \|$\)" "$work/text" || echo "probe $1: $word has no entry"
	done
}

is_narrow() {	# is_narrow COMMAND
	"$probe" help "$1" | awk -v name="$1" 'length > 80 { print "probe help " name ": " $0 }'
}

names_all() {
	local command
	for command in $commands; do
		grep -q "^\.BR\? .*\b$command\b" "$top/docs/probe.1" || echo "$command is not in probe(1)"
	done
}

refuses() {	# refuses LINE...: as a page of probe sys
	printf '%s\n' @head @options @columns "$@" >"$work/page.in"
	if "$top/build/make_man" sys "$work/page.in" >"$work/out" 2>&1; then
		echo "$1 was taken"
	fi
}

commands=$("$probe" help | awk '/^  [a-z]/ && $1 != "help" && $1 != "version" { print $1 }')
check "probe.1 is clean" is_clean "$top/docs/probe.1"
check "probe.1 names all commands" names_all
for command in $commands; do
	check "help $command fits" is_narrow "$command"
	page=$top/build/man/probe-$command.1
	[ -e "$top/docs/man/probe-$command.1.in" ] || continue
	check "$command is clean" is_clean "$page"
	check "$command is complete" has_entries "$command" "$page"
done
check "no option that is not there" refuses "@option nosuch" text @end
check "no column that is not there" refuses "@column nosuch" text @end
check "no block without an end" refuses "@option sec" text
check "no unknown directive" refuses "@optoins"
check "no missing file" refuses "@include nosuch.inc"
echo "$passed passed, $failed failed"
