# SPDX-License-Identifier: GPL-2.0-only
# The module loads, its device node appears, a second load fails, and an unload leaves nothing.
. /test/guest-lib.sh
rmmod cpuprobe || fail "rmmod"
[ ! -e /dev/cpuprobe ] || fail "the device node is left"
insmod /lib/modules/cpuprobe.ko || fail "insmod"
[ -c /dev/cpuprobe ] || fail "no /dev/cpuprobe"
insmod /lib/modules/cpuprobe.ko 2>/dev/null && fail "loaded twice"
rmmod cpuprobe || fail "rmmod"
grep -q cpuprobe /proc/devices /proc/misc /proc/timer_list && fail "traces of the module are left"
insmod /lib/modules/cpuprobe.ko || fail "insmod after rmmod"
