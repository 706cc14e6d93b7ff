# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: not=debug,kcsan
# rig: timeout=300
# rig: module sample_cost_ns=3000 max_overhead_pct=1
# Stacks cost more than START has claimed for them: the claim is raised; if the limit has no room for
# that, the rate is halved, and the tool says so. The receipt has the actual cost of samples.
. /test/guest-lib.sh
probe flat -rate 1000 -json -sec 14 -- toll work 16 >out 2>err & run=$!
sleep 13
# 1000 Hz at 6000 ns
expect_other() { probe sys -rate "$1" -sec 0.1 >/dev/null 2>other; }
expect_other 1300 || fail "refused: $(cat other)"
expect_other 1400 && fail "the claim was not raised"
grep -q 'would take 1.0% of each CPU, the limit is 1.0%, 0.6% are in use' other || fail "$(cat other)"
wait $run
! grep -q halved err || fail "the rate was halved though the limit had room"
holds "$(number cpus_slowed) == 0"
holds "$(number sample_cost_ns) > 3500" "a sample of 70 frames took $(number sample_cost_ns) ns"

expect 0 probe flat -rate 3000 -json -sec 14 -- toll work 16
says err '^probe: CPU 0 has samples that cost more than the limits allow; its rate is halved to 1500 Hz$'
[ "$(grep -c 'is halved' err)" = 1 ] || fail "not halved once"
holds "$(number cpus_slowed) == 1 && $(number rate_asked) == 3000"

# No claim is left, whatever a run's last account has reported.
for seconds in 10 10.3; do
	expect 0 probe flat -rate 1000 -sec $seconds -- toll work 12
	expect 0 probe sys -rate 3300 -sec 0.1
done

# Samples of a system session cost less than those of stacks.
expect 0 probe sys -rate 3000 -json -sec 12 -- toll work 13
! grep -q halved err || fail "the rate was halved without need"
