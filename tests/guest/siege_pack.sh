# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: quick=6.12
# rig: not=debug,kcsan
# rig: timeout=200
# rig: module gid=4242 max_overhead_pct=5
# A member starts as many sessions as he can and places all their samples, by their seeds, in the
# same instant of each second. No interrupt keeps the CPU away from a program for longer than the
# handlers of as many sessions as he may have take; and since the module moves each, they do not
# even come together.
. /test/guest-lib.sh
grep -q '^member:' /etc/passwd || echo 'member:x:1001:4242:member:/tmp:/bin/sh' >>/etc/passwd
chmod 777 .
ulimit -n 20100
sleep 3	# the kernel's own work after its start
su -s /bin/sh member -c 'exec siege pack 2000 4' >out || fail "$(cat out)"
cat out
nr=$(awk '{ print $1 }' out)
gap=$(awk '{ print $5 }' out)
quiet=$(awk '{ print $9 }' out)
[ "$nr" = 8 ] || fail "$nr sessions"
# The most there can be: the handlers of eight sessions, on top of the longest there is anyway.
holds "$gap < $quiet + 8 * 3000" "away for $gap ns, $quiet without sessions"
# Two of the eight fall within 5 us of each other by chance once in 3,500 runs.
holds "$gap < $quiet + 2 * 3000" "they come together: $gap ns, $quiet without sessions"
sed -i '/^member:/d' /etc/passwd
