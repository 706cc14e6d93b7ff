# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: arch=arm64
# rig: module max_overhead_pct=10000 max_rate=100000
# More events than the processor has counters, and a kernel that stops a counter: both are told, and numbers of events
# are made up for turns. The emulated processor has 7 counters and counts a cycle in each nanosecond in which it works.
# (Emulated x86 has no counters.)
. /test/guest-lib.sh

# cycles_of_time: the number of events, made up for turns, is the time: the CPU is never idle
cycles_of_time() {
	near "$(number counted) / $(number running_ns)" 1 0.03
	near "$(number enabled_ns)" "1e9 * $(json seconds)" 3e7
}

background spin 60
expect 0 probe sys -engine module -event cycles -period 100003 -rate 20000 -sec 1 -json
holds "$(number running_ns) == $(number enabled_ns)"
cycles_of_time
grep -q 'took turns' err && fail "turns without need"

# two runs of four events take eight counters
for name in one two; do
	expect 0 probe sys -background $name -engine module -event cycles,instructions,cycles:u,cycles:k -period 10000019
done
expect 0 probe sys -engine module -event cycles -period 100003 -rate 20000 -sec 2 -json
holds "$(number running_ns) < 0.95 * $(number enabled_ns) && $(number running_ns) > 0.3 * $(number enabled_ns)"
holds "$(json samples) + $(json missed) == $(json expected)"
cycles_of_time
says err '^probe: warning: cycles was counted for [0-9.]+% of the time: events took turns$'
expect 0 probe sys -engine module -event cycles,instructions -period 100003 -rate 20000 -sec 2
says out '^IPC, instructions per cycle: (0\.9[5-9]|1$|1 |1\.0[0-5])'
says out ' in the [0-9.]+%'
expect 0 probe stop two -json
holds "$(number running_ns) < $(number enabled_ns)"
expect 0 probe stop one

# the kernel takes four samples in a tick, and stops the counter until the next one
before=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
expect 0 probe sys -engine module -event cycles -period 100003 -rate 20000 -sec 2 -json -save run
says err '^probe: warning: the kernel stopped counting cycles at times, on 1 CPU$'
holds "$(json samples) + $(json missed) == $(json expected)"
holds "$(json samples) < 2 * 1000 * 1.3"
expect 0 probe verify run
echo "$before" >/proc/sys/kernel/perf_event_max_sample_rate

# events that come faster than the rate are missed, and no sample too many is taken: 128 may come at once; the
# rate limits those after them
expect 0 probe sys -engine module -event cycles -period 100003 -rate 500 -sec 2 -json
holds "$(json samples) <= 2 * 500 + 129 && $(json missed) > $(json samples)"
holds "$(json samples) + $(json missed) == $(json expected)"
# a period with which a busy CPU would do nothing but take samples
expect 1 probe sys -engine module -event cycles -period 1000 -sec 1
one_line_error 'sample cycles with a period of 1000: a busy CPU would take 1e\+06 samples a second, more than [0-9]+$'
