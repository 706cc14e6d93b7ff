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
# On RT hotplug waits for RCU, which waits for CPU 1, with or without sessions.
can_switch() { ! uname -v | grep -q PREEMPT_RT; }
switch_cpu2() {
	can_switch || return
	for online in 0 1 0 1 0 1; do
		echo $online >/sys/devices/system/cpu/cpu2/online || return
		echo >>switched
	done
}
: >switched
switch_cpu2 | hogged 100 >out || { cat out; fail "see above"; }
cat out
! can_switch || [ "$(wc -l <switched)" = 6 ] || fail "CPU 2 was not switched"
rmmod cpuprobe || fail "something holds the module"
