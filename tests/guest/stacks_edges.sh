# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=200
# Stacks of programs with register values that no compiler produces. The kernel's log must be clean,
# too.
. /test/guest-lib.sh
rmmod cpuprobe
load
expect 0 edges
cp out figures
