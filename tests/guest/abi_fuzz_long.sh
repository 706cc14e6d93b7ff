# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: only=debug,kcsan
# rig: timeout=12000
# rig: boot=rcupdate.rcu_cpu_stall_timeout=300
# rig: module max_overhead_pct=3
# Two million calls, in rounds with a seed each, which no other run has had. After each round no timer is left; in
# the end memory is as before, and no session holds a part of the limits. The limit of 3% allows few samples, since
# the calls matter here. RCU gets a longer stall timeout, since a busy host starves an emulated CPU.
. /test/guest-lib.sh
kcov=
[ ! -r /sys/kernel/debug/kcov ] || kcov=kcov
mkdir cgroup && mount -t cgroup2 none cgroup || fail "the rig: cgroup2"
trap 'umount -l cgroup' EXIT
free_kib() { sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo; }
first=$(date +%s)
round=0
while [ $round -lt 10 ]; do
	# shellcheck disable=SC2086 # a word or none
	expect 0 fuzz_abi 200000 4 $((first + round)) $kcov
	echo "rig: seed $((first + round)): $(tail -n 2 out | tr '\n' ' ')" >/dev/kmsg
	grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
	# The first round fills caches of the kernel, which keep their memory.
	[ $round != 0 ] || before=$(free_kib)
	round=$((round + 1))
done
holds "$before - $(free_kib) < 32768"
no_leaks
expect 0 probe sys -sec 0.2 -rate 100
rmmod cpuprobe || fail "a session is left"
