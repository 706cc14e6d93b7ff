# SPDX-License-Identifier: GPL-2.0-only
# The net catches: a planted defect, two locks taken in both orders, must be in the kernel's log.
# rig: alone
# rig: only=debug
# rig: expect=possible circular locking dependency
insmod /test/planted.ko defect=inversion
sleep 2
