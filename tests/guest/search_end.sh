# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# The search when nothing stands out, when the task ends between two steps, and misuse.
. /test/guest-lib.sh

background five
sleep 0.2
expect 0 probe proc -hot -sec 3 five
says out '^(Flat: no (instruction|sixteenth or function) of this range stands out\.|Hottest)'
kill $last_pid
background dear; pid=$last_pid
sleep 0.2
(sleep $((3 * patience)); kill $pid) &
expect 0 probe proc -hot -sec $((20 * patience)) $pid
says err "^probe: process $pid ended after"
says out '^Hottest instruction: dear_rep\+0xb at '
# it has just ended: an idle one that is never hit
sleep 100 & pid=$!
expect 0 probe proc -narrow -sec 1 $pid
says out '^No sample fell into '
kill $pid
expect 2 probe proc -hot -repeat 1 five
one_line_error '-hot cannot be combined with -repeat'
# a step that cannot begin: said, and the steps before it stay
background dear; pid=$last_pid
sleep 0.2
expect 0 env LD_PRELOAD=/bin/libonestart.so probe proc -hot -sec 20 dear
says err '^probe: start sampling'
! grep -q 'process [0-9]* ended' err || fail "no process has ended"
# of one step: its function, or the instruction where that stands out by itself
says out '^Hottest( instruction)?: .*dear_rep'
