# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=600
# abuse_kill for longer.
seconds=120
. /test/abuse_kill.sh
