# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: alone
# rig: not=debug,kcsan
# rig: timed
# rig: smp=4
# rig: boot=isolcpus=2 nohz_full=3
# No command samples isolated and nohz_full CPUs unless asked to: a message names them, and they get
# no sampling interrupt. The debug kernels lack NO_HZ_FULL, so their ticks never stop.
. /test/guest-lib.sh
told='^probe: isolated or nohz_full CPUs 2-3 left alone; -cpu all samples them$'
# timers CPU: print the CPU's timer interrupts so far.
timers() { awk -v c="$1" '$1 == "LOC:" || $NF == "arch_timer" { print $(c + 2) }' /proc/interrupts; }

began=$(now)
at2=$(timers 2) at3=$(timers 3) at1=$(timers 1) at0=$(timers 0)
expect 0 probe sys -sec 2 -rate 500 -json -save sys.run
at2=$(($(timers 2) - at2)) at3=$(($(timers 3) - at3)) at1=$(($(timers 1) - at1)) at0=$(($(timers 0) - at0))
took=$(awk "BEGIN { print $(now) - $began }")
echo "timer interrupts in $took s at 500 Hz: CPU0 $at0, CPU1 $at1, CPU2 $at2, CPU3 $at3"
# One interrupt may take two samples, if the second is due before the first is done.
holds "2 * ($at0 + $at1) >= $(json samples)" "the count of interrupts sees nothing"
holds "$at2 < 50 * $took && $at3 < 50 * $took" "quiet CPUs are interrupted: $at2, $at3 times"
says err "$told"
says out '"cpus": 2, "cpus_skipped": 2,'
says out '"cpus_left_alone": "2-3"'
expect 0 probe verify sys.run
expect 0 probe show -json sys.run
says out '"cpus_left_alone": "2-3"'
expect 0 probe show sys.run
tr '\n' ' ' <out | grep -q 'unseen: .*, 2 isolated CPUs: 2-3\.' || { cat out; fail "the receipt does not name them"; }
[ "$(grep -c 'Percentage' out)" = 1 ] && ! grep -q CPU2 out || fail "the table has quiet CPUs"

# with -- COMMAND, in the other commands, and in machine-readable output
background proportions
expect 0 probe proc -sec 1 proportions
says err "$told"
expect 0 probe late -sec 1 -json
says err "$told"
says out '"cpus_left_alone": "2-3"'
expect 0 probe sys -tsv -- sleep 0.3
says err "$told"
tr '\n' ' ' <err | grep -q 'isolated CPUs: 2-3\.' || { cat err; fail "-tsv"; }

# if asked for, they are sampled without a message
expect 0 probe sys -sec 2 -rate 500 -cpu all -json
says out '"cpus": 4, "cpus_skipped": 0,'
says out '"cpus_left_alone": ""'
! grep -q 'left alone' err || fail "a message about CPUs that were asked for"
for cpu in 2 3; do
	at=$(timers $cpu)
	expect 0 probe sys -sec 1 -cpu $cpu -json
	holds "$(number cpus) == 1 && $(number taken) > 0 && 2 * ($(timers $cpu) - $at) >= $(number taken)"
done

# for members of the group quiet CPUs are left out, refused by -cpu, and never interrupted
rmmod cpuprobe && insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000 gid=65534 || fail "insmod"
as_member() { su nobody -s /bin/sh -c "$*"; }
expect 0 as_member probe sys -sec 1 -json
says out '"cpus": 2, "cpus_skipped": 2,'
for cpus in 2 3 0,3 all; do
	expect 1 as_member probe sys -sec 1 -cpu $cpus
	one_line_error 'start sampling: isolated and nohz_full CPUs need CAP_PERFMON$'
	says err '^hint: choose other CPUs with -cpu$'
done
expect 1 as_member probe sys -sec 1 -idle sleep
says err '^probe: start sampling: -idle sleep would interrupt isolated CPUs: it needs CAP_PERFMON$'
expect 0 probe sys -sec 1 -idle sleep -cpu 3

# isolated partitions of control groups, if the kernel lists them
mount -t tmpfs tmp /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 none /sys/fs/cgroup || skip "isolated partitions: no cgroup2 here"
[ -e /sys/fs/cgroup/cpuset.cpus.isolated ] || skip "isolated partitions: this kernel does not list them"
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/quiet
echo 1 >/sys/fs/cgroup/quiet/cpuset.cpus
echo isolated >/sys/fs/cgroup/quiet/cpuset.cpus.partition
says /sys/fs/cgroup/quiet/cpuset.cpus.partition '^isolated$'
expect 0 probe sys -sec 1 -json
says err '^probe: isolated or nohz_full CPUs 1-3 left alone; -cpu all samples them$'
says out '"cpus": 1, "cpus_skipped": 3,'
expect 1 as_member probe sys -sec 1 -cpu 1
one_line_error 'start sampling: isolated and nohz_full CPUs need CAP_PERFMON$'
