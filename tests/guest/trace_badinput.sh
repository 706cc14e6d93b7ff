# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=200
# Traces that go wrong: too little memory, triggers that never come, targets that exec or die, a module that
# is unloaded while its functions are traced, the tool killed. Nothing remains hooked.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
is_hooked() { [ "$(hooks)" != "$before" ]; }
# The first hooks are those that measure the cost of a call.
recording() {
	await is_hooked
	sleep 0.5
}
unhooked() { [ "$(hooks)" = "$before" ]; }
of() {	# of FUNCTION COLUMN: from out, a table of TSV; 0: no such row
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}

# Memory for no event, for one event, for more than the machine has.
expect 2 probe trace -fn read_zero -memory 3
expect 2 probe trace -fn read_zero -memory 1048577
expect 1 probe trace -fn read_zero -memory 1048576
says err 'more memory than is available, or half of all'
expect 0 probe trace -fn read_zero -events 1 -save run -- caller 1000
expect 0 probe verify run
expect 0 probe trace -fn read_zero -memory 4 -irq -syscalls -save run -- caller 1000
expect 0 probe verify run

# A trigger that never comes: the time, the command or Ctrl-C ends the waiting, and the message says so.
expect 1 probe trace -fn vfs_read -start-at read_zero:1000000 -sec 0.2
says err 'nothing was recorded'
expect 125 probe trace -fn vfs_read -start-mark never -- caller 100
says err 'nothing was recorded'
for signal in TERM HUP; do
	probe trace -fn vfs_read -start-mark never -sec 600 >out 2>err &
	recording
	kill -$signal $!
	wait $! && fail "it did not fail"
	says err 'nothing was recorded'
	await unhooked
done
# An end that never comes.
expect 0 probe trace -fn read_zero -stop-at vfs_rmdir -tsv -- caller 1000
holds "$(of read_zero calls) == 100"
# Ctrl-C ends a trace, which is reported.
probe trace -fn read_zero -sec 600 -tsv >out 2>err &
recording
kill -TERM $!
wait $! || fail "it was not reported"
says out '^elapsed_ns'

# A target that executes another program, and dies.
sh -c 'kill -STOP $$; exec caller 1000' &
target=$!
is_stopped() { grep -q '^State:.T' /proc/$target/status; }
await is_stopped
probe trace -fn read_zero -task $target -sec 2 -tsv >out 2>err &
recording
kill -CONT $target
wait $! || { cat err; fail "the target's end is a failure"; }
holds "$(of read_zero calls) == 100 && $(of read_zero ended) == 100"
expect 1 probe trace -fn read_zero -task $target -sec 1
one_line_error ''
expect 1 probe trace -fn read_zero -task no-such-program -sec 1

# A module is unloaded while its functions are traced: its calls keep their names, and a line says so.
insmod /test/known.ko || fail "no known.ko"
expect 0 probe trace -fn 'known:known_*,read_zero' -tsv -save run -- \
	sh -c 'echo 20 >/sys/module/known/parameters/rounds; rmmod known; caller 100'
holds "$(of known_a calls) == 20 && $(of known_d ended) == 20 && $(of read_zero calls) == 10"
says err '^probe: module known was unloaded during the trace: its calls until then are recorded'
expect 0 probe verify run
expect 0 probe trace -flow run
says out '-> known_d'
# It is loaded again during the trace: it is not hooked any more.
insmod /test/known.ko || fail "no known.ko"
expect 0 probe trace -fn 'known:known_*' -tsv -- sh -c 'echo 20 >/sys/module/known/parameters/rounds; rmmod known
	insmod /test/known.ko; echo 7 >/sys/module/known/parameters/rounds'
holds "$(of known_a calls) == 20"
rmmod known || fail "the hooks hold the module"

# The tool is killed.
probe trace -fn 'vfs_*' -sec 600 >out 2>err &
recording
kill -KILL $!
await unhooked
rmmod cpuprobe || fail "something holds the module"
load
