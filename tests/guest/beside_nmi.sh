# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: smp=2
# rig: only=6.1,6.12
# rig: ci=6.1,6.12
# rig: boot=rcupdate.rcu_cpu_stall_suppress=1 nosoftlockup
# rig: timeout=300
# NMIs of others while samples are taken by NMI at 4 kHz. The kernel's own, by which it gets a backtrace of each CPU
# (sysrq l): each makes its backtrace, since all handlers see all NMIs. The kernel never complains about one that nobody
# knows, and the sums hold. The console does not show the backtraces, which would be a failure of the kernel.
. /test/guest-lib.sh
dmesg -n 1
dmesg -c >/dev/null
background spin 300
probe sys -nmi -rate 4000 -sec 60 -save run -json >out 2>err &
pid=$!
sleep 2
for i in $(seq 40); do
	taskset $((i % 2 + 1)) sh -c 'echo l >/proc/sysrq-trigger'
	dmesg -c >>backtraces
done
kill -TERM $pid
wait $pid || { cat err; fail "sys -nmi"; }
cat err
for cpu in 0 1; do
	n=$(grep -c "NMI backtrace for cpu $cpu" backtraces)
	# The CPU that asks makes its own at once, and another one if an NMI of ours comes while it does.
	holds "$n >= 40 && $n <= 60" "$n backtraces of CPU $cpu, not 40"
done
holds "$(json samples) > 0 && $(json samples) + $(json missed) == $(json expected)" "$(cat out)"
sed -n 's/.*\("nmi": {.*}\).*/40 backtraces or more of each CPU, \1/p' out >figures
expect 0 probe verify run
grep -iE 'uhhuh|dazed' backtraces && fail "an NMI that nobody knew"
end_background
dmesg -n 5
