# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: module max_overhead_pct=20
# rig: timeout=300
# Thousands of valid, mutated and random calls of the device return only what the interface
# promises, and leave no timer, no memory and no session.
. /test/guest-lib.sh
seed=$(date +%s)
kcov=
calls=12000
case $(uname -r) in *-debug | *-kcsan) calls=6000 ;; esac
[ ! -r /sys/kernel/debug/kcov ] || kcov=kcov
# Calls name this control group as a target of stacks.
mkdir cgroup && mount -t cgroup2 none cgroup || fail "the rig: cgroup2"
trap 'umount -l cgroup' EXIT
expect 0 fuzz_abi $calls 1 1
says out '^START .* EINVAL [1-9]'
mv out out.alone
# shellcheck disable=SC2086 # a word or none
expect 0 fuzz_abi $((2 * calls)) 4 "$seed" $kcov
cat out.alone >>out
says out '^EXE .* ok [1-9]'
says out '^CALLS .* ok [1-9]'
says out '^COUNTS .* ok [1-9]'
says out '^TIMES .* ok [1-9]'
# Few calls are no more than a few traces.
[ $calls = 6000 ] || {
	says out '^TRACE .* ok [1-9]'
	says out '^EVENTS .* ok [1-9]'
	says out '^MISSED .* ok [1-9]'
}
says out ' calls, [1-9][0-9]* started'
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
no_leaks
rmmod cpuprobe || fail "a session is left"
