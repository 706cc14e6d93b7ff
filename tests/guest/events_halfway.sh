# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: smp=4
# rig: quick=6.12
# rig: ci=6.12
# rig: timeout=200
# A session of events that begins while CPU 1 comes or goes counts on that CPU later, and says that it did not at first.
. /test/guest-lib.sh
rmmod cpuprobe
insmod /test/doorway.ko || fail "no doorway.ko"
load
expect 0 halfway race 20
cat err >figures
[ $machine = x86 ] || {
	expect 0 halfway up
	expect 0 halfway down
	rmmod doorway && insmod /test/doorway.ko is_early=1 || fail "doorway.ko"
	expect 0 halfway up
	expect 0 halfway down
}
rmmod cpuprobe && rmmod doorway || fail "something holds a module"
