# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=600
# rig: quick=6.12
# rig: ci=6.1,6.12
# Two programs take 3:1 of one CPU by construction. With seeds 1 to 20, not selected, the 95% interval
# must contain the truth in at least 15 runs (fewer happen by chance once in 3,000). The samples take
# about 0.1% of the CPU from both programs alike, which does not change the ratio.
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
	# Wilson's interval contains 0.75 if the share is within 1.96 standard errors (at 0.75) of it.
	awk -v x="$three" -v y="$one" 'BEGIN { n = x + y; d = x - 0.75 * n
		exit !(d * d <= 3.8415 * 0.75 * 0.25 * n) }' &&
		good=$((good + 1))
	echo "seed $seed: $three $one"
done
[ $good -ge 15 ] || fail "only $good of 20 intervals hold the truth"
