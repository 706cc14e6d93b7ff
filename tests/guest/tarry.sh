# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: smp=2
# rig: quick=6.12
# rig: ci=6.1,6.12
# rig: timeout=120
# With -idle sleep, a harvest is held up while it has borrowed the sampler of a CPU that idles. If that CPU wakes, what it does
# until it has its sampler back is missed, not idle, and counts for one record.
. /test/guest-lib.sh
insmod /test/tarry.ko function=sleep_return stay_ms=25 || fail "no tarry.ko"
expect 0 tarry 4
cat err >figures
[ ! -s out ] || { cat out; fail "see above"; }
rmmod tarry && rmmod cpuprobe || fail "something holds a module"
