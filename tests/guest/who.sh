# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=400
# rig: ci=6.1
# rig: module gid=4242 max_overhead_pct=10000 member_sessions=64
# Every identity tries every operation, with the results of docs/privilege.md; and the tool's messages
# to a member of the group.
. /test/guest-lib.sh
chmod 755 .
expect 0 whomay /test/privilege.md group
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000
expect 0 whomay /test/privilege.md nogroup
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000 gid=4242 member_sessions=64

grep -q '^member:' /etc/passwd || echo 'member:x:1001:4242:member:/tmp:/bin/sh' >>/etc/passwd
as_member() { su -s /bin/sh member -c "$*"; }
chmod 777 .
cp /bin/proportions own
chown member own
# The shell of the member writes its process ID, and then becomes the program.
background as_member "echo \$\$ >own.pid; exec $PWD/own"
background as_member 'echo $$ >mine.pid; exec proportions'
background "$PWD/own"; theirs=$last_pid
await test -s own.pid
await test -s mine.pid
mine=$(cat mine.pid)
await grep -qx own "/proc/$(cat own.pid)/comm"
await grep -qx proportions "/proc/$mine/comm"
expect 0 as_member probe sys -sec 0.5
says out '^own '
expect 0 as_member probe proc -sec 0.5 "$PWD/own"
says out '^Task own was active in user mode for [1-9]'
expect 0 as_member probe proc -sec 0.5 "$mine"
says out '^Task proportions was active in user mode for [1-9]'
expect 1 as_member probe proc -sec 0.5 /bin/proportions
one_line_error 'start sampling: the task belongs to another user'
expect 1 as_member probe proc -sec 0.5 "$theirs"
one_line_error "examine process $theirs: not allowed"
expect 1 as_member probe proc -sec 0.5 -mode kernel -low 0xffffffff81000000 -high 0xffffffff82000000 "$mine"
one_line_error 'kernel addresses need CAP_PERFMON'
expect 1 as_member probe late -sec 0.5
one_line_error 'kernel addresses need CAP_PERFMON'
sed -i '/^member:/d' /etc/passwd
