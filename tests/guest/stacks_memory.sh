# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: timeout=200
# A user who asks for more memory for stacks than there is, or than his control group has, is refused;
# no process is killed for it, and all memory is given back.
. /test/guest-lib.sh
mkdir cgroups
mount -t cgroup2 none cgroups || fail "the rig: cgroup2"
trap 'umount -l cgroups' EXIT
echo +memory >cgroups/cgroup.subtree_control || fail "the rig: the memory controller"
remember_machine
load
expect 0 hoard
says out '^[1-9][0-9]* sessions$'
cp out figures
mkdir cgroups/small
echo 64M >cgroups/small/memory.max
expect 0 sh -c 'echo $$ >cgroups/small/cgroup.procs; exec hoard'
says out '^0 sessions$'
says cgroups/small/memory.events '^oom_kill 0$'
rmdir cgroups/small || fail "something holds the group"
dmesg | grep -i 'out of memory\|oom-kill' && fail "somebody was killed"
same_machine
