# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: timed
# rig: timeout=300
# rig: module max_overhead_pct=10000 slow_down=0
# The live view of events: their shares on each level.
. /test/guest-lib.sh
. /test/guest-terminal.sh

background sh -c 'while :; do touches 3000; done >/dev/null'
begin 100 24 screen "probe top -by comm -event page-faults -period 11 -rate 2000"
sees '^probe top  machine .* all of [0-9.]+ s$'
sees '^[0-9]+ samples.*, [0-9]+ missed, 0 lost; [0-9.e+]+ of at most 2000 Hz (x|on) 2 CPUs'
sees '^100% = all page-faults; one sample in 11$'
sees '^touches +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ '
grep -q '^ *0\[' screen && fail "bars of CPUs"
press e
sees '-event has no other event'
press q; ends 0

# several events have the screen in turn
begin 100 24 screen "probe top -by comm -event page-faults,context-switches -period 11,1 -rate 2000"
sees '^100% = all page-faults; one sample in 11$'
press e
sees '^100% = all context-switches; one sample in 1$'
sees 'all counts begin again'
press e
sees '^100% = all page-faults; one sample in 11$'
press q; ends 0
