# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: not=debug,kcsan
# With -idle sleep an idle machine wakes up no more often than without sampling, and its counts are
# up to date. Slow kernels, on which the machine is never idle, are left out.
. /test/guest-lib.sh
# wakeups: print the local timer, rescheduling and function-call interrupts of all CPUs so far.
wakeups() {
	awk '$1 == "LOC:" || $1 == "RES:" || $1 == "CAL:" || $1 ~ /^IPI[01]:$/ || $NF == "arch_timer" { s += $2 + $3 }
		END { print s }' /proc/interrupts
}
# IDLE's share of all samples.
idle_share() { grep '"name": "IDLE"' out | sed 's/.*"total": \([0-9.]*\).*/\1/'; }

# Count 5 s without sampling, then 5 s during a run; the tool itself wakes up once a second.
sleep 2
at=$(wakeups); sleep 5; none=$(($(wakeups) - at))
for how in sleep sample; do
	probe sys -sec 7 -json -idle $how -save $how.run >out 2>err & pid=$!
	sleep 1
	at=$(wakeups); sleep 5; eval "$how=$(($(wakeups) - at))"
	wait $pid || { cat err; fail "-idle $how"; }
	eval "idle_$how=$(idle_share)"
	expect 0 probe verify $how.run
done
# shellcheck disable=SC2154 # of eval, as below
echo "wake-ups in 5 s: $none without sampling, $sleep with -idle sleep, $sample with -idle sample"
# shellcheck disable=SC2154
echo "IDLE: $idle_sleep, $idle_sample"
[ "$sample" -gt $((none + 3000)) ] || fail "the count of wake-ups is too low"
# The remaining wake-ups are the tool's, which harvests once a second.
[ $(((sleep - none) * 20)) -lt $((sample - none)) ] || fail "an idle machine is woken $sleep instead of $none times"
echo "wakeups none=$none sleep=$sleep sample=$sample" >figures
expect 0 probe show -json sleep.run
says out '"idle": "sleep"'
holds "$(number missed) < $(number expected) / 4 && $(number expected) > 6500"
expect 0 probe show sleep.run
says out '^Receipt: .*(idle|$)'
tr '\n' ' ' <out | grep -q 'on 1 CPU, idle ones asleep;.* at most [0-9.]*% overhead' || { cat out; fail "the receipt does not say it"; }

# counts of a sleeping CPU are up to date: each second's report has all samples of that second
probe sys -idle sleep -repeat 1 -sec 4 -json >out 2>err || fail "-repeat"
awk '/^  "seconds": / { at = $2 + 0 } /^  "expected": / { n++; d = ($2 + 0) / 1000 - at; print at, $2
	wrong += d > 0.2 || d < -0.2 } END { exit !(n >= 4 && !wrong) }' out || { cat out; fail "samples of a second"; }
