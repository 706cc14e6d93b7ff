# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: arm64=quick
# The interface for counting calls checks every field, counts calls exactly, and ends at its budget.
# Afterwards the hooks have left the kernel's text, and the module can be unloaded.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
expect 0 abi_calls
[ ! -s out ] || { cat out; fail "see above"; }
unhooked() { [ "$(hooks)" = "$before" ]; }
await unhooked
rmmod cpuprobe || fail "something holds the module"
load
