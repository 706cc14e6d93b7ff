# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: timeout=280
# Calls of kernel functions are counted to one, by all tasks, by one program and by caller; the time of
# a call fits the samples of the same run; bad requests are refused with a hint.
. /test/guest-lib.sh
calls_of() {	# calls_of FUNCTION [COLUMN]: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="${2:-calls}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
functions=${sys}getppid,vfs_read,read_zero
expect 0 probe calls -fn $functions -tsv -task caller -save run -- caller 20000
holds "$(calls_of ${sys}getppid) == 20000"
holds "$(calls_of read_zero) == 2000"
holds "$(calls_of ${sys}getppid softirq) + $(calls_of ${sys}getppid irq) == 0"
head -1 out | grep -q "^function	object	caller	calls	calls_s	self_ns	self_ns_lo	self_ns_hi	total_ns	total_ns_lo	total_ns_hi	" ||
	fail "columns: $(head -1 out)"
holds "$(calls_of read_zero total_ns_lo) <= $(calls_of read_zero total_ns)"
holds "$(calls_of read_zero total_ns) < $(calls_of read_zero total_ns_hi)"

# The saved run: the same counts, the callers, the sums.
expect 0 probe calls -tsv -arcs run
holds "$(calls_of read_zero) == 2000"
awk -F '\t' '$1 == "read_zero" && $3 == "vfs_read" { found = 1 } END { exit !found }' out || fail "no arc"
expect 0 probe show -tsv run
holds "$(calls_of ${sys}getppid) == 20000"
expect 0 probe verify run
grep -q "a run of 'probe calls'.*sums hold" out || fail "verify"
expect 0 probe flat run
expect 0 probe calls run
grep -q '^(3 functions, .* none lost;' out || fail "head"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] || fail "too wide"

# Two threads, counted for the whole machine.
expect 0 probe calls -fn ${sys}getppid -tsv -- caller 3000 2
holds "$(calls_of ${sys}getppid) == 6000"

# Functions that were not called, while one was.
expect 0 probe calls -fn "${sys}getppid,${sys}swapo*" -never -tsv -- caller 10
cut -f 1 out | grep -q swapo || fail "-never lacks a function"
! grep -q getppid out || fail "-never has a function that was called"

# Counting ends at its budget; what was counted is shown.
expect 0 probe calls -fn ${sys}getppid -budget 0.001 -tsv -- caller 200000
grep -q 'counting ended after' err || fail "no warning"
grep -q "most frequent were ${sys}getppid" err || fail "no names"
holds "$(calls_of ${sys}getppid) > 0 && $(calls_of ${sys}getppid) < 200000"

# Tables that are too small lose calls, and say so.
expect 0 probe calls -fn '*,!probe*' -memory 4 -sec 1
grep -q 'found no room' err || fail "nothing lost"

expect 1 probe calls -fn vfs_raed -sec 1
grep -q 'did you mean vfs_read?' err || fail "no suggestion"
expect 1 probe calls -fn '!vfs_*' -sec 1
expect 2 probe calls -sec 1
grep -q 'fn is missing' err || fail "no reason"
expect 2 probe calls -fn 'x*' run
expect 125 probe calls -fn '*' -- true
grep -q 'limit the time with -sec' err || fail "no hint"
# Linux 7.3 refuses to switch ftrace off.
if sysctl -q kernel.ftrace_enabled=0 2>/dev/null; then
	expect 1 probe calls -fn vfs_read -sec 1
	grep -q 'ftrace_enabled' err || fail "no remedy"
	sysctl -q kernel.ftrace_enabled=1
else
	case $(uname -r) in 6.*) fail "ftrace stays on" ;; esac
fi
