# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: smp=3
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1
# rig: timeout=700
# rig: ci=6.1,6.12
# A real-time task that never sleeps occupies CPU 1. Sessions on CPU 0 begin, end and are killed
# without waiting for CPU 1 or disturbing it, and CPU 2 can go offline and online.
. /test/guest-lib.sh
echo -1 >/proc/sys/kernel/sched_rt_runtime_us || fail "the rig: sched_rt_runtime_us"
# From 6.12 on a fair server still gives other tasks 5% of each CPU, unless it is disabled too.
mount -t debugfs none /sys/kernel/debug 2>/dev/null
server=/sys/kernel/debug/sched/fair_server/cpu1/runtime
[ ! -e $server ] || echo 0 >$server || fail "the rig: fair_server"
# Nothing else runs on CPU 1, as far as it can leave it: who wakes a task there sends an interrupt.
for pid in $$ /proc/[0-9]*; do
	taskset -p 5 "${pid#/proc/}" >/dev/null 2>&1 || true	# kthreads of one CPU
done
# On RT hotplug waits for RCU, which waits for CPU 1, with or without sessions.
can_switch() { ! uname -v | grep -q PREEMPT_RT; }
switch_cpu2() {
	can_switch || return
	for online in 0 1 0 1 0 1; do
		echo $online >/sys/devices/system/cpu/cpu2/online || return
		echo >>switched
	done
}
# pids_of NAME: print the processes of that name.
pids_of() { grep -l "^[0-9]* ($1)" /proc/[0-9]*/stat 2>/dev/null | tr -dc '0-9\n'; }
# of_stat PID FIELD: print a field of its stat.
of_stat() { cut -d ' ' -f "$2" "/proc/$1/stat" 2>/dev/null; }
# If the host delays a softirq, 6.1 leaves it and all later ones to ksoftirqd, which the task keeps from running. RCU
# waits then, and so does hotplug, with or without sessions. So the task stops for an instant.
relieve_ksoftirqd() {
	local pid
	while can_switch && sleep 5; do
		[ "$(of_stat "$1" 3)" = R ] || continue
		for pid in $(pids_of hogged); do
			[ "$(of_stat "$pid" 41)" = 1 ] || continue	# SCHED_FIFO
			kill -STOP "$pid"
			sleep 0.1
			kill -CONT "$pid"
			echo >>relieved
		done
	done
}
# sent_few: a debug kernel takes ten times as long and itself sends more than hogged allows, though not at each session.
sent_few() {
	[ "$patience" -gt 1 ] && grep -q '^interrupts at every session' out &&
		[ "$(sed -n 's/.*; \([0-9]*\) interrupts sent.*/\1/p' out)" -lt 300 ]
}
: >switched
: >relieved
relieve_ksoftirqd "$(pids_of ksoftirqd/1)" &
relief=$!
switch_cpu2 | hogged 300 >out || sent_few || { cat out; fail "see above"; }
kill $relief 2>/dev/null
echo "the task was stopped $(wc -l <relieved) times" >>out
cat out
! can_switch || [ "$(wc -l <switched)" = 6 ] || fail "CPU 2 was not switched"
rmmod cpuprobe || fail "something holds the module"
