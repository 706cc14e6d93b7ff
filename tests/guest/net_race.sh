# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: a counter written by two threads.
# rig: alone
# rig: only=kcsan
# rig: expect=KCSAN: data-race in race
insmod /test/planted.ko defect=race
sleep 2
