# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: timed
# rig: timeout=200
# Sums hold for CPUs that sleep with -idle sleep, with other identities, hotplug, many sessions and a
# killed tool; and -idle sleep refuses options that exclude it.
. /test/guest-lib.sh

# a process session, and other identities
background spin 30
expect 0 probe proc -idle sleep -sec 1 -json -save proc.run spin
expect 0 probe verify proc.run
for by in pid thread comm cgroup; do
	expect 0 probe sys -idle sleep -by $by -sec 0.5 -json -save by.run
	says out '"name": "IDLE"'
	expect 0 probe verify by.run
done
kill $last_pid

# CPUs go offline and online while they sleep; CPU 0 is always online
began=$(now)
(for i in 1 2 3; do sleep 0.4; echo 0; sleep 0.4; echo 1; done >/sys/devices/system/cpu/cpu1/online) &
expect 0 probe sys -idle sleep -sec 3 -json -save hotplug.run
holds "$(number expected) >= 1000 * $(json seconds) - 2"
holds "$(number expected) <= 2 * (1000 * ($(now) + 0.02 - $began) + 2)"
wait $!
expect 0 probe verify hotplug.run

# eight such sessions at once, no more; killed while asleep; without disturbing ordinary sessions
for i in 1 2 3 4 5 6 7 8; do
	probe sys -idle sleep -sec 3600 -rate $((50 * i)) >/dev/null 2>&1 &
	eval "pid$i=$!"
done
# shellcheck disable=SC2010 # links
all_sample() { [ "$(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c '/dev/cpuprobe$')" -ge 8 ]; }
await all_sample
# They have opened the device; the last of them starts.
sleep 5
expect 1 probe sys -idle sleep -sec 0.2
one_line_error 'start sampling: too many runs use -idle sleep'
says err '^hint: wait until one of them ends'
expect 0 probe sys -sec 0.5 -json
# shellcheck disable=SC2154 # of eval
kill -9 "$pid3"
wait "$pid3" 2>/dev/null
expect 0 probe sys -idle sleep -sec 1 -rate 200 -json -save many.run
expect 0 probe verify many.run
for i in 1 2 4 5 6 7 8; do eval "kill -TERM \$pid$i; wait \$pid$i" || fail "session $i"; done
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
rmmod cpuprobe || fail "something still holds the module"
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000

# exclusive options
expect 2 probe sys -idle sleep -jitter poisson
one_line_error '-idle sleep cannot be combined with -jitter poisson'
expect 2 probe sys -idle nap
one_line_error "'nap' is not one of sample, sleep"
expect 2 probe late -idle sleep
one_line_error "late: unknown option '-idle'"
