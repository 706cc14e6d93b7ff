# SPDX-License-Identifier: GPL-2.0-only
# rig: only=debug
# rig: full
# rig: timeout=900
# rig: module max_overhead_pct=100
# Each allocation and each user copy of sessions that hook kernel functions fails once: counted calls, timed
# calls, system calls, traces. Memory that runs out is reported as such, all hooks leave, and the session can
# begin afterwards.
. /test/guest-lib.sh
. /test/guest-faults.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
faults_begin
expect 0 failnth hooks
cat out
says out '^CALLS .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^CALLS, each .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^CALLS, system calls .* [1-9][0-9]* ENOMEM'
says out '^TRACE .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^EVENTS .* [1-9][0-9]* EFAULT'
unhooked() { [ "$(hooks)" = "$before" ]; }
await unhooked
no_leaks
faults_end
rmmod cpuprobe || fail "a session is left"
