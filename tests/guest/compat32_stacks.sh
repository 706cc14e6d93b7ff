# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: not=debug,kcsan
# rig: timeout=300
# rig: arch=x86
# The programs are for 32-bit x86.
# On a 64-bit kernel a 32-bit program gets the same stacks from the interface as a 64-bit one.
. /test/guest-lib.sh
expect 0 abi_stacks32
[ ! -s out ] || { cat out; fail "see above"; }
