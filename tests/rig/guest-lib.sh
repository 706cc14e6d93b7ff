# SPDX-License-Identifier: GPL-2.0-only
# What guest tests share. A test runs with the module loaded, in a folder of its own.

# fail MESSAGE: the test has failed.
fail() {
	echo "FAIL: $*"
	exit 1
}

# expect STATUS COMMAND...: run it with output kept in out and err, and judge its status.
expect() {
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] && return
	cat out err
	fail "'$*' ended with $got instead of $wanted"
}

# says FILE PATTERN: a line of the file matches.
says() {
	grep -Eq -- "$2" "$1" && return
	cat "$1"
	fail "$1 does not say: $2"
}

# one_line_error PATTERN: err begins with one "probe:" line that matches; at most a hint follows.
one_line_error() {
	says err "^probe: .*$1"
	# Warnings about samples that came late, each with its hint, may stand before it.
	awk '/^probe: warning: / { skip = 1; next } skip && /^hint: / { skip = 0; next } { print }' err >errors
	[ "$(grep -vc '^hint: ' errors)" = 1 ] || { cat err; fail "more than one line of error"; }
	[ "$(grep -c '^hint: ' errors)" -le 1 ] || { cat err; fail "more than one hint"; }
}

# tsv ROW KEY [FILE]: a column of `probe sys -tsv` output by name of row and column.
tsv() {
	awk -F '\t' -v row="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i }
		NR > 1 && $1 == row { sum += $c; found = 1 }
		END { if (!found || !c) exit 1; print sum }' "${3:-out}" || fail "no $1/$2 in ${3:-out}"
}

# json KEY [FILE]: a number at the top level of `-json` output.
json() {
	sed -n "s/^  \"$1\": \([0-9.]*\),*\$/\1/p" "${2:-out}" | grep . || fail "no $1 in ${2:-out}"
}

# holds 'EXPRESSION': arithmetic that must be true, in awk's words.
holds() {
	awk "BEGIN { exit !($1) }" || fail "does not hold: $1 ${2:-}"
}

# near A B TOLERANCE: two expressions differ by less.
near() {
	holds "($1) - ($2) < $3 && ($2) - ($1) < $3"
}

# background COMMAND...: start it; it ends with the test.
background() {
	"$@" >/dev/null 2>&1 &
	background_pids="$background_pids $!"
	last_pid=$!
}

background_pids=
trap 'for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT
