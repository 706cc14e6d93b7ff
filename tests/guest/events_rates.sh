# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: paced
# rig: arch=x86
# Several events in one run: their rates in each row. The program `paces` causes known numbers of page faults and of
# switches, and the kernel counts both. With seeds 1 to 20, not selected, the 95% interval of their rate must contain
# the truth in at least 14 runs (fewer happen by chance once in 30,000). Other limits are six standard deviations, or the
# switches of the process while it starts and ends: more of them on a slow kernel.
. /test/guest-lib.sh

# On RT stacks lacked 37 of 2,038 switches of paces; the reason is not known.
uname -v | grep -q PREEMPT_RT && slack=$((100 * patience)) || slack=$((20 * patience))
truth() { sed -n "s/^$1 \([0-9]*\)\$/\1/p" truth; }

# one session of the module for each event: with a period of 1 each switch is a sample
expect 0 probe sys -engine module -by comm -event page-faults,context-switches -period 7,1 -rate 9000 -tsv -seed 1 -- \
	sh -c 'exec paces 2000 10 >truth'
near "$(tsv paces events1)" "$(truth faults)" 700
near "$(tsv paces events2)" "$(truth switches)" "$slack"
near "$(tsv paces hits2)" "$(truth switches)" "$slack"
holds "$(tsv paces rate2_lo) < $(tsv paces rate2) && $(tsv paces rate2) < $(tsv paces rate2_hi)"
near "$(tsv paces rate2_error)" "$(tsv paces rate2_hi) - $(tsv paces rate2)" 1e-3
says err '^Receipt: page-faults with a period of 7, at most 9000(\.[0-9]+)? Hz asked, '
says err '^Beside it: context-switches with a period of 1, '
good=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	expect 0 probe sys -engine module -by comm -event page-faults,context-switches -period 23,3 -rate 9000 -tsv -seed $seed -- \
		sh -c 'exec paces 500 10 >truth'
	rate="1000 * $(truth switches) / $(truth faults)"
	awk "BEGIN { exit !($(tsv paces rate2_lo) <= $rate && $rate <= $(tsv paces rate2_hi)) }" && good=$((good + 1))
	echo "seed $seed: $(tsv paces rate2_lo) to $(tsv paces rate2_hi), in truth $(awk "BEGIN { print $rate }")"
done
[ $good -ge 14 ] || fail "only $good of 20 intervals hold the truth"

# the text has names in the titles, and the rates of the machine
expect 0 probe sys -engine module -event page-faults,cs,migrations -period 7 -rate 2000 -- sh -c 'exec paces 200 10 >truth'
says out '^Counted page-faults with a period of 7$'
says out '^Counted migrations with a period of 7$'
says out '^cs per 1000 page-faults: [0-9.e+-]+ in all$'
says out '^Task Name +Kernel +User +Total +\+- +cs +\+- +migrations +\+-$'

# a saved run has all events
expect 0 probe sys -engine module -by comm -event page-faults,cs -period 7,1 -rate 9000 -save two -tsv -- \
	sh -c 'exec paces 2000 10 >truth'
sed '/^Receipt:/,$d' out >live
expect 0 probe show two -tsv
cmp live out || fail "another table than that of the run"
expect 0 probe verify two
expect 0 probe show two
says out '^Beside it: cs with a period of 1, '
expect 0 probe diff -event cs -sampling-only -tsv two two
says out '^paces	'
expect 1 probe merge two two -o merged
one_line_error 'merge two( with two: they are the same run|: runs of several events)'

# stacks: a report of each event, in which a program has its known number, as it runs and as it ends
in_report() {
	awk -v nr="$1" '/^[{]/ { at++ } at == nr && /"name": "paces"/ { sub(/.* "events": /, ""); sum += $0 } END { print sum }' out
}
expect 0 probe flat -engine module -by program -event page-faults,cs -period 7,1 -rate 9000 -unwind tables -save stacks -json -- \
	sh -c 'exec paces 2000 10 >truth'
near "$(in_report 1)" "$(truth faults)" 700
near "$(in_report 2)" "$(truth switches)" "$slack"
expect 0 probe verify stacks
expect 0 probe flat stacks
says out '^Counted page-faults with a period of 7$'
says out '^Counted cs with a period of 1$'
[ "$(grep -c '^User stacks (tables, ' out)" = 2 ] || fail "not both by tables"
expect 0 probe diff -event cs -sampling-only stacks stacks
says out '^schedule +kernel '
expect 0 probe export stacks -event cs -folded folded
near "$(grep '^paces;.*;schedule ' folded | awk '{ n += $NF } END { print n }')" "$(truth switches)" "$slack"
expect 2 probe flat stacks -folded folded
one_line_error 'files for other tools are of one event; the run has 2'
expect 0 probe graph -engine module -event page-faults,cs -period 7,1 -rate 9000 -tree -- paces 200 10
[ "$(grep -c '^Call tree$' out)" = 2 ] || fail "not two trees"

# one task: a histogram of each event; switches are in kernel mode
expect 0 probe proc -engine module -event page-faults,cs -period 7,1 -rate 9000 -save one paces -- sh -c 'exec paces 2000 10 >truth'
says out '^Task paces caused these events in user mode for [0-9]+ of [0-9]+ samples'
near "7 * $(sed -n 's/^Task paces .* for \([0-9]*\) of .*/\1/p;T;q' out)" "$(truth faults)" 700
near "$(sed -n 's/^(elsewhere: .* range, \([0-9]*\) other modes, .*/\1/p' out | tail -n 1)" "$(truth switches)" "$slack"
cp out live
expect 0 probe verify one
expect 0 probe show one
cmp live out || fail "other histograms than those of the run"

# a table of each second has the rates of that second; each switch is in one of them
expect 0 probe sys -engine module -by comm -event page-faults,cs -period 7,1 -rate 9000 -repeat 0.5 -tsv -o name,events,event_hits -- \
	sh -c 'exec paces 4000 10 >truth'
awk -F '\t' '$1 == "paces" { faults += $2; switches += $4 } END { print faults, switches }' out >sums
near "$(cut -d ' ' -f 1 sums)" "$(truth faults)" 900
near "$(cut -d ' ' -f 2 sums)" "$(truth switches)" "$slack"

# in the background, with a pause that nothing is counted in
expect 0 probe sys -background two -engine module -by comm -event page-faults,cs -period 7,1 -rate 9000
paces 500 10 >truth
expect 0 probe pause two
paces 1000 10 >none
expect 0 probe status two
says out '^Event +page-faults, one sample in 7$'
says out '^Event +cs, one sample in 1$'
expect 0 probe dump two -tsv
near "$(tsv paces hits2)" "$(truth switches)" "$slack"
expect 0 probe resume two
paces 500 10 >truth2
expect 0 probe stop two -save kept
expect 0 probe verify kept
expect 0 probe show kept -tsv
near "$(tsv paces hits2)" "2 * $(truth switches)" "40 * $patience"
near "$(tsv paces events1)" "2 * $(truth faults)" 700

# with BPF, which the debug kernels lack: a comb of counters for each event
if [ $patience = 1 ]; then
	expect 0 probe sys -engine bpf -by comm -event page-faults,context-switches -period 7,1 -rate 9000 -json -- \
		sh -c 'exec paces 2000 10 >truth'
	says out '"name": "context-switches per 1000 page-faults", "total": '
	says out '"receipts_beside": \['
	says out '"name": "context-switches", "period": 1, "rate_at_most": 9000.01, "counted": [1-9]'
	says out '"name": "paces", .*"rate2": '
fi

# what is refused
expect 2 probe sys -event page-faults,context-swiches
one_line_error "unknown event 'context-swiches'"
says err '^hint: like it: context-switches;'
expect 2 probe sys -event page-faults,cs,migrations,major-faults,minor-faults
one_line_error 'a run samples on at most 4 events'
expect 2 probe sys -event cs,context-switches
one_line_error "event 'context-switches' is there twice"
expect 2 probe sys -event cs,page-faults -period 1,2,3
one_line_error '-period has 3 numbers, but -event has 2 events'
expect 2 probe sys -event cs,page-faults -period 1,0
one_line_error "'0' is not from 1 to "
expect 2 probe start -event cs,page-faults
one_line_error "'cs,page-faults': this command samples on one event"
expect 2 probe flat -event cs,page-faults -tsv
one_line_error '-tsv is of one event; the run has 2'
expect 2 probe proc -event cs,page-faults -hot paces
one_line_error '-hot is of one event; -event has 2'
expect 1 probe sys -engine module -event emulation-faults,page-faults -sec 0.5
one_line_error 'no sample of emulation-faults was taken in [0-9.]+ s$'
says err '^hint: begin -event with an event that occurs more often'
expect 1 probe sys -engine module -event page-faults,cycles -sec 1
one_line_error '-event cycles: start sampling: this machine cannot sample this event'
# other commands show the events that have samples
expect 125 probe flat -engine module -event emulation-faults,page-faults -period 7 -save half -- paces 200 10
one_line_error 'no sample of emulation-faults was taken in [0-9.]+ s$'
says out '^Counted page-faults with a period of 7$'
expect 1 probe flat half
says out '^Counted page-faults with a period of 7$'
expect 0 probe verify half
expect 125 probe proc -engine module -event emulation-faults,page-faults -period 7 -rate 9000 -save half paces -- paces 200 10
says err '^probe: no sample of emulation-faults was taken in '
says out '^Counted page-faults with a period of 7$'
expect 0 probe verify half
# the first session ended with the refusal of the second
expect 0 probe list
