# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=280
# Calls are timed one by one: of functions, by path, by process, and of system calls. Their numbers are
# exact; the parts of a time add up; a saved run shows the same; bad requests are refused.
. /test/guest-lib.sh
value_of() {	# value_of COLUMN VALUE COLUMN: the sum of the last column where the first has a value
	awk -F '\t' -v by="$1" -v wanted="$2" -v key="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at[by] == wanted { sum += $at[key] }
		END { print sum + 0 }' out
}
of() { value_of function "$@"; }
of_process() {	# leaves only the rows of one process
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 1 || $at["process"] == name' out >rows && mv rows out
}

expect 0 probe calls -each -fn ${sys}getppid,vfs_read,read_zero -task caller -tsv -save run -- caller 20000
holds "$(of ${sys}getppid calls) == 20000"
holds "$(of ${sys}getppid ended) == 20000"
holds "$(of read_zero calls) == 2000"
holds "$(of vfs_read descendants) == 2000"
holds "$(of vfs_read missed) + $(of vfs_read recursive) + $(of vfs_read errors) == 0"
holds "$(of read_zero min_ns) <= $(of read_zero avg_ns)"
holds "$(of read_zero avg_ns) <= $(of read_zero max_ns)"
holds "$(of vfs_read net_raw_ns) + $(of read_zero net_raw_ns) <= $(of vfs_read on_raw_ns)"
holds "$(of vfs_read on_raw_ns) + $(of vfs_read blocked_ns) + $(of vfs_read preempted_ns) + \
	$(of vfs_read interrupted_ns) == $(of vfs_read wall_raw_ns)"
holds "$(of vfs_read wall_ns) < $(of vfs_read wall_raw_ns)"

# The saved run.
cp out measured
expect 0 probe calls -tsv run
cmp out measured || fail "the saved run differs"
expect 0 probe calls -json run
expect 0 probe verify run
grep -q "a run of 'probe calls'.*sums hold" out || fail "verify"
expect 0 probe calls -hist -sort name run
grep -q '^Times of Kernel Functions' out || fail "no title"
grep -q '^(.* calls in .* s, timed from begin to end; 0 had not ended)' out || fail "no head"
[ "$(awk -v name="${sys}getppid" '$0 == name { on = 1 } /^$/ { on = 0 } on && / to / { sum += $6 } END { print sum }' out)" = 20000 ] ||
	fail "the histogram's sum"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] || fail "too wide"

# A sleep is blocked time.
expect 0 probe calls -each -processes -fn hrtimer_nanosleep -tsv -- sleep 0.2
of_process sleep
holds "$(of hrtimer_nanosleep calls) == 1"
holds "$(of hrtimer_nanosleep blocked_ns) > 190000000"

# Paths, and processes.
expect 0 probe calls -paths -processes -fn vfs_read,read_zero,${sys}getppid -tsv -- caller 3000
holds "$(value_of path 'caller;vfs_read;read_zero' calls) == 300"
holds "$(value_of path 'caller;read_zero' calls) == 0"
holds "$(value_of path "caller;${sys}getppid" calls) == 3000"
expect 0 probe calls -paths -fn vfs_read,read_zero -task caller -- caller 3000
grep -q '^vfs_read  ' out || fail "no outer row"
grep -q '^  read_zero  ' out || fail "no inner row"
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -le 80 ] || fail "too wide"

# Paths by function, and in other tools' formats.
expect 0 probe calls -paths -fn vfs_read,read_zero -task caller -save paths -folded folded -speedscope scope -- caller 3000
grep -q '^vfs_read;read_zero [1-9][0-9]*$' folded || fail "folded: $(cat folded)"
grep -q '"unit": "nanoseconds"' scope || fail "speedscope"
expect 0 probe calls -tsv paths
inner=$(value_of path 'vfs_read;read_zero' calls)
[ "$inner" = 300 ] || fail "$inner calls"
expect 0 probe calls -tsv -functions paths
holds "$(of read_zero calls) == 300 && $(of read_zero depth) == 0"
holds "$(of vfs_read descendants) >= 300"
expect 2 probe calls -functions run
one_line_error 'calls: -functions needs calls timed by path; those of the run were not'
expect 2 probe calls -functions -each -fn vfs_read
expect 2 probe calls -folded x -fn vfs_read

# System calls and their errors.
expect 0 probe calls -syscalls -processes -tsv -- caller 5000
of_process caller
holds "$(of getppid calls) == 5000"
holds "$(of getppid errors) == 0"
expect 1 probe calls -syscalls -task cat -tsv -- cat /none
holds "$(value_of errors 1 calls) >= 1"

# Tables without room for a path count its calls together; those too small for the functions refuse.
expect 0 probe calls -each -processes -fn ${sys}getppid -task caller -memory 4 -tsv -- sh -c 'for i in 1 2 3 4 5 6; do caller 100; done'
holds "$(of ${sys}getppid calls) + $(of '(no room)' calls) == 600"
holds "$(of '(no room)' calls) > 0"
grep -q 'calls found no room in the table' err || fail "no warning"
expect 1 probe calls -each -fn 'vfs_*' -memory 4 -sec 1
grep -q 'no room for so many functions' err || fail "no reason"

# Timing ends at its budget.
expect 0 probe calls -each -fn ${sys}getppid -budget 0.001 -tsv -- caller 200000
grep -q 'timing ended after' err || fail "no warning"
holds "$(of ${sys}getppid calls) > 0 && $(of ${sys}getppid calls) < 200000"

# All kprobes are switched off: calls are timed all the same, by ftrace. arm64 has no kprobes on ftrace, and refuses.
mount -t debugfs none /sys/kernel/debug 2>/dev/null
echo 0 >/sys/kernel/debug/kprobes/enabled
if [ $machine = arm64 ]; then
	expect 125 probe calls -each -fn ${sys}getppid -tsv -- caller 100
	cat err
else
	expect 0 probe calls -each -fn ${sys}getppid -tsv -- caller 100
	holds "$(of ${sys}getppid calls) == 100 && $(of ${sys}getppid ended) == 100"
fi
echo 1 >/sys/kernel/debug/kprobes/enabled
# The same while calls are timed or traced: what arm64 misses from then on is told, with the run that is saved.
[ $machine = arm64 ] && unhooked=DISABLED || unhooked=nothing
is_hooked() { grep getppid /sys/kernel/debug/kprobes/list | grep -qv "$unhooked"; }
for command in 'calls -each' trace; do
	# shellcheck disable=SC2086 # words
	probe $command -fn ${sys}getppid -sec 2 -save run >/dev/null 2>told & run=$!
	await is_hooked
	sleep 0.2
	echo 0 >/sys/kernel/debug/kprobes/enabled
	wait $run || fail "probe $command: $(cat told)"
	echo 1 >/sys/kernel/debug/kprobes/enabled
	expect 0 probe show -json run
	if [ $machine = arm64 ]; then
		says told '^probe: calls are missing: all kprobes of the kernel were switched off during the run$'
		says out '"is_switched_off": true'
	else
		! grep "switched off" told || fail "ftrace's hooks cannot be switched off"
		says out '"is_switched_off": false'
	fi
done

expect 2 probe calls -each -paths -fn vfs_read
expect 2 probe calls -syscalls -fn vfs_read
expect 2 probe calls -each -never -fn vfs_read
expect 2 probe calls -processes -fn vfs_read
grep -q 'add -each' err || fail "no hint"
expect 2 probe calls -hist -fn vfs_read
expect 2 probe calls -each -sec 1
expect 2 probe calls -each run
