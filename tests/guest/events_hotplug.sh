# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: quick=6.12
# rig: timeout=120
# rig: module max_overhead_pct=10000 slow_down=0
# Counters of events are lost with their CPU, and made anew after its return: page faults of a program on CPU 1, before
# and after, are all known from main() on; before, its processes have other names. The program waits until another
# counter is made. It pauses after each fault for longer than -rate keeps samples apart: a missed period counts for the
# program that has the next sample.
. /test/guest-lib.sh

# steps: a script from standard input for `probe sys -- sh steps`, which begins when samples are taken
steps() {
	cat >steps <<-'END'
		touch_on_1() { taskset 2 touches "$@"; }
		off() { echo 0 >/sys/devices/system/cpu/cpu1/online; }
		on() { echo 1 >/sys/devices/system/cpu/cpu1/online; }
	END
	cat >>steps
}
truth() { awk '/^faults / { n += $2 } END { print n }' truth; }
own_truth() { awk '/^faults / { n += $2 } /^before / { n -= $2 } END { print n }' truth; }
are_known() {
	known=$(($(tsv touches user_hits) + $(tsv touches kernel_hits) + $(tsv touches missed)))
	echo "= $known known, $(tsv touches missed) of them missed; $(truth) in all, $(own_truth) from main() on"
	holds "$(own_truth) <= $known && $known < 1.5 * $(truth)"
}

# the first harvest after the CPU's return makes another counter
steps <<'END'
{ touch_on_1 500 0 200; off; sleep 0.3; on; sleep 3; touch_on_1 700 0 200; } >truth
END
expect 0 probe sys -engine module -cpu 1 -by comm -event page-faults -period 1 -rate 20000 -tsv -save run -- sh steps
are_known
says err '^probe: warning: page-faults: 1 CPU had no counter for a part of the run$'
says err '^hint: a CPU that was offline is counted again about a second after its return$'
expect 0 probe verify run

# with a period: the grid of events goes on
steps <<'END'
{ touch_on_1 20000; for i in 1 2 3; do off; on; sleep 1.5; done; touch_on_1 20000; } >truth
END
expect 0 probe sys -engine module -cpu 1 -by comm -event page-faults -period 37 -rate 20000 -json -- sh steps
holds "$(json samples) + $(json missed) == $(json expected)"
# Periods are of events, whichever counter has counted them: the last one may have begun.
holds "37 * $(json expected) <= $(number counted) + 37 && 37 * ($(json expected) + 1) > $(number counted)"
holds "$(number counted) >= $(own_truth)"

# a run that begins while the CPU is offline counts it later
cpu1_offline
steps <<'END'
{ on; sleep 3; touch_on_1 700 0 200; } >truth
END
expect 0 probe sys -engine module -by comm -event page-faults -period 1 -rate 20000 -tsv -- sh steps
are_known
says err '1 CPU had no counter for a part of the run$'

# off and on all the time: nothing hangs, the sums hold
steps <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do off; on; touches 300; done >truth
END
expect 0 probe sys -engine module -event page-faults,context-switches -period 11,3 -save run -- sh steps
expect 0 probe verify run

# a counter of the processor, where there is one
[ "$(uname -m)" = aarch64 ] || exit 0
steps <<'END'
off; on; sleep 3; taskset 2 spin 1
END
expect 0 probe sys -engine module -cpu 1 -by comm -event cycles -period 1000003 -rate 20000 -json -save run -- sh steps
holds "$(json samples) + $(json missed) == $(json expected)"
holds "1000003 * $(json expected) <= $(number counted) + 1000003 && 1000003 * ($(json expected) + 1) > $(number counted)"
says err '^probe: warning: cycles: 1 CPU had no counter for a part of the run$'
expect 0 probe verify run
expect 0 probe show run -tsv
holds "$(tsv spin user_hits) > 0"
