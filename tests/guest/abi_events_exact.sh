# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: arch=arm64
# rig: arm64=quick
# QEMU's x86 has no counters of events; its arm64 counts cycles exactly.
# The shares of cycles of known functions, by the interface alone. Fails by chance once in 4,000 times.
. /test/guest-lib.sh
expect 0 abi_events exact
[ ! -s out ] || { cat out; fail "see above"; }
