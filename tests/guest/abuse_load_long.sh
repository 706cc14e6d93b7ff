# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_load at length.
count=1000
. /test/abuse_load.sh
