# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_orders through all of them, twice.
rounds=1440
. /test/abuse_orders.sh
