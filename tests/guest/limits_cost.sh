# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: icount
# rig: not=debug,kcsan
# rig: timeout=300
# rig: module max_overhead_pct=2
# The limit on overhead is accurate: at the highest admitted rate each kind of session, with the
# deepest stacks, slows work down by 0.6 to 1.0 times the limit.
. /test/guest-lib.sh
insmod /test/abyss.ko || fail "no abyss.ko"
# Wait until the kernel's own work after its start is over.
sleep 3
toll >out || { cat out; fail "see above"; }
cat out
rmmod abyss
