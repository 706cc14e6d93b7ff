# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: a slot beyond the last.
# rig: alone
# rig: only=debug
# rig: expect=UBSAN: array-index-out-of-bounds
insmod /test/planted.ko defect=overflow
sleep 2
