# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: alone
# With a clock too coarse to measure the cost of a sample, runs are refused, with a hint, rather than
# admitted at any rate.
. /test/guest-lib.sh
clocksource=/sys/devices/system/clocksource/clocksource0/current_clocksource
before=$(cat $clocksource)
insmod /test/coarse.ko || fail "no coarse.ko"
echo coarse >$clocksource
[ "$(cat $clocksource)" = coarse ] || fail "the rig: $(cat $clocksource)"
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko || fail "insmod"
for kind in sys "sys -by pid" late flat; do
	# shellcheck disable=SC2086 # words
	expect 1 probe $kind -sec 0.1
	one_line_error "start sampling: this machine's clock is too coarse to measure the cost of a sample$"
	says err '^hint: use another clocksource, or load the module with sample_cost_ns=N$'
done
expect 1 probe doctor
says out 'the clock is too coarse to measure the cost of a sample'
says out 'load the module with sample_cost_ns=N'
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko sample_cost_ns=10000 || fail "insmod with sample_cost_ns"
expect 0 probe sys -rate 1000 -sec 0.1
expect 1 probe sys -rate 5001 -sec 0.1
one_line_error "at up to 10.0 us a sample it would take 5.0% of each CPU, the limit is 5.0%, 0.0% are in use$"
rmmod cpuprobe
echo "$before" >$clocksource
rmmod coarse
insmod /lib/modules/cpuprobe.ko || fail "insmod"
expect 0 probe sys -rate 100 -sec 0.1
