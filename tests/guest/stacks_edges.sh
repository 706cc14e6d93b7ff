# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=200
# Stacks of programs whose registers hold what no compiler puts there; the kernel's log is the
# other judge.
. /test/guest-lib.sh
rmmod cpuprobe
load
expect 0 edges
cp out figures
