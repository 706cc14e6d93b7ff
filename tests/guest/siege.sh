# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=400
# rig: module gid=4242 max_overhead_pct=1000 member_mib=8
# A member of the group takes all that the device gives: thousands of sessions, areas, stacks, in
# every order, also as many users of a user namespace. The number of his started sessions and the
# memory of all his sessions are bounded.
. /test/guest-lib.sh
members='member:x:1001:4242:member:/tmp:/bin/sh other:x:1003:4242:other:/tmp:/bin/sh'
for line in $members; do grep -q "^${line%%:*}:" /etc/passwd || echo "$line" >>/etc/passwd; done
as() { user=$1; shift; su -s /bin/sh "$user" -c "exec $*"; }
ulimit -n 40100
chmod 777 .
cpus=$(grep -c ^processor /proc/cpuinfo)
budget_kb=$((8 * 1024 * cpus))
kernel_kb() { awk '/^(Slab|VmallocUsed|Percpu):/ { sum += $2 } END { print sum }' /proc/meminfo; }

# 40,000 opens of 512 bytes or more exceed 16 MiB, so on one or two CPUs the last ones are refused
expect 0 as member siege open 40000
opened=$(awk '{ print $1 }' out)
[ "$cpus" -gt 2 ] || holds "$opened < 40000 && $opened > 4000" "opened $opened"
expect 0 as member siege start 20000
says out '^8 started$'
expect 0 as member siege orders 20000

# the users of a member's user namespace count as the member
expect 0 siege users 5
says out '^8 started$'

# the kernel's own numbers confirm the bound on memory
before=$(kernel_kb)
as member siege hold opens >held & holder=$!
while [ ! -s held ]; do sleep 0.2; kill -0 $holder 2>/dev/null || fail "$(cat held)"; done
now=$(kernel_kb)
echo "$(cat held): $((now - before)) KB of $budget_kb"
# An open file and its name take kernel memory of their own: more on debug kernels, which surround
# each object with guards.
file_kb=1.5
case $(uname -r) in *-debug | *-kcsan) file_kb=3 ;; esac
holds "$now - $before < 1.25 * $budget_kb + 2048 + $(awk '{ print $1 }' held) * $file_kb"
# shellcheck disable=SC2046 # as many as there are
kill $(pidof siege)
wait $holder 2>/dev/null
sed -i '/^member:/d; /^other:/d' /etc/passwd
