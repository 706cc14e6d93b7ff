# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: icount
# rig: not=debug
# rig: shift=7
# rig: timeout=5000
# For an hour the CPU is never idle, with two sessions at a time: memory does not grow, every period
# is accounted for, and the functions' shares are those of the construction.
# Not on debug kernels, which do not boot at this many nanoseconds per instruction.
. /test/guest-lib.sh
. /test/guest-long.sh
minutes=60 rate=100
background proportions
measured probe sys -sec $((minutes * 60)) -rate $rate -seed 1 -save kept -json >report 2>errors
probe proc -sec $((minutes * 60)) -rate 80 -seed 2 -save kept2 -json -low work_six -high main \
	proportions >report2 2>errors2 &
second=$!
# A look at the memory takes seconds on this CPU. The last begins while both tools still run.
seconds_up() { cut -d . -f 1 /proc/uptime; }
last=$(($(seconds_up) + minutes * 60 - 120))
while [ "$(seconds_up)" -lt "$last" ]; do
	sleep 59
	note_memory
done
wait "$measured_pid" || { cat errors; fail "the tool ended with $?"; }
wait "$second" || { cat errors2; fail "the second tool ended with $?"; }
note_figures "$minutes busy minutes" report
note_figures "$minutes busy minutes, process" report2
counts_are_exact report $rate $((minutes * 60)) 10
counts_are_exact report2 80 $((minutes * 60)) 10
[ "$(json lost report)" = 0 ] || fail "$(json lost report) samples lost"
expect 0 probe verify kept
expect 0 probe verify kept2
expect 0 probe show -tsv kept2
# Chi-square with 2 degrees of freedom is above 13.8 once in 1,000.
awk -F '\t' '
	$NF ~ /^work_six/ { a += $3 } $NF ~ /^work_three/ { b += $3 } $NF ~ /^work_one/ { c += $3 }
	END { n = a + b + c; d = a - .6 * n; e = b - .3 * n; f = c - .1 * n
		x = d * d / (.6 * n) + e * e / (.3 * n) + f * f / (.1 * n)
		print "6:3:1 as", a, b, c ", chi-square", x
		exit !(n > 100000 && x < 13.8) }' out >shares || { cat shares; fail "not 6:3:1"; }
cat shares >>figures
memory_is_constant
