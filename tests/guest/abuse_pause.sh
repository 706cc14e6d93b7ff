# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: alone
# rig: timed
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1 nosoftlockup
# The machine stops for ten seconds while it is sampled: their periods are missed, and all sums hold.
# The rate is not halved, since one pause is not an overload. With periods of 50 ms a busy host causes
# hardly any missed periods.
. /test/guest-lib.sh
began=$(now)
probe sys -sec 14 -rate 20 -save run -json >out 2>err &
pid=$!
background_pids=$pid
await is_sampling
sleep 1
echo "rig: pause 10" >/dev/ttyS1
wait $pid || { cat err; fail "sums do not hold"; }
cat err
missed=$(json missed) expected=$(json expected)
echo "$(json samples) samples, $missed missed, $expected expected in $(json seconds) s" >figures
cat figures
holds "$(json samples) + $missed == $expected"
periods_fit "$expected" "$(json seconds)" 2 20 "$began"
holds "$missed >= 2 * (10 * 20 - 2)" "of two CPUs in ten seconds"
expect 0 probe verify run
grep -q halved err && fail "the rate was halved"
expect 0 probe sys -sec 2 -rate 20 -json
holds "$(json samples) > 0 && $(json samples) + $(json missed) == $(json expected)"
