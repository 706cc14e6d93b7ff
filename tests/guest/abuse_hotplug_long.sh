# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: smp=4
# rig: timeout=900
# abuse_hotplug for minutes.
seconds=180 rate=10000
. /test/abuse_hotplug.sh
