# SPDX-License-Identifier: GPL-2.0-only
# The net catches: a planted defect, a slot beyond the last, must be in the kernel's log.
# rig: alone
# rig: only=debug
# rig: expect=UBSAN: array-index-out-of-bounds
insmod /test/planted.ko defect=overflow
sleep 2
