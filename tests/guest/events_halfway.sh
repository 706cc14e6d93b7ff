# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: smp=4
# rig: ci=6.12
# rig: timeout=200
# A session of events that begins while CPU 1 comes or goes counts on that CPU later, and says that it did not at first;
# one that ends as soon as the CPU is back says so, too. An
# event that is refused on a CPU that is online is not counted on one that comes later either: clocks of tasks and CPUs,
# whose types have no names but follow those of perf_event_open(2); probes; counters that cannot interrupt.
. /test/guest-lib.sh
rmmod cpuprobe
insmod /test/doorway.ko || fail "no doorway.ko"
insmod /test/mute.ko || fail "no mute.ko"
load
units=/sys/bus/event_source/devices
type_of() { cat $units/"$1"/type; }
expect 0 halfway race 20
cat err >figures
expect 0 halfway back
for config in 0 1; do
	for type in 6 7; do expect 0 halfway refused $type $config ''; done
done
[ ! -e $units/kprobe ] || expect 0 halfway refused "$(type_of kprobe)" 0 ${sys}clock_nanosleep
expect 0 halfway refused "$(type_of mute)" 0 ''
expect 1 probe sys -sec 1 -event mute/config=0/ -period 1000
[ $machine = x86 ] || {
	expect 0 halfway up
	expect 0 halfway down
	rmmod doorway && insmod /test/doorway.ko is_early=1 || fail "doorway.ko"
	expect 0 halfway up
	expect 0 halfway down
}
rmmod cpuprobe && rmmod doorway && rmmod mute || fail "something holds a module"
