# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: arch=x86
# Its program has a string instruction of x86.
# The search if nothing is hot, if the task ends between two steps, and with wrong options.
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
# an idle process, never hit, ends during the search
sleep 100 & pid=$!
expect 0 probe proc -narrow -sec 1 $pid
says out '^No sample fell into '
kill $pid
expect 2 probe proc -hot -repeat 1 five
one_line_error '-hot cannot be combined with -repeat'
# a step that cannot begin: a message, and the results of the steps before
background dear; pid=$last_pid
sleep 0.2
expect 0 env LD_PRELOAD=/bin/libonestart.so probe proc -hot -sec 20 -save kept dear
says err '^probe: start sampling'
! grep -q 'process [0-9]* ended' err || fail "no process has ended"
# the saved run is of the step that the report shows, which the receipt is of too
probe verify kept >verified 2>&1 || fail "$(cat verified)"
# a search of one step finds the function; the instruction only if that is clearly the hottest
says out '^Hottest( instruction)?: .*dear_rep'
