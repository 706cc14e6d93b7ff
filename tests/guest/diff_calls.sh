# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# Runs with calls compared by function: with itself, with one of fewer calls, and with one that counted
# other functions. A run has no significant difference to itself. The tool reads names in the first second:
# with few more, the variation between seconds leaves the ratio without an upper bound.
. /test/guest-lib.sh
# of FUNCTION COLUMN: from out, a table of TSV
of() {
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == name { print $at[key] }' out
}
getppid=${sys}getppid
background caller 1000000000
expect 0 probe calls -fn $getppid,vfs_read -rate 2000 -sec 8 -save many
end_background
expect 0 probe calls -fn $getppid,read_zero -rate 2000 -sec 3 -save few -- caller 1000

expect 0 probe diff many many
says out '^A: many, [0-9]+ calls in [0-9.]+ s, [0-9]+ samples, [789] blocks\. B: many,'
! sed -n '/^==/,/^$/p' out | grep -Eq '(slower|faster|more|fewer|calls)$' ||
	{ cat out; fail "a run differs from itself"; }
says out "^__.* 1\.00  [0-9.]+  [0-9.]+\$"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] || fail "too wide"

expect 0 probe diff -tsv many few
[ "$(of $getppid calls_change)" = "fewer calls" ] || { cat out; fail "not fewer calls"; }
[ "$(of $getppid b_calls)" = 1000 ] || fail "not the calls of the program"
holds "$(of $getppid a_total_ns) > 0 && $(of $getppid by_calls) < 0"
[ "$(of read_zero calls_change)" = "only in B" ] || fail "read_zero is not only in B"
[ "$(of read_zero in_a)/$(of read_zero in_b)" = false/true ] || fail "read_zero was counted in A"
expect 0 probe diff -json -sampling-only many few
says out '"report": "diff of calls"'
says out '"sampling_only": true'

# The shares of the stacks, as without calls: also if only one run has calls.
expect 0 probe diff -stacks many few
says out '^Total time, in a function and in those that it called$'
expect 0 probe flat -sec 3 -save stacks
expect 0 probe diff many stacks
says out '^Total time, in a function and in those that it called$'
expect 2 probe diff -o a_calls many stacks
one_line_error "unknown column 'a_calls'"
