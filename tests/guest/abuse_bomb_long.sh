# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=600
# abuse_bomb for longer.
seconds=120
. /test/abuse_bomb.sh
