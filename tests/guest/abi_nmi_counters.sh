# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=arm64
# rig: only=6.12-nmi
# rig: smp=2
# rig: boot=nmi_watchdog=0
# rig: timeout=300
# The interface for sampling by NMI where the counter of cycles overflows by one: refusals, sums, several sessions at
# 5 kHz each, sessions that end at any time. Nothing holds the module afterwards.
# The emulator knows when the counter of cycles overflows, but finds out late for others: the first event gets that counter,
# so the watchdog is off.
. /test/guest-lib.sh
# Two emulated CPUs share one time, so that an interrupt seems to take long: the kernel is not to stop counters for that.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_rate=1000000 max_overhead_pct=10000 slow_down=0 || fail "insmod"
expect 0 abi_nmi
sed -n 's/^# //p' err >figures
[ ! -s out ] || { cat out; fail "see above"; }
rmmod cpuprobe || fail "something holds the module"
