# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=300
# rig: module max_overhead_pct=1
# The limits that protect the machine, and their messages: the calibrated cost of a sample is right;
# rates beyond the limit on the sum of all sessions are refused; the rate of an overloaded CPU is
# halved; the module cannot be unloaded while it is in use; a tool that crashes releases its share.
. /test/guest-lib.sh

# the cost: how much longer a fixed amount of work takes with 5,000 samples a second. The kernel's
# own work of the first seconds would disturb the first loop.
sleep 3
counted 20000
expect 0 probe sys -rate 10 -json -- counted 20000
plain=$(json seconds)
expect 0 probe sys -rate 5000 -json -- counted 20000
cost=$(number sample_cost_ns)
paid=$(awk "BEGIN { print ($(json seconds) - $plain) * 1e9 / $(number taken) }")
echo "a sample: calibrated $cost ns, paid $paid ns"
holds "$cost > 0.5 * $paid && $cost < 1.5 * $paid" "calibrated $cost ns, paid $paid ns"

# 1% of a CPU and no more
most=$(awk "BEGIN { print int(1e7 / $cost) }")
expect 0 probe sys -sec 0.1 -rate $((most * 98 / 100))
expect 1 probe sys -sec 0.1 -rate $((most * 102 / 100))
one_line_error "start sampling at [0-9]+ Hz: at up to [0-9.]+ us a sample it would take 1.0% of each CPU, the limit is 1.0%, 0.0% are in use$"
says err "^hint: use -rate $most or less, or load the module with max_overhead_pct=N$"
probe sys -sec 60 -rate $((most * 60 / 100)) >/dev/null 2>&1 & first=$!
sleep 0.5
expect 1 probe late -sec 0.1 -rate $((most * 60 / 100))
one_line_error "would take 1.[2-9]% of each CPU, the limit is 1.0%, 0.6% are in use, [0-9]+ Hz held by probe \\(pid $first\\)$"
expect 0 probe sys -sec 0.1 -rate $((most * 35 / 100))

# the module cannot be unloaded while it is in use, and the attempt does not disturb the run
rmmod cpuprobe 2>err && fail "unloaded during use"
says err 'busy|in use|temporarily unavailable'
# a tool that crashes releases its share of the limits at once
kill -SEGV $first
wait $first 2>/dev/null
expect 0 probe sys -sec 0.1 -rate $((most * 90 / 100))

# interrupts off for 30 of every 45 ms: the rate is halved after 10 s, and the report says so
insmod /test/irqoff.ko hold_us=30000 period_ms=10 || fail "no irqoff.ko"
expect 0 probe sys -sec 12 -json -save halved.run
rmmod irqoff
says err '^probe: CPU 0 missed more than a quarter of its samples; its rate is halved to 500 Hz$'
[ "$(grep -c 'is halved' err)" = 1 ] || fail "not halved once"
holds "$(number cpus_slowed) == 1 && $(number rate_asked) == 1000"
holds "$(number expected) > 10500 && $(number expected) < 11700"
holds "$(number missed) > $(number expected) / 4"
# samples at half the rate weigh twice as much
holds "$(number excess) > 0.02 && $(number excess) < 1"
expect 0 probe verify halved.run
expect 0 probe show halved.run
says out '^Receipt: 1000 Hz asked, [0-9.]+ reached on 1 CPU, halved on 1; '
