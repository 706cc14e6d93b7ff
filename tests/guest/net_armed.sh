# SPDX-License-Identifier: GPL-2.0-only
# The net catches: a planted defect, memory freed with a timer armed in it, must be in the kernel's log.
# rig: alone
# rig: only=debug
# rig: expect=ODEBUG: free active .*hrtimer
insmod /test/planted.ko defect=armed
sleep 2
