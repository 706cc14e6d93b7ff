# SPDX-License-Identifier: GPL-2.0-only
# rig: module gid=65534 max_overhead_pct=50
# Members of the group see the system table and their own programs in user mode, no more.
. /test/guest-lib.sh
as_nobody() { su -s /bin/sh nobody -c "$*"; }
chmod 777 .
cp /bin/proportions /tmp/own
chown nobody /tmp/own
background as_nobody /tmp/own
background proportions; theirs=$last_pid
sleep 0.5
own=$(pidof own)
expect 0 as_nobody probe sys -sec 0.5
says out '^own '
expect 0 as_nobody probe proc -sec 0.5 /tmp/own
says out '^Task own was active in user mode for [1-9]'
expect 0 as_nobody probe proc -sec 0.5 "$own"
expect 1 as_nobody probe proc -sec 0.5 /bin/proportions
one_line_error 'start sampling: the task belongs to somebody else'
expect 1 as_nobody probe proc -sec 0.5 "$theirs"
one_line_error "look at process $theirs: not allowed"
expect 1 as_nobody probe proc -sec 0.5 -mode kernel -low 0xffffffff81000000 -high 0xffffffff82000000 "$own"
one_line_error 'kernel addresses need CAP_PERFMON'
expect 0 as_nobody abi member
kill "$own"
rm -f /tmp/own
