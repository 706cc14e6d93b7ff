# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_load at length.
count=1000
# Ten times as slow there, and each kind of damage shows in the first hundreds.
case $(uname -r) in *-debug) count=200 ;; esac
. /test/abuse_load.sh
