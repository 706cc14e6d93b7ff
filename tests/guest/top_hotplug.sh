# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: timed
# rig: timeout=200
# rig: module max_overhead_pct=10000 slow_down=0
# The live view of two CPUs, one of which goes offline and online.
. /test/guest-lib.sh
. /test/guest-terminal.sh
background proportions
begin 80 24 screen "probe top -rate 200"
sees '^[0-9]+ samples, .* of 200 Hz x 2 CPUs, '
sees '^ *0\[.*\] *[0-9.]+ +1\['
sees '^proportions '
cpu1_offline
press z
sees '^proportions '
sees 'Hz x [12] CPU'
cpu1_online
sees '^ *0\[.*\] *[0-9.]+ +1\['
press q
ends 0
end_terminal
