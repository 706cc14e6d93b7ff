# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: ci=6.1
# rig: smp=2
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1
# rig: timeout=300
# Sessions that count calls end without waiting for a CPU that a real-time task occupies, although
# their hooks can only be removed after the task has gone.
. /test/guest-lib.sh
echo -1 >/proc/sys/kernel/sched_rt_runtime_us || fail "the rig: sched_rt_runtime_us"
# From 6.12 on a fair server still gives other tasks 5% of each CPU, unless it is disabled too.
mount -t debugfs none /sys/kernel/debug 2>/dev/null
server=/sys/kernel/debug/sched/fair_server/cpu1/runtime
[ ! -e $server ] || echo 0 >$server || fail "the rig: fair_server"
calls_hogged >out || { cat out; fail "see above"; }
cat out
# Unloading waits for the worker that removes the hooks.
rmmod cpuprobe || fail "something holds the module"
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
[ ! -s /sys/kernel/tracing/enabled_functions ] || fail "hooks are left"
