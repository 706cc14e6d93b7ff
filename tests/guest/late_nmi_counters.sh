# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=arm64
# rig: icount
# rig: smp=2
# rig: boot=nmi_watchdog=0
# rig: only=6.12-nmi
# rig: timeout=300
# The tool's samples by NMI where these are overflows of the counter of cycles, of which QEMU counts one in each
# nanosecond, also while a CPU is idle: shares of cycles are shares of time here. A module keeps interrupts off for
# 50.4% of CPU 1's time.
# The emulator knows when the counter of cycles overflows, but finds out late for others: the first event gets that counter,
# so the watchdog is off.
. /test/guest-lib.sh
# Two emulated CPUs share one time, so that an interrupt seems to take long: the kernel is not to stop counters for that.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
insmod /test/shade.ko || fail "no shade.ko"

# of KEY: a value of the module's function, from TSV.
of() { tsv shade_off\ \[shade\] "$1"; }
expect 0 probe late -nmi -cpu 1 -rate 4000 -sec 2 -deferred-over 5us -tsv
cat out err
near "$(of share)" 50.4 2.75
near "$(of late)" "$(of share)" 4
holds "$(of lo) <= $(of share) && $(of share) <= $(of hi) && $(of late_lo) < $(of late_hi)"
echo "by NMI $(of share), by lateness $(of late)" >figures
grep -q shade_on out && fail "interrupts are on there"
says err '^Receipt: cycles by NMI with a period of (249|250)[0-9]{3}, 4000 Hz asked, (39[6-9]|40[0-3])[0-9][.0-9]* Hz$'
# Refusals
for option in '-event page-faults' '-idle sleep' '-deferred exclude' '-deferred-over 5us' '-engine bpf' '-jitter poisson'; do
	# shellcheck disable=SC2086 # an option and its value
	expect 2 probe sys -nmi -sec 1 $option
	one_line_error '-nmi cannot be combined with'
done
rmmod shade
