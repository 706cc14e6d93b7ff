# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: timeout=200
# rig: arch=x86
# Its program sets registers of x86 to hostile values.
# Stacks of programs with register values that no compiler produces. The kernel's log must be clean,
# too.
. /test/guest-lib.sh
rmmod cpuprobe
load
expect 0 edges
cp out figures
