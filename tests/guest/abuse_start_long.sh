# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timeout=1500
# abuse_start for longer.
count=10000
# The debug kernel is ten times as slow, and finds each kind of damage in the first few hundred rounds.
case $(uname -r) in *-debug) count=2000 ;; esac
. /test/abuse_start.sh
