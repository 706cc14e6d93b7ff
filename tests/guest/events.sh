# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: arch=x86
# rig: quick=6.12
# rig: ci=6.1,6.12
# Samples of events that the kernel counts itself, by the module; arm64's emulated processor has a PMU. The program
# `touches` causes a known number of page faults, and the kernel counts them too. While faults come faster than the
# rate, periods are missed: they are in the row of the next sample. The limits are six standard deviations or more.
. /test/guest-lib.sh

truth() { sed -n 's/^faults \([0-9]*\)$/\1/p' truth; }

# samples stand for the faults
expect 0 probe sys -engine module -event page-faults -period 11 -rate 20000 -by comm -tsv -save run -- sh -c 'exec touches 20000 >truth'
n=$(($(tsv touches user_hits) + $(tsv touches missed)))
holds "$(tsv touches user_hits) > 100"
near "$n * 11" "$(truth)" 1000
says err '^Receipt: page-faults with a period of 11, at most 20000 Hz asked, '
expect 0 probe verify run
expect 0 probe show run
says out '^Counted page-faults with a period of 11$'

# functions have the faults that they cause, and no column is of time
expect 0 probe flat -engine module -event page-faults:u -period 11 -rate 20000 -user -tsv -- sh -c 'exec touches 15000 5000 >truth'
holds "$(tsv touch events) > 2 * $(tsv rest events)"
near "$(tsv touch events)" 15000 4500
near "$(tsv rest events)" 5000 3000
grep -q seconds out && fail "a column of seconds"
expect 0 probe graph -engine module -event page-faults -rate 20000 -json -- sh -c 'exec touches 5000 >truth'
says out '"event": "page-faults",'
expect 0 probe proc -engine module -event page-faults -period 11 -rate 20000 touches -- touches 5000
says out '^Task touches caused these events in user mode for [0-9]+ of [0-9]+ samples'

# events per unit of work: half as many in touch(), three times as many in rest()
expect 0 probe flat -engine module -event page-faults:u -period 11 -rate 20000 -user -task touches -count 100 -save one -- touches 10000 5000
expect 0 probe flat -engine module -event page-faults:u -period 11 -rate 20000 -user -task touches -count 100 -save two -- touches 5000 15000
expect 0 probe diff -sampling-only -tsv one two
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$1 == "touch" && $at["time"] == "self" && $at["ratio"] > 0.35 && $at["ratio"] < 0.65 && $at["ratio_hi"] < 1 { ok++ }
	$1 == "rest" && $at["time"] == "self" && $at["ratio"] > 2.2 && $at["ratio"] < 4 && $at["ratio_lo"] > 1 { ok++ }
	END { exit ok != 2 }' out || { cat out; fail "not the ratios of faults"; }
expect 0 probe diff -sampling-only one two
says out '^One execution: 1[0-9.]+ page-faults:u in A, [12][0-9.]+ in B\. B / A: 1\.[0-9]+, 95% interval'
expect 0 probe diff -sampling-only -json one two
says out '^  "event": "page-faults:u",$'
grep -q '"speed"' out && fail "a speed by page faults"
expect 0 probe proc -engine module -event page-faults -period 11 -rate 20000 -count 100 -save one touches -- touches 10000
expect 0 probe proc -engine module -event page-faults -period 11 -rate 20000 -count 100 -save two touches -- touches 5000
expect 0 probe diff -sampling-only one two
says out '^One execution: [0-9.]+ page-faults in A, [0-9.]+ in B\. B / A: 0\.[3-7]'

# switches of tasks, in the background
expect 0 probe sys -background switches -engine module -event context-switches -period 3
sleep 1
expect 0 probe status switches
says out '^Event +context-switches, one sample in 3$'
expect 0 probe stop switches -json
holds "$(number counted) > 0 && $(number running_ns) > 0"

# stacks of faults, in the background
expect 0 probe start faults -engine module -event page-faults:u -period 11 -rate 20000 -user
touches 10000 >truth
expect 0 probe status faults
says out '^Event +page-faults:u, one sample in 11$'
expect 0 probe dump faults
says out '^Counted page-faults:u with a period of 11$'
says out ' touches +touch$'
expect 0 probe dump faults -last 60 -json
says out '"event": "page-faults:u",'
expect 0 probe reset faults
touches 1000 >truth
expect 0 probe stop faults -save kept
expect 0 probe verify kept
expect 0 probe flat kept -tsv
near "$(tsv touch events)" 1000 400

# what is refused
expect 2 probe top -event page-faults -of cpu
one_line_error '-event cannot be combined with -of cpu'
expect 2 probe start -event page-fault
one_line_error "unknown event 'page-fault'"
expect 2 probe start -period 5
one_line_error '-period needs -event'
expect 1 probe sys -engine module -event cycles -sec 1
one_line_error 'start sampling: this machine cannot sample this event'
expect 2 probe sys -event page-fault
one_line_error "unknown event 'page-fault'"
says err '^hint: like it: page-faults;'
expect 2 probe sys -event cs -idle sleep
one_line_error '-event cannot be combined with -idle sleep'
expect 0 probe sys -engine module -by comm -sec 0.5 -save time
expect 1 probe diff run time
one_line_error 'compare run with time: one sampled page-faults, the other time'
expect 1 probe merge run time -o merged
one_line_error 'merge run with time: they differ in -event'
expect 0 probe events -tsv
says out '^page-faults	software	yes	101	'
says err '^probe: no event of the processor can be sampled'
