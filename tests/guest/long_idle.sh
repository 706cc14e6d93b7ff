# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: icount
# rig: not=debug
# rig: shift=6
# rig: timeout=100000
# A mostly idle machine is sampled for a day: memory does not grow, and every period of the 24 hours
# is accounted for, so the rate does not drift. At 64 ns per instruction a timer interrupt takes 0.1%
# of a period to arrive; the instants in the last 0.1% of a period are missed.
# Not on debug kernels, which do not boot at this many nanoseconds per instruction.
. /test/guest-lib.sh
. /test/guest-long.sh
hours=24 rate=20
measured probe sys -sec $((hours * 3600)) -rate $rate -seed 1 -save kept -json >report 2>errors
i=0
while [ $i -lt $((hours * 4)) ]; do
	sleep 60
	note_memory
	spin 3
	sleep 800
	i=$((i + 1))
done
wait "$measured_pid" || { cat errors; fail "the tool ended with $?"; }
note_figures "$hours hours" report
counts_are_exact report $rate $((hours * 3600)) 2
holds "$(json missed report) < $(json expected report) / 200"
[ "$(json lost report)" = 0 ] || fail "$(json lost report) samples lost"
expect 0 probe verify kept
memory_is_constant
