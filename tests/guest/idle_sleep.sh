# SPDX-License-Identifier: GPL-2.0-only
# rig: timeout=150
# With -idle sleep an idle machine is woken no more often than without sampling; sums hold whatever
# happens to a CPU that is asleep.
. /test/guest-lib.sh
# timers: local timer interrupts and rescheduling and function-call interrupts so far, of all CPUs
wakeups() { awk '$1 == "LOC:" || $1 == "RES:" || $1 == "CAL:" { s += $2 + $3 } END { print s }' /proc/interrupts; }
number() { sed -n "/\"receipt\"/,\$s/.*\"$1\": \([0-9.]*\).*/\1/p" out | head -n 1; }
# IDLE's share of all samples
idle_share() { grep '"name": "IDLE"' out | sed 's/.*"total": \([0-9.]*\).*/\1/'; }

# The machine by itself, then 5 s in the midst of a run; the tool itself wakes once a second.
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
echo "wake-ups in 5 s: $none without sampling, $sleep with -idle sleep, $sample with -idle sample"
echo "IDLE: $idle_sleep, $idle_sample"
[ "$sample" -gt $((none + 3000)) ] || fail "the count of wake-ups sees nothing"
# A hundred is ten for each look of the tool, of which there are five, and for chance.
[ "$sleep" -lt $((none + 100)) ] || fail "an idle machine is woken $sleep instead of $none times"
echo "wakeups none=$none sleep=$sleep sample=$sample" >figures
expect 0 probe show -json sleep.run
says out '"idle": "sleep"'
holds "$(number missed) < $(number expected) / 10 && $(number expected) > 13000"
expect 0 probe show sleep.run
says out '^Receipt: .*(idle|$)'
tr '\n' ' ' <out | grep -q 'on 2 CPUs, idle ones left asleep;.* at most [0-9.]*% overhead' || { cat out; fail "the receipt does not say it"; }

# counts of a sleeping CPU are as fresh as any: each second's report has all of its samples
probe sys -idle sleep -repeat 1 -sec 4 -json >out 2>err || fail "-repeat"
for n in $(sed -n 's/^  "expected": \([0-9]*\),*/\1/p' out | head -n 3); do
	holds "$n > 1800 && $n < 2600" "samples of a second"
done

# a process, and by other identities
background spin 30
expect 0 probe proc -idle sleep -sec 1 -json -save proc.run spin
expect 0 probe verify proc.run
for by in pid thread comm cgroup; do
	expect 0 probe sys -idle sleep -by $by -sec 0.5 -json -save by.run
	says out '"name": "IDLE"'
	expect 0 probe verify by.run
done
kill $last_pid

# CPUs that go and come while they are asleep
(for i in 1 2 3; do sleep 0.4; echo 0; sleep 0.4; echo 1; done >/sys/devices/system/cpu/cpu1/online) &
expect 0 probe sys -idle sleep -sec 3 -json -save hotplug.run
wait $!
holds "$(number missed) < $(number expected) / 4 && $(number expected) < 5900"
expect 0 probe verify hotplug.run

# eight at once, no more; killed while asleep; ordinary ones beside them are not disturbed
for i in 1 2 3 4 5 6 7 8; do
	probe sys -idle sleep -sec 20 -rate $((50 * i)) >/dev/null 2>&1 &
	eval "pid$i=$!"
done
sleep 1
expect 1 probe sys -idle sleep -sec 0.2
one_line_error 'start sampling: too many runs use -idle sleep'
says err '^hint: wait until one of them ends'
expect 0 probe sys -sec 0.5 -json
kill -9 "$pid3"
wait "$pid3" 2>/dev/null
expect 0 probe sys -idle sleep -sec 1 -rate 200 -json -save many.run
expect 0 probe verify many.run
for i in 1 2 4 5 6 7 8; do eval "kill -INT \$pid$i; wait \$pid$i" || fail "session $i"; done
grep -q sampler_fire /proc/timer_list && fail "a timer is left"
rmmod cpuprobe || fail "something still holds the module"
insmod /lib/modules/cpuprobe.ko max_overhead_pct=50

# what does not go together
expect 2 probe sys -idle sleep -jitter poisson
one_line_error '-idle sleep counts the periods'
expect 2 probe sys -idle nap
one_line_error "'nap' is none of sample, sleep"
expect 2 probe late -idle sleep
one_line_error "late: unknown option '-idle'"
