# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=300
# The time of one execution is known: 20,003 instructions of a nanosecond each. In at least 8 of 12
# runs the 95% interval must contain it (fewer happen by chance once in 5,000).
. /test/guest-lib.sh
good=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	expect 0 probe proc -json -seed $seed -rate 2000 -low step -high rest -count 10000 -- counted 10000
	lo=$(json execution_lo_ns) hi=$(json execution_hi_ns)
	echo "seed $seed: $lo .. $(json execution_ns) .. $hi"
	holds "$hi - $lo < 3000"
	awk "BEGIN { exit !($lo <= 20003 && 20003 <= $hi) }" && good=$((good + 1))
done
[ $good -ge 8 ] || fail "only $good of 12 intervals hold the truth"
# the time of one execution, with the number of executions in a file
background counted 100000000 count
sleep 0.3
good=0
for seed in 1 2 3 4 5 6; do
	expect 0 probe proc -json -seed $seed -sec 0.5 -rate 2000 -low step -high rest -count-from count counted
	lo=$(json execution_lo_ns) hi=$(json execution_hi_ns)
	echo "seed $seed: $lo .. $(json execution_ns) .. $hi, $(json executions) executions"
	awk "BEGIN { exit !($lo <= 20003 && 20003 <= $hi) }" && good=$((good + 1))
done
[ $good -ge 3 ] || fail "only $good of 6 intervals hold the truth"
