# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: timeout=200
# rig: module gid=4242 max_overhead_pct=5
# A member starts as many sessions as he can and chooses their seeds so that all samples fall in the
# same instant of each second. An interrupt keeps the CPU from a program at most for as long as the
# handlers of all his sessions take; and since the module shifts each session's instants, they do not
# even coincide.
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
# Upper bound: the handlers of eight sessions, added to the longest gap without them.
holds "$gap < $quiet + 8 * 3000" "away for $gap ns, $quiet without sessions"
# Two of the eight fall within 5 us of each other by chance once in 3,500 runs.
holds "$gap < $quiet + 2 * 3000" "they come together: $gap ns, $quiet without sessions"
sed -i '/^member:/d' /etc/passwd
