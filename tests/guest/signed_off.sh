# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: icount
# rig: shift=3
# rig: timeout=300
# rig: cpu=cortex-a57
# rig: arch=arm64
# The processor is one of arm64.
# signed on a processor without pointer authentication, where signing does nothing.
pauth=Features without=' paca'
. /test/signed.sh
