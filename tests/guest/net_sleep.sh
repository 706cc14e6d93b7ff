# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: an allocation that may sleep, in a timer's handler.
# rig: alone
# rig: only=debug
# rig: expect=sleeping function called from invalid context
insmod /test/planted.ko defect=sleep
sleep 2
