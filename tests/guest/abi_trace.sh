# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: module max_overhead_pct=100
# rig: arm64=quick
# The interface for following calls: known calls, switches, tasks, marks and triggers, in the known
# order. Afterwards the hooks have left the kernel's text, and the module can be unloaded.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
expect 0 abi_trace
[ ! -s out ] || { cat out; fail "see above"; }
unhooked() { [ "$(hooks)" = "$before" ]; }
await unhooked
rmmod cpuprobe || fail "something holds the module"
load
