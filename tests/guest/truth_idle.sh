# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=600
# With -idle sleep shares are as right as without: for programs of known duty cycle, in lockstep with
# the tick or with sleeps far shorter than a period. The truth is the kernel's exact clock of their
# run time. With seeds 1 to 12 the interval must contain the truth at least 8 times for each (fewer
# happen by chance once in 5,000). Periods of sleep are not missed, and softirq work on top of idle is
# not idle.
. /test/guest-lib.sh
total() { grep "\"name\": \"$1\"" out | sed 's/.*"total": \([0-9.]*\).*/\1/' | grep . || echo 0; }

# judge RATE HIDER-OPTIONS...: count the runs of 12 that contain the truth; print their mean error.
judge() {
	rate=$1
	shift
	hider "$@" &
	hider=$!
	sleep 0.5
	good=0 sum=0
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		read -r ran0 _ </proc/$hider/schedstat
		read -r at0 _ </proc/uptime
		expect 0 probe sys -idle sleep -sec 0.4 -rate "$rate" -seed $seed -json -save run
		read -r at1 _ </proc/uptime
		read -r ran1 _ </proc/$hider/schedstat
		row=$(grep '"name": "hider"' out || echo '"total": 0, "lo": 0, "hi": 0.01, "deferred": 0')
		lo=$(echo "$row" | sed 's/.*"lo": \([0-9.]*\).*/\1/') hi=$(echo "$row" | sed 's/.*"hi": \([0-9.]*\).*/\1/')
		truth=$(awk "BEGIN { print ($ran1 - $ran0) / ($at1 - $at0) / 1e7 }")
		sum=$(awk "BEGIN { print $sum + $(total hider) - $truth }")
		awk "BEGIN { exit !($lo <= $truth && $truth <= $hi) }" && good=$((good + 1))
		holds "$(number missed) < 2 + $(number expected) / 50 && $(number taken) + $(number missed) == $(number expected)"
		expect 0 probe verify run
	done
	kill $hider
	wait $hider 2>/dev/null
	echo "hider $*: $truth% at $rate Hz, $good of 12 hold it, mean error $(awk "BEGIN { print $sum / 12 }")"
	[ $good -ge 8 ] || fail "hider $* at $rate Hz: only $good of 12 intervals hold the truth"
}
judge 250			# 3 of every 4 ms, in lockstep with the tick
judge 1000 500 0 350		# sleeps of 150 us, periods of 1,000
judge 1000 10000 0 1000		# nearly idle

# 2 of every 24 ms in softirq on top of idle
insmod /test/irqoff.ko hold_us=2000 period_ms=20 is_softirq=1 || fail "no irqoff.ko"
expect 0 probe sys -idle sleep -sec 3 -json
softirq=$(total '(softirq)') idle=$(total IDLE)
rmmod irqoff
echo "softirq $softirq, idle $idle"
near "$softirq" 8.33 0.9
near "$idle + $softirq" 99.5 0.6
holds "$(number missed) < 5"
