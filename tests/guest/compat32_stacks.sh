# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: not=debug,kcsan
# rig: timeout=300
# A 32-bit program gets the same stacks from the interface as one of 64 bits, on a 64-bit kernel.
. /test/guest-lib.sh
expect 0 abi_stacks32
[ ! -s out ] || { cat out; fail "see above"; }
