# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: icount
# rig: not=debug
# rig: shift=6
# rig: timeout=100000
# A day of a machine that is mostly idle: memory stays as it is, every period of 24 hours is
# accounted for, so that the rate does not drift. At 64 ns an instruction a timer's interrupt takes
# 0.1% of a period to arrive, and that share of the instants are so near a period's end that
# they are missed.
# Not on debug: at so many nanoseconds an instruction a kernel that watches itself does not even boot.
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
