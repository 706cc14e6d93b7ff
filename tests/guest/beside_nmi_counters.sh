# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=arm64
# rig: smp=2
# rig: only=6.12-nmi
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1 nosoftlockup nmi_watchdog=0
# rig: timeout=300
# Others that take interrupts which code cannot keep off, beside samples by NMI: the kernel's watchdog of hard lockups,
# perf's samples of cycles, and the kernel's backtraces (sysrq l). Each gets its own, and the sums hold. The console does
# not show the backtraces, which would be a failure of the kernel.
# The emulator knows when the counter of cycles overflows, but finds out late for others: the first event gets that counter,
# so the watchdog must come later.
. /test/guest-lib.sh
# Two emulated CPUs share one time, so that an interrupt seems to take long: the kernel is not to stop counters for that.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
dmesg -n 1
dmesg -c >/dev/null
background spin 300
probe sys -nmi -sec 60 -save run -json >out 2>err &
pid=$!
sleep 5
echo 1 >/proc/sys/kernel/nmi_watchdog
[ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ] || fail "no watchdog of hard lockups"
perf record -q -e cycles -c 1000000 -a -o perf.data -- sleep 3 2>perf.err || { cat perf.err; fail "perf"; }
n=$(perf script -i perf.data 2>/dev/null | grep -c ' cycles')
# QEMU counts a cycle in each nanosecond, but a busy host is late to say so.
holds "$n > 100" "perf has $n samples of 6000"
for i in $(seq 10); do
	taskset $((i % 2 + 1)) sh -c 'echo l >/proc/sysrq-trigger'
	dmesg -c >>backtraces
done
kill -TERM $pid
wait $pid || { cat err; fail "sys -nmi"; }
cat err
for cpu in 0 1; do
	b=$(grep -c "NMI backtrace for cpu $cpu" backtraces)
	[ "$b" = 10 ] || { tail -n 40 backtraces; fail "$b backtraces of CPU $cpu, not 10"; }
done
holds "$(json samples) > 0 && $(json samples) + $(json missed) == $(json expected)" "$(cat out)"
echo "perf: $n samples of 6000; 10 backtraces of each CPU; $(json samples) samples by NMI, $(json missed) missed" >figures
expect 0 probe verify run
end_background
dmesg -n 5
