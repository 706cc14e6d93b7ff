# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: memory used by a timer's handler after it was freed.
# rig: alone
# rig: only=debug
# rig: expect=KASAN: slab-use-after-free in fire
insmod /test/planted.ko defect=use-after-free
sleep 2
