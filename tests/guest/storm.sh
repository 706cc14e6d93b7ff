# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.1
# Sessions that start, end and are killed while programs fork, exec and exit, and a CPU comes
# and goes: nothing is left, the sums of a run through all of it hold.
. /test/guest-lib.sh
for i in 1 2; do
	background sh -c 'while :; do /bin/busybox true | cat; done'
done
background sh -c 'while :; do probe sys -sec 0.05 -rate 5000 >/dev/null; done'
background sh -c 'while :; do timeout -s KILL 0.1 probe proc -sec 9 busybox >/dev/null; done'
background sh -c 'while :; do echo 0; sleep 0.2; echo 1; sleep 0.2; done >/sys/devices/system/cpu/cpu1/online'
expect 0 probe sys -sec 8 -json
holds "$(json samples) + $(json missed) == $(json expected) && $(json samples) > 1000"
for pid in $background_pids; do kill -9 "$pid"; done
background_pids=
sleep 1
killall -9 probe timeout 2>/dev/null
echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
sleep 0.5
grep -q sampler_fire /proc/timer_list && fail "a timer is left"
rmmod cpuprobe || fail "something still holds the module"
