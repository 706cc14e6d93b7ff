# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: two locks taken in both orders.
# rig: alone
# rig: only=debug
# rig: expect=possible circular locking dependency
insmod /test/planted.ko defect=inversion
sleep 2
