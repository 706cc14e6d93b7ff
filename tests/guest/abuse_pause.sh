# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.1
# rig: alone
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1 nosoftlockup
# A machine that loses ten seconds while it is sampled: they are missed, and all else is well. In
# particular the rate stays, since losing time once is not being asked for too much. Few samples,
# so that a busy host takes next to none of the others.
. /test/guest-lib.sh
probe sys -sec 14 -rate 100 -save run -json >out 2>err &
pid=$!
background_pids=$pid
sleep 1
echo "rig: pause 10" >/dev/ttyS1
wait $pid || { cat err; fail "sums do not hold"; }
cat err
missed=$(json missed) expected=$(json expected)
echo "$(json samples) samples, $missed missed, $expected expected in $(json seconds) s" >figures
cat figures
holds "$(json samples) + $missed == $expected"
near "$expected" "2 * 100 * $(json seconds)" 20
holds "$missed > 1900 && $missed < 2300" "of two CPUs in ten seconds"
expect 0 probe verify run
grep -q halved err && fail "the rate was halved"
expect 0 probe sys -sec 1 -rate 100 -json
holds "$(json missed) < 0.5 * $(json expected)"
