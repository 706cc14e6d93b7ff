# SPDX-License-Identifier: GPL-2.0-only
# CPUs that go and come while they are sampled.
. /test/guest-lib.sh
probe sys -sec 6 -json >out 2>err & pid=$!
for i in 1 2 3 4 5 6; do
	sleep 0.4
	echo $((i % 2 == 0)) >/sys/devices/system/cpu/cpu1/online || fail "hotplug"
done
sleep 0.5
echo 0 >/sys/devices/system/cpu/cpu1/online
wait $pid || { cat err; fail "sums do not hold across hotplug"; }
holds "$(json samples) + $(json missed) == $(json expected)"
holds "$(json expected) > 6300 && $(json expected) < 11500"
# begun while the CPU is away, it joins when it comes
probe sys -sec 3 -cpu 1 -json >out 2>err & pid=$!
sleep 1
echo 1 >/sys/devices/system/cpu/cpu1/online
wait $pid || { cat err; fail "late CPU"; }
holds "$(json expected) > 1000 && $(json expected) < 2600"
