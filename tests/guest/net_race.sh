# SPDX-License-Identifier: GPL-2.0-only
# The net catches: a planted defect, a counter written by two threads, must be in the kernel's log.
# rig: alone
# rig: only=kcsan
# rig: expect=KCSAN: data-race in race
insmod /test/planted.ko defect=race
sleep 2
