# SPDX-License-Identifier: GPL-2.0-only
# rig: module gid=4242
# rig: ci=6.1
# rig: quick=6.12
# rig: not=debug,kcsan
# A kprobe on the hook of the security modules records their checks during an open of the device. An
# open without the capabilities leaves nothing in the audit log: every check of a capability has
# CAP_OPT_NOAUDIT (2). An open that a capability allows ends with the same check without that flag, so
# that the use of the capability is audited as for any other device. The debug kernels have no kprobes.
. /test/guest-lib.sh
chmod 755 .
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
tracing=/sys/kernel/tracing
echo 'p:asked security_capable cap=$arg3:u32 opts=$arg4:u32' >$tracing/kprobe_events ||
	fail "no probe on security_capable()"
# 21: CAP_SYS_ADMIN; 38: CAP_PERFMON
echo 'cap == 21 || cap == 38' >$tracing/events/kprobes/asked/filter

# asked COMMAND...: write the checks of the command's last open to the file asked.
asked() {
	echo >$tracing/trace
	echo 1 >$tracing/events/kprobes/asked/enable
	"$@"
	echo 0 >$tracing/events/kprobes/asked/enable
	sed -n 's/.*asked: .* cap=\([0-9]*\) opts=\([0-9]*\).*/\1 \2/p' $tracing/trace >asked
	cat asked
}

# Opens by a stranger, a member and root.
grep -q '^stranger:' /etc/passwd || echo 'stranger:x:1002:1002:stranger:/tmp:/bin/sh' >>/etc/passwd
grep -q '^member:' /etc/passwd || echo 'member:x:1001:4242:member:/tmp:/bin/sh' >>/etc/passwd

asked su -s /bin/sh stranger -c 'exec 3<>/dev/cpuprobe' 2>/dev/null
[ "$(cat asked)" = '38 2
21 2' ] || fail "a refused open is audited"
asked su -s /bin/sh member -c 'exec 3<>/dev/cpuprobe'
[ "$(cat asked)" = '38 2
21 2' ] || fail "a member's open is audited"
asked sh -c 'exec 3<>/dev/cpuprobe'
[ "$(cat asked)" = '38 2
38 0' ] || fail "root's open does not use CAP_PERFMON as before"
sed -i '/^member:/d; /^stranger:/d' /etc/passwd
echo >$tracing/kprobe_events
