# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: memory freed with a timer armed in it.
# rig: alone
# rig: only=debug
# rig: expect=ODEBUG: free active .*hrtimer
insmod /test/planted.ko defect=armed
sleep 2
