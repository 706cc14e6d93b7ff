# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=300
# A fork bomb, up to a limit of processes, and a storm of executables are sampled by process: every
# sample is accounted for, and nothing is left.
. /test/guest-lib.sh
seconds=${seconds:-2}
mkdir cgroups programs
mount -t cgroup2 none cgroups || fail "the rig: cgroup2"
trap 'umount -l cgroups' EXIT
echo +pids >cgroups/cgroup.subtree_control
crowd execs 0.01 programs >/dev/null
remember_machine
load
mkdir cgroups/bomb
echo 60 >cgroups/bomb/pids.max
sh -c 'echo $$ >cgroups/bomb/cgroup.procs; bomb() { bomb | bomb & }; bomb' >/dev/null 2>&1
crowd execs "$seconds" programs >/dev/null &
expect 0 probe sys -by pid -sec "$seconds" -save run -json
wait $!
limited=$(sed -n 's/^max //p' cgroups/bomb/pids.events)
[ "$limited" -gt 0 ] || fail "the bomb did not reach its limit"
echo "$(json samples) samples, $(json lost) lost, limit hit $limited times" >figures
echo 1 >cgroups/bomb/cgroup.kill
holds "$(json samples) + $(json missed) == $(json expected)"
expect 0 probe verify run
await rmdir cgroups/bomb	# nothing holds the group
rm run
# The kernel caches stacks, groups and names of 60 processes for a while.
same_machine 4096
