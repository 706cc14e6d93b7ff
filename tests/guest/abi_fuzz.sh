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
mv out all
# shellcheck disable=SC2086 # a word or none
fuzz() { expect 0 fuzz_abi $((2 * calls)) 4 "$1" $kcov && cat out >>all; }
fuzz "$seed"
# Each call succeeds too, in one of six rounds: some need a session of a kind that chance may leave out of a round. Few
# calls are no more than a few traces.
needed='EXE CALLS COUNTS TIMES TRACE EVENTS MISSED'
[ $calls != 6000 ] || needed='EXE CALLS COUNTS TIMES'
lacking() { for call in $needed; do grep -Eq "^$call .* ok [1-9]" all || echo "$call"; done; }
for round in 1 2 3 4 5; do
	[ -z "$(lacking)" ] || fuzz $((seed + round))
done
[ -z "$(lacking)" ] || { cat all; fail "no success: $(lacking)"; }
says out ' calls, [1-9][0-9]* started'
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
no_leaks
rmmod cpuprobe || fail "a session is left"
