# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: smp=4
# rig: quick=6.12
# rig: ci=6.12
# rig: timeout=200
# CPUs that send each other NMIs do so in a ring, so that each one bears one timer: also after they have gone offline and
# come back, one after the other, as they do when the machine sleeps.
. /test/guest-lib.sh
system=/sys/devices/system/cpu
# senders: print how many timers each CPU bears
senders() {
	awk '/^cpu: / { cpu = $2 } /cpuprobe_fire_nmi/ { n[cpu]++ }
		END { for (cpu = 0; cpu < 4; cpu++) printf "%d%s", n[cpu], cpu < 3 ? " " : "\n" }' /proc/timer_list
}
# is_ring NUMBERS WHEN: a timer that fires while the list is read is not in it; a wrong ring stays wrong.
is_ring() {
	tries=20
	until now=$(senders) && [ "$now" = "$1" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "$2: CPUs 0 to 3 bear these timers: $now"
		sleep 0.1
	done
}
probe sys -nmi -rate 50 -sec 3000 -save run -json >out 2>err &
pid=$!
await sh -c 'grep -q cpuprobe_fire_nmi /proc/timer_list'
is_ring '1 1 1 1' "at the start"
for cpu in 1 2 3; do
	echo 0 >$system/cpu$cpu/online
	[ $cpu != 1 ] || is_ring '1 0 1 1' "without CPU 1"
done
is_ring '0 0 0 0' "on one CPU"
for cpu in 1 2 3; do
	echo 1 >$system/cpu$cpu/online
	[ $cpu != 1 ] || is_ring '1 1 0 0' "with CPU 1"
done
is_ring '1 1 1 1' "when all are back"
# In the opposite order.
for cpu in 3 2 1; do echo 0 >$system/cpu$cpu/online; done
for cpu in 3 2 1; do echo 1 >$system/cpu$cpu/online; done
is_ring '1 1 1 1' "when all are back again"
kill -TERM $pid
wait $pid || { cat err; fail "sys -nmi"; }
holds "$(json samples) > 0 && $(json samples) + $(json missed) == $(json expected)" "$(cat out)"
expect 0 probe verify run
