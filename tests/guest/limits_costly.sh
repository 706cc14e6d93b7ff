# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: not=debug,kcsan
# rig: timeout=300
# rig: module sample_cost_ns=3000
# Stacks that cost more than was claimed for them: the rate is halved after 10 s, and the tool says
# so. The receipt has what samples did cost.
. /test/guest-lib.sh
expect 0 probe flat -rate 1000 -json -sec 12 -- toll work 13
says err '^probe: CPU 0 has samples that cost more than the limits allow for; its rate is halved to 500 Hz$'
[ "$(grep -c 'is halved' err)" = 1 ] || fail "not halved once"
holds "$(number cpus_slowed) == 1 && $(number rate_asked) == 1000"
holds "$(number sample_cost_ns) > 3500" "a sample of 70 frames took $(number sample_cost_ns) ns"
# Samples of the system cost less than that.
expect 0 probe sys -rate 1000 -json -sec 12 -- toll work 13
! grep -q halved err || fail "halved for nothing"
