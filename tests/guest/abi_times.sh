# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: arm64=quick
# The interface for timing calls: known calls by function, path, process and system call. Afterwards
# the hooks have left the kernel's text, and the module can be unloaded.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
expect 0 abi_times
[ ! -s out ] || { cat out; fail "see above"; }
unhooked() { [ "$(hooks)" = "$before" ]; }
await unhooked
rmmod cpuprobe || fail "something holds the module"
load
