# SPDX-License-Identifier: GPL-2.0-only
# The debug kernels must report a planted defect: a lock taken in hard irq and with interrupts on.
# rig: alone
# rig: only=debug
# rig: expect=inconsistent lock state
insmod /test/planted.ko defect=irq-lock
sleep 2
