# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: timeout=280
# Every call is followed: numbers are exact, all time is in one sum, triggers and limits hold, the code path has
# the calls in order, a saved trace shows the same, and bad requests are refused.
. /test/guest-lib.sh
value_of() {	# value_of COLUMN VALUE COLUMN: the sum of the last column where the first has a value
	awk -F '\t' -v by="$1" -v wanted="$2" -v key="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at[by] == wanted { sum += $at[key] }
		END { print sum + 0 }' out
}
of() { value_of function "$@"; }

expect 0 probe trace -fn vfs_read,read_zero -syscalls -task caller -memory 4096 -tsv -save run -- caller 20000
holds "$(of getppid calls) == 20000"
holds "$(of read_zero calls) == 2000"
holds "$(of read_zero ended) + $(of read_zero cut) == 2000"
holds "$(of read_zero max_ns) >= $(of read_zero avg_ns)"
holds "$(of read_zero avg_ns) >= $(of read_zero min_ns)"
holds "$(of vfs_read elapsed_raw_ns) == $(of vfs_read net_raw_ns) + $(of read_zero elapsed_raw_ns)"
holds "$(of vfs_read net_ns) < $(of vfs_read net_raw_ns)"
both=$(($(of vfs_read calls) + $(of read_zero calls)))

# The saved trace.
cp out measured
expect 0 probe trace -tsv run
cmp out measured || fail "the saved trace differs"
expect 0 probe verify run
grep -q "a run of 'probe trace', [0-9]* events: all [0-9]* sums hold" out || fail "verify"
expect 0 probe show run
grep -q '^Trace of Calls' out || fail "probe show"
grep -q 'ns: all time of the CPUs$' out || fail "the sums"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] || fail "too wide"
# A clock of 62.5 MHz, as arm64's here, takes some calls to be of no time, whose bin begins at 0, without a unit.
expect 0 probe trace -hist getppid -n 1 run
[ "$(awk '/^getppid$/ { on = 1 } on && / to / { sub(/ *#*$/, ""); sum += $NF } END { print sum }' out)" = 20000 ] || { cat out; fail "the histogram's sum"; }
printf '[reading]\nvfs_*\nread_*\n' >groups
expect 0 probe trace -group groups -tsv run
holds "$(of reading calls) == $both"
# A file of groups that cannot be read is said before a call is followed.
expect 125 probe trace -group none -save unsaved -fn vfs_read -- touch followed
grep -q '^probe: open none: No such file' err || fail "the file of groups"
[ ! -e followed ] && [ ! -e unsaved ] || fail "it was followed"

# The code path: each read_zero is in a vfs_read, which is in a read.
expect 0 probe trace -flow -tsv run
holds "$(awk -F '\t' '$6 == "call" && $7 == "read_zero"' out | wc -l) == 2000"
holds "$(awk -F '\t' '$6 == "call" { if ($7 == "read_zero" && (names[$5 - 1] != "vfs_read" || names[$5 - 2] != "read")) bad++
	names[$5] = $7 } END { print bad + 0 }' out) == 0"
expect 0 probe trace -longest read_zero run
grep -q -- '-> read_zero (' out || fail "no longest call"
expect 1 probe trace -longest nothing run

# A sleep is blocked time, and in no elapsed time.
expect 0 probe trace -fn hrtimer_nanosleep -task sleep -tsv -- sleep 0.2
holds "$(of hrtimer_nanosleep calls) == 1"
holds "$(of hrtimer_nanosleep blocked_ns) > 190000000"
holds "$(of hrtimer_nanosleep elapsed_ns) < 50000000"

# Triggers: the 101st read until the next write of a program; a mark.
expect 0 probe trace -fn '' -syscalls -start-at read_zero:101 -task caller -tsv -- caller 3000
holds "$(of read_zero calls) == 200"
expect 0 probe trace -fn vfs_write -syscalls -start-mark go -stop-at vfs_open -flow -tsv -- \
	sh -c 'probe mark no; probe mark go; : >file; : >other'
holds "$(awk -F '\t' '$7 == "vfs_open" && $6 == "call"' out | wc -l) == 1"
expect 1 probe trace -fn read_zero -start-mark never -sec 0.1
grep -q 'nothing was recorded' err || fail "no reason"

# Memory: it ends when it is full, or the oldest events are overwritten.
expect 0 probe trace -fn read_zero -syscalls -memory 4 -task caller -- caller 3000
grep -q 'until a buffer was full' out || fail "not full"
expect 0 probe trace -fn read_zero -syscalls -memory 16 -wrap -task caller -tsv -save wrapped -- caller 3000
holds "$(of getppid calls) < 3000"
holds "$(of exit_group calls) == 1"
expect 0 probe verify wrapped
expect 0 probe trace -fn read_zero -task caller -events 100 -tsv -- caller 3000
holds "$(of read_zero calls) <= 50"

# Bad requests.
expect 2 probe trace
expect 2 probe trace -fn vfs_read -events 9 -wrap
expect 2 probe mark
expect 1 probe trace -fn no_such_function_at_all
expect 1 probe trace -fn vfs_read -stop-at no_such_function_at_all
head -c 3000 run >short
expect 1 probe trace short
expect 127 probe trace -fn vfs_read -- no-such-program
