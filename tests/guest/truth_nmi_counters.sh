# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=arm64
# rig: icount
# rig: smp=2
# rig: boot=nmi_watchdog=0
# rig: only=6.12-nmi
# rig: timeout=120
# As truth_nmi, where the NMIs are overflows of the counter of cycles (pseudo-NMI): a module keeps interrupts off for
# 50.4% of a CPU's time. The share of samples that find them off is right to within four standard errors of 4,000
# samples and the half percent that other interrupts add. At least 999 of 1,000 of these samples in the module are at
# instructions that run with interrupts off.
# The emulator knows when the counter of cycles overflows, but finds out late for others: the first event gets that counter,
# so the watchdog is off.
. /test/guest-lib.sh
# Two emulated CPUs share one time, so that an interrupt seems to take long: the kernel is not to stop counters for that.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
seconds=4 four_errors=0.037 wrong_places=0.001
. /test/truth_nmi.sh
