# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=300
# rig: arm64=quick
# The interface for unwinding tables: order, fields, limits, and tables that lie. Afterwards the hooks are
# gone from the kernel's text, and the module can be unloaded.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
expect 0 abi_unwind
[ ! -s out ] || { cat out; fail "see above"; }
unhooked() { [ "$(hooks)" = "$before" ]; }
await unhooked
rmmod cpuprobe || fail "something holds the module"
load
