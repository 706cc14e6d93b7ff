# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: not=debug,kcsan
# The call graph with counted calls: the calls of caller are exact, the calls by all parents add up,
# and calls that are in the kernel's code are listed even if they were not taken. The debug kernels have no
# /proc/kcore to read their code from.
. /test/guest-lib.sh
expect 0 probe calls -fn "${sys}getppid,vfs_*,read_zero,ksys_*,rw_verify_area,fput,do_*,security_*" -rate 2000 \
	-task caller -save run -- caller 20000
expect 0 probe graph -calls -min 0 -tsv run
mv out rows
# line ROLE NAME OF COLUMN: a cell of the line about NAME in the entry of OF.
line() {
	awk -F '\t' -v role="$1" -v name="$2" -v of="$3" -v key="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["role"] == "function" { entry[$1] = $at["name"] }
		{ row[NR] = $0 }
		END { for (i = 2; i <= NR; i++) { split(row[i], f, "\t")
			if (f[2] == role && f[3] == name && entry[f[1]] == of) print f[at[key]] } }' rows
}
getppid=$(awk -F '\t' '$2 == "function" && $3 ~ /sys_getppid/ { print $3 }' rows)
[ "$(line function "$getppid" "$getppid" calls)" = 20000 ] || { cat rows; fail "calls of getppid"; }
[ "$(line function read_zero read_zero calls)" = 2000 ] || { cat rows; fail "calls of read_zero"; }
[ "$(line child read_zero vfs_read calls)/$(line child read_zero vfs_read of_calls)" = 2000/2000 ] ||
	fail "calls of read_zero by vfs_read"
holds "$(line function "$getppid" "$getppid" self_call_lo_ns) <= $(line function "$getppid" "$getppid" self_call_ns)"
# The calls by all parents are those of the function or cycle.
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["role"] == "parent" && $at["calls"] != "null" { sum[$1] += $at["calls"] }
	$at["role"] == "function" && $at["calls"] != "null" { calls[$1] = $at["calls"]; n++ }
	END { for (i in calls) if (sum[i] + 0 != calls[i]) { print i, sum[i], calls[i]; bad = 1 }
		exit bad || n < 5 }' rows || { cat rows; fail "the calls of parents do not add up"; }
# has_never_taken: whether rows has a child that was never called, and not sampled either.
has_never_taken() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["role"] == "child" && $at["calls"] == "0" && $at["samples"] == 0 { n++ }
		END { exit !n }' rows
}
has_never_taken || { cat rows; fail "no call that was never taken"; }
expect 0 probe graph -calls -json run
says out '"has_never_taken": true'

expect 0 probe graph -calls run
says out '^Index +% time +\+- +Self/call +Desc\./call +Called +Name$'
says out ' 20000 +'"$(echo "$getppid" | cut -c 1-8)"
! grep -q 'left out' out || fail "calls never taken are left out"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] ||
	{ cat out; fail "too wide"; }

# Code that cannot be read
mount --bind /dev/null /proc/kcore
expect 0 probe graph -calls -min 0 run
says out 'never taken are left out: '
expect 0 probe graph -calls -min 0 -tsv run
mv out rows
umount /proc/kcore
! has_never_taken || { cat rows; fail "calls never taken without code"; }

expect 2 probe graph -calls
says err 'calls needs a FILE'
expect 2 probe graph -calls -tree run
expect 0 probe flat -sec 1 -save plain
expect 1 probe graph -calls plain
one_line_error 'graph plain: it is a run without calls'
