# SPDX-License-Identifier: GPL-2.0-only
# The net catches: a planted defect, a lock taken in hard irq and with interrupts on, must be in the kernel's log.
# rig: alone
# rig: only=debug
# rig: expect=inconsistent lock state
insmod /test/planted.ko defect=irq-lock
sleep 2
