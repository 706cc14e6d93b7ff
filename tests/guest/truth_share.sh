# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=600
# Two programs that take 3:1 of one CPU by construction. Seeds 1 to 20, none chosen: in at least
# 15 runs the 95% interval holds the truth (fewer happens once in 3,000 by chance). The samples
# themselves take about 0.1% of the CPU from both alike, which changes no ratio.
. /test/guest-lib.sh
mkfifo a b
turn_one <a >b &
one_pid=$!
turn_three first >a <b &
three_pid=$!
trap 'kill $one_pid $three_pid' EXIT
sleep 1
good=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	expect 0 probe sys -sec 0.3 -rate 2000 -seed $seed -tsv
	three=$(tsv turn_three user_hits) one=$(tsv turn_one user_hits)
	holds "$three + $one > 450" "too few samples"
	# 0.75 is in Wilson's interval when it is at most 1.96 standard errors, taken at 0.75, away.
	awk -v x="$three" -v y="$one" 'BEGIN { n = x + y; d = x - 0.75 * n
		exit !(d * d <= 3.8415 * 0.75 * 0.25 * n) }' &&
		good=$((good + 1))
	echo "seed $seed: $three $one"
done
[ $good -ge 15 ] || fail "only $good of 20 intervals hold the truth"
