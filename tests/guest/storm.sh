# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: timed
# Sessions start, end and are killed while programs fork, exec and exit, and a CPU goes offline and
# online: the sums of a run during all this hold, and nothing is left.
. /test/guest-lib.sh
for _ in 1 2; do
	background sh -c 'while :; do /bin/busybox true | cat; done'
done
background sh -c 'while :; do probe sys -sec 0.05 -rate 5000 >/dev/null; done'
background sh -c 'while :; do timeout -s KILL 0.1 probe proc -sec 9 busybox >/dev/null; done'
background sh -c 'while :; do echo 0; sleep 0.2; echo 1; sleep 0.2; done >/sys/devices/system/cpu/cpu1/online'
expect 0 probe sys -sec 8 -json
holds "$(json samples) + $(json missed) == $(json expected) && $(json samples) > 0"
# CPU 0 is always online.
holds "$(json expected) >= 1000 * $(json seconds) - 2"
for pid in $background_pids; do kill -9 "$pid"; done
background_pids=
# A killed shell's child may just be starting, so kill until none is left. For a moment it still has the shell's name.
nobody() { killall -9 probe timeout; ! pidof probe; }
await nobody
sleep 1
await nobody
echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
is_sampling && fail "a timer is left"
rmmod cpuprobe || fail "something still holds the module"
