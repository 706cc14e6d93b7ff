# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: quick=6.12
# rig: timeout=120
# rig: not=debug,kcsan
# CPUs go offline and online while BPF samples them. An event dies with its CPU, which the tool sees at the
# next harvest: for up to two seconds after its return a CPU is not sampled, and nothing is expected of it. The
# number of periods is checked with bounds on the time offline, with three seconds more for a host that pauses. The
# debug kernels have no BPF.
. /test/guest-lib.sh
began=$(now)
probe sys -engine bpf -sec 12 -json -save run >out 2>err & pid=$!
await sh -c "duty -programs | grep -q ."
sleep 1
cpu1_offline
sleep 1.6
cpu1_online
wait $pid || { cat err; fail "sums do not hold across hotplug"; }
expect 0 probe verify run
probe show -json run >out
holds "$(json samples) + $(json missed) == $(json expected)"
holds "$(json expected) <= 1000 * (2 * ($(now) - $began) - ($coming - $gone)) + 40" "not expected of a CPU that is offline"
holds "$(json expected) >= 1000 * (2 * $(json seconds) - ($come - $going) - 5) - 40" "sampled again after its return"
[ "$(json cpus)" = 2 ] || fail "not two CPUs"

# off and on all the time: nothing hangs, the sums hold
probe sys -engine bpf -sec 4 -save run >out 2>err & pid=$!
for _ in 1 2 3 4 5 6 7 8; do
	cpu1_offline
	cpu1_online
	sleep 0.1
done
wait $pid || { cat err; fail "sums do not hold while a CPU comes and goes"; }
expect 0 probe verify run

# a run started while the CPU is offline samples it once it is online
cpu1_offline
probe sys -engine bpf -sec 5 -cpu 1 >out 2>err && fail "sampled a CPU that is offline"
says err 'no chosen CPU is online'
began=$(now)
probe sys -engine bpf -sec 8 -json >out 2>err & pid=$!
sleep 1
cpu1_online
wait $pid || { cat err; fail "late CPU"; }
holds "$(json expected) >= 1000 * ($(json seconds) + $began + $(json seconds) - $come - 4) - 40"
holds "$(json expected) <= 1000 * (2 * ($(now) - $began) - ($coming - $began)) + 40"
[ -z "$(duty -programs)" ] || fail "a program is left"
