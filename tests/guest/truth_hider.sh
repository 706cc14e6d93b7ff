# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=600
# A program hides from the tick. The truth is the kernel's exact clock of its run time. With seeds 1
# to 20 at the tick's own 250 Hz, the interval must contain the truth at least 15 times (fewer happen
# by chance once in 3,000). The judge must fail a deliberately biased sampler: a fixed period, which
# sees all or nothing.
. /test/guest-lib.sh
hider &
hider=$!
trap 'kill $hider' EXIT
sleep 1

# judge OPTIONS...: count the runs of 20 whose interval contains the truth; show the last interval.
judge() {
	good=0
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		read -r ran0 _ </proc/$hider/schedstat
		read -r at0 _ </proc/uptime
		expect 0 probe sys -sec 0.4 -rate 250 -seed $seed -json "$@"
		read -r at1 _ </proc/uptime
		read -r ran1 _ </proc/$hider/schedstat
		row=$(grep '"name": "hider"' out || echo '"lo": 0, "hi": 0.01, "deferred": 0')
		lo=$(echo "$row" | sed 's/.*"lo": \([0-9.]*\).*/\1/') hi=$(echo "$row" | sed 's/.*"hi": \([0-9.]*\).*/\1/')
		truth=$(awk "BEGIN { print ($ran1 - $ran0) / ($at1 - $at0) / 1e7 }")
		echo "seed $seed: $truth in $lo..$hi"
		awk "BEGIN { exit !($lo <= $truth && $truth <= $hi) }" && good=$((good + 1))
	done
}
judge
holds "$truth > 65 && $truth < 85" "the hider does not hide as it should"
[ $good -ge 15 ] || fail "only $good of 20 intervals hold the truth"
judge -jitter none
[ $good -lt 15 ] || fail "a fixed period passes the same test: the test finds no bias"
