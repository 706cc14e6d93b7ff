# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: ci=6.1,6.12
# rig: quick=6.12
# CPUs go offline and online while they are sampled. The number of periods is checked with bounds on
# the time offline: at least from the end of going offline to the begin of going online.
. /test/guest-lib.sh
began=$(now)
probe sys -sec 6 -json >out 2>err & pid=$!
await is_sampling
least=0 most=0	# seconds that CPU 1 is offline
for _ in 1 2 3; do
	sleep 0.4
	cpu1_offline
	sleep 0.4
	cpu1_online
	least=$(awk "BEGIN { print $least + $coming - $gone - 0.02 }")
	most=$(awk "BEGIN { print $most + $come - $going + 0.02 }")
done
wait $pid || { cat err; fail "sums do not hold across hotplug"; }
holds "$(json samples) + $(json missed) == $(json expected)"
holds "$(json expected) >= 1000 * (2 * $(json seconds) - $most) - 20"
holds "$(json expected) <= 1000 * (2 * ($(now) - $began) - $least) + 20"
# a run started while the CPU is offline samples it once it is online
cpu1_offline
began=$(now)
probe sys -sec 8 -cpu 1 -json >out 2>err & pid=$!
sleep 1
cpu1_online
wait $pid || { cat err; fail "late CPU"; }
holds "$(json expected) >= 1000 * ($began + $(json seconds) - $come) - 20"
holds "$(json expected) <= 1000 * ($(now) - $coming) + 20"
