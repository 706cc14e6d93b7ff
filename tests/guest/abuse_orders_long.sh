# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# All orders of abuse_orders, twice; once on the debug kernel, which is ten times as slow.
rounds=1440
case $(uname -r) in *-debug) rounds=720 ;; esac
. /test/abuse_orders.sh
