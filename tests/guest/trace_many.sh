# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: only=6.12,debug
# rig: timeout=900
# rig: module max_overhead_pct=100
# Hooks on hundreds of functions, and all kinds of events, on every CPU under load, again and again: all sums
# hold, all hooks leave, and the kernel finds nothing wrong. The debug kernel takes seven minutes of its time.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
unhooked() { [ "$(hooks)" = "$before" ]; }
background sh -c 'while :; do caller 2000; done'
background sh -c 'while :; do true | cat; /bin/busybox true; done'
background sh -c 'while :; do ls -R /proc/sys; done'
for how in '' -wrap '-events 5000'; do
	# shellcheck disable=SC2086 # words
	expect 0 probe trace -fn "vfs_*,do_sys_*,${sys}*,pipe_*,proc_*,seq_*,shmem_*,hrtimer_*,wake_up_*" \
		-syscalls -irq -sched -budget 90 -sec 2 -save run $how
	nr=$(sed -n 's/^probe: \([0-9]*\) functions match$/\1/p' err)
	holds "$nr >= 500"
	says out 'all time of the CPUs$'
	expect 0 probe verify run
	says out 'sums hold'
	expect 0 probe trace -flow -n 100000 run
	await unhooked
done
rmmod cpuprobe || fail "something holds the module"
load
