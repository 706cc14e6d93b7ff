# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# A process whose number is above the pid_max of the start is sampled by the perf engine, if pid_max is raised during
# the run. It runs 2.5 s and is found by a scan, about a second later: at least 1,000 samples are due.
. /test/guest-lib.sh
[ -e /proc/sys/kernel/ns_last_pid ] || skip "the kernel cannot choose a number"
echo 32768 >/proc/sys/kernel/pid_max
probe sys -engine perf -by pid -json -sec 4 >out 2>err &
probe_pid=$!
sleep 1
echo 100000 >/proc/sys/kernel/pid_max
echo 50000 >/proc/sys/kernel/ns_last_pid
spin 2.5 & high=$!
[ "$high" -gt 32768 ] || fail "the rig: number $high is not above the old limit"
wait $high
wait $probe_pid || fail "probe failed: $(cat err)"
hits=$(sed -n "s/.*\"pid\": $high,.*\"user_hits\": \([0-9]*\).*/\1/p" out)
[ "${hits:-0}" -ge 1000 ] || { cat out; fail "${hits:-no} samples of the process"; }
