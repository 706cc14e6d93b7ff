# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: icount
# rig: timeout=600
# 240 independent intervals of two programs at 3:1: the number of intervals that contain the truth
# must pass an exact binomial test at 0.001. Too many are not an error: a grid of periods is a little
# better than independent samples.
. /test/guest-lib.sh
mkfifo a b
turn_one <a >b &
one_pid=$!
turn_three first >a <b &
three_pid=$!
trap 'kill $one_pid $three_pid' EXIT
sleep 1
expect 0 probe sys -repeat 0.1 -sec 24.6 -rate 2000 -tsv
# The true share is 0.75 of the two programs' samples; a few samples belong to neither.
awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$1 == "turn_one" { t1[++n1] = $column["total"] }
	$1 == "turn_three" { t3[++n3] = $column["total"]; lo[n3] = $column["lo"]; hi[n3] = $column["hi"] }
	END {
		for (i = 1; i <= n3; i++) {
			truth = 0.75 * (t1[i] + t3[i])
			held += lo[i] <= truth && truth <= hi[i]
		}
		# P(X <= held) for X binomial with n3 and 0.95: each term follows from the next larger one.
		for (term = 1, k = 0; k < n3; k++)
			term *= 0.95
		for (k = n3; k >= 0; k--) {
			p += k <= held ? term : 0
			term *= k / (n3 - k + 1) * 0.05 / 0.95
		}
		print n3 " intervals, " held " hold the truth, p = " p
		exit !(n3 >= 200 && p >= 0.001)
	}' out || fail "the intervals do not hold"
