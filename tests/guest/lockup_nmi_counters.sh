# SPDX-License-Identifier: GPL-2.0-only
# The watchdog of hard lockups still sees one while samples are taken by the counters' NMIs: a CPU that keeps interrupts
# off for 20 s.
# rig: alone
# rig: arch=arm64
# rig: smp=2
# rig: only=6.12-nmi
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1 nosoftlockup nmi_watchdog=0
# rig: expect=hard LOCKUP on cpu 1
# The emulator knows when the counter of cycles overflows, but finds out late for others: the first event gets that counter,
# so the watchdog must come later.
. /test/guest-lib.sh
echo 1 >/proc/sys/kernel/watchdog_thresh
taskset 1 probe sys -nmi -sec 40 >out 2>err &
sleep 2
echo 1 >/proc/sys/kernel/nmi_watchdog
# It would wait for the other CPU; its session goes on.
kill -STOP $!
taskset 1 insmod /test/shade.ko off_us=20000000 || fail "no shade.ko"
sleep 22
