# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: alone
# rig: icount
# rig: shift=3
# rig: timeout=400
# rig: module gid=4242 max_overhead_pct=10000
# The rules of who.sh under lockdown: integrity changes nothing; confidentiality denies the kernel's
# addresses to all users, also to sessions that sample them already.
. /test/guest-lib.sh
chmod 755 .
mount -t securityfs securityfs /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown
expect 0 whomay /test/privilege.md group
probe late -sec 60 >late.out 2>err & late=$!
probe sys -sec 60 >/dev/null 2>&1 & sys=$!
sleep 5
echo confidentiality >/sys/kernel/security/lockdown
wait $late && fail "lateness is shown under lockdown"
says err '^probe: harvest CPU [0-9]: the kernel is locked down now$'
[ "$(grep -c 'locked down' err)" = 1 ] || { cat err; fail "the message is repeated"; }
wait $sys || fail "the system table is refused under lockdown"
expect 0 whomay /test/privilege.md locked
