# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_start at length.
count=10000
# Ten times as slow there, and each kind of damage shows in the first hundreds.
case $(uname -r) in *-debug) count=2000 ;; esac
. /test/abuse_start.sh
