# SPDX-License-Identifier: GPL-2.0-only
# An NMI from outside, by QEMU's monitor, while samples are taken by NMI: nobody knows it. It is taken for one of the
# module's, so that the kernel does not complain, and it or one of the module's is counted as unknown; the tool warns.
# Without such a session the kernel complains: after a second the module claims nothing; nor does it when it is unloaded.
# rig: alone
# rig: arch=x86
# rig: smp=2
# rig: only=6.1,6.12
# rig: ci=6.1,6.12
# rig: expect=rig: unknown NMIs are counted, and told afterwards
. /test/guest-lib.sh
complaints() { dmesg | grep -ciE 'uhhuh'; }
has_complained() { [ "$(complaints)" = "$1" ]; }
background spin 300
probe sys -nmi -rate 50 -sec 300 -json >out 2>err &
pid=$!
await grep -q cpuprobe_fire_nmi /proc/timer_list
sleep 1
for _ in 1 2 3 4 5; do
	echo "rig: nmi" >/dev/ttyS1
	sleep 1
done
sleep 5
kill -TERM $pid
wait $pid || { cat err; fail "sys -nmi"; }
cat err
# An NMI that comes when the host has paused for the last 0.2 s is not claimed.
early=$(complaints)
holds "$early <= 2" "the kernel complained"
unknown=$(sed -n 's/.*"unknown": \([0-9]*\),.*/\1/p' out)
holds "$unknown >= 1 && $unknown <= 5" "$(cat out)"
holds "$(json samples) + $(json missed) == $(json expected)" "$(cat out)"
says err '^probe: warning: [1-5] NMIs? came that nobody knew'
sleep 3
echo "rig: nmi" >/dev/ttyS1
await has_complained $((early + 1))
rmmod cpuprobe || fail "something holds the module"
echo "rig: nmi" >/dev/ttyS1
await has_complained $((early + 2))
echo "<3>rig: unknown NMIs are counted, and told afterwards" >/dev/kmsg
