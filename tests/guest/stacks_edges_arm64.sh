# SPDX-License-Identifier: GPL-2.0-only
# rig: timeout=200
# rig: arch=arm64
# Its program sets registers of arm64 to hostile values; stacks_edges is that of x86.
# Stacks of programs with register values that no compiler produces: unaligned frame records, tags in addresses, link
# registers that lead nowhere. The kernel's log must be clean, too.
. /test/guest-lib.sh
rmmod cpuprobe
load
edges_arm64 >out || { grep -A 1 ': ' out; fail "see above"; }
cp out figures
