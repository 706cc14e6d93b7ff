# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=400
# The calls of four kernel functions are counted to one, by caller, and the time of a call is known:
# 20,010 to 20,020 instructions of a nanosecond each, and for known_a() four times that and the cost of
# counting three calls. In at least 14 of 20 runs the 95% interval of each must contain it (fewer
# happen by chance once in 7,000 runs).
. /test/guest-lib.sh
insmod /test/known.ko || fail "no known.ko"
value() {	# value FUNCTION COLUMN [CALLER]: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="$2" -v caller="${3-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name && (caller == "" || $at["caller"] == caller) { print $at[key] }' out
}
counts() {	# counts FUNCTION COLUMN LEAST MOST: count a run whose interval meets the true range
	awk "BEGIN { exit !($(value "$1" "$2_lo") <= $4 && $(value "$1" "$2_hi") >= $3) }" || return
	eval "good_$1=\$((\${good_$1:-0} + 1))"
}
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	expect 0 probe calls -fn 'known:known_*' -seed $seed -rate 5000 -tsv -save run -- \
		sh -c 'echo 2500 >/sys/module/known/parameters/rounds'
	for name in a b c d; do
		holds "$(value known_$name calls) == 2500"
	done
	counts known_d self_ns 20005 20030
	counts known_c self_ns 20005 20030
	counts known_b self_ns 20005 20030
	counts known_a total_ns 80020 80400
	echo "seed $seed: $(value known_d self_ns_lo) .. $(value known_d self_ns) .. $(value known_d self_ns_hi)"
done
for name in a b c d; do
	good=0
	eval "good=\${good_known_$name:-0}"
	echo "known_$name: $good of 20"
	[ "$good" -ge 14 ] || fail "only $good of 20 intervals of known_$name hold the truth"
done
# By caller; and the function that nothing calls.
expect 0 probe calls -tsv -arcs run
holds "$(value known_b calls known_a) == 2500 && $(value known_c calls known_a) == 2500"
holds "$(value known_d calls known_b) == 2500"
expect 0 probe calls -tsv -never run
[ "$(cut -f 1 out)" = "$(printf 'function\nknown_idle')" ] || { cat out; fail "never called"; }
rmmod known
