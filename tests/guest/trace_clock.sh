# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: alone
# rig: icount
# rig: shift=1
# rig: boot=tsc=unstable
# rig: arch=x86
# The kernel trusts the generic timer of arm64 always.
# The kernel does not trust the clock: traces are recorded, and every report says so. Calls and their sums on
# each CPU are right.
. /test/guest-lib.sh
clocks=/sys/devices/system/clocksource/clocksource0
grep -q tsc $clocks/available_clocksource && fail "the rig: the tsc is trusted"
expect 0 probe trace -fn read_zero -sched -syscalls -tsv -o function,calls,ended -save run -- caller 1000 4
says err "^probe: the kernel does not trust this machine's clock: times of different CPUs may differ"
says err '^hint: '
holds "$(tsv read_zero calls) == 400 && $(tsv read_zero ended) == 400"
expect 0 probe trace run
says out '^Clock  *unstable: CPUs may differ'
says out 'all time of the CPUs$'
expect 0 probe trace -json run
says out '"is_clock_stable": false'
expect 0 probe trace -flow run
says err 'does not trust'
expect 0 probe export -perfetto page run
says err 'does not trust'
expect 0 probe verify run
says out 'sums hold'
expect 0 probe doctor
says out 'does not trust the tsc'
[ "$patience" = 1 ] || skip "a coarse clock: this kernel makes too few calls in a tick"
# The next clock moves in steps of 17 ms, like the scheduler's clock when ticks are late. Traces begin all the same: they
# measure the cost of a call again until the clock has moved. Between two steps the scheduler's clock goes on for a tick,
# in which a slow machine makes too few calls: so an instruction takes exactly 2 ns.
before=$(cat $clocks/current_clocksource)
insmod /test/coarse.ko shift=24 || fail "no coarse.ko"
echo coarse >$clocks/current_clocksource
[ "$(cat $clocks/current_clocksource)" = coarse ] || fail "the rig: $(cat $clocks/current_clocksource)"
for _ in 1 2 3 4 5; do
	expect 0 probe trace -fn read_zero -tsv -o function,calls -- caller 100 4
	holds "$(tsv read_zero calls) == 40"
done
echo "$before" >$clocks/current_clocksource
rmmod coarse
