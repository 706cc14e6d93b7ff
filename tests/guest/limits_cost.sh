# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: icount
# rig: not=debug,kcsan
# rig: timeout=300
# rig: module max_overhead_pct=2
# The overhead asked for is the overhead got: at the highest rate admitted each kind of session, with
# the deepest stacks there are, slows work down by 0.6 to 1.0 times the limit.
. /test/guest-lib.sh
insmod /test/abyss.ko || fail "no abyss.ko"
# The kernel's own work of the first seconds is over.
sleep 3
toll >out || { cat out; fail "see above"; }
cat out
rmmod abyss
