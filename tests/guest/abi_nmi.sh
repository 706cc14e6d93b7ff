# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: smp=2
# rig: timeout=300
# rig: ci=6.1,6.12
# The interface for sampling by NMI, which a CPU sends to its neighbour; arm64 has none that a module may
# take. Refusals, sums, four sessions at 5 kHz each, sessions that end while NMIs are on their way, CPUs that go and
# come. The kernel never complains about an NMI that nobody knows ("Uhhuh", "Dazed"). Nothing holds the
# module afterwards.
. /test/guest-lib.sh
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_rate=1000000 max_overhead_pct=10000 slow_down=0 || fail "insmod"
expect 0 abi_nmi
sed -n 's/^# //p' err >figures
[ ! -s out ] || { cat out; fail "see above"; }

# Samples with interrupts off are in the code that keeps them off, and none is in the code beside it that does not.
# A busy host stops CPUs anywhere, so their share is judged with exact time only, by truth_nmi.
insmod /test/shade.ko || fail "no shade.ko"
expect 0 abi_nmi shade 4
cat out >>figures
read -r _ _ samples inside outside <out
holds "$samples > 0 && $inside > 0 && $outside == 0" "$(cat out)"
rmmod shade
rmmod cpuprobe || fail "something holds the module"
dmesg | grep -iE 'uhhuh|dazed' && fail "an NMI that nobody knew"
:
