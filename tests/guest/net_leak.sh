# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: memory that nobody points to any more.
# rig: alone
# rig: only=debug
# rig: expect=kmemleak: [1-9][0-9]* new suspected
insmod /test/planted.ko defect=leak
sleep 2
