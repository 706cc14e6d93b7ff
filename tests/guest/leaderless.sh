# SPDX-License-Identifier: GPL-2.0-only
# rig: only=debug
# rig: alone
# rig: boot=rcupdate.rcu_expedited=1
# rig: timeout=300
# Processes whose first thread has been reaped and freed while the last one still runs are sampled
# in every way that reads the first thread. The debug kernel notices a use after free: its log is the
# judge.
. /test/guest-lib.sh
rmmod cpuprobe
load
mkdir -p /group
mount -t cgroup2 none /group || fail "the rig: no control groups"
echo +cpu >/group/cgroup.subtree_control || fail "the rig: no cpu controller"
groups=
for i in 1 2 3 4 5 6 7 8 9 10; do
	mkdir /group/$i
	echo 1000 100000 >/group/$i/cpu.max || fail "the rig: cpu.max"
	groups="$groups /group/$i"
done
# A busy host gets fewer processes to their end in a minute.
ended=0
for _ in 1 2 3 4 5; do
	[ $ended -le 30 ] || break
	# shellcheck disable=SC2086 # words
	leaderless 60 $groups >number & program=$!
	for by in pid comm thread; do
		probe sys -by $by -rate 2000 -sec 60 >/dev/null 2>&1 &
	done
	probe flat -rate 2000 -sec 60 >/dev/null 2>&1
	wait $program || fail "leaderless"
	wait
	ended=$((ended + $(cat number)))
done
[ $ended -gt 30 ] || fail "only $ended processes"
