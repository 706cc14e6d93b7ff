# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_start at length.
count=10000
. /test/abuse_start.sh
