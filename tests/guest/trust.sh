# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=200
# The receipt and its sums, the comparison of runs, and precision instead of time, with their errors.
. /test/guest-lib.sh
background proportions; pid=$last_pid
sleep 0.3

# the receipt: a line of text, an object of JSON; a given seed is printed
expect 0 probe sys -sec 1 -seed 0x123 -save sys.run
says out '^Receipt: 1000 Hz asked, [0-9.]+ reached on 1 CPU; [0-9]+ expected = [0-9]+'
tr '\n' ' ' <out | grep -q 'seed 0x123; module 0\.[0-9.a-z-]* build [0-9a-f]\{12\}, kernel' || { cat out; fail "no seed or build"; }
expect 0 probe sys -sec 1 -json
for key in seed jitter rate_asked rate_reached cpus cpus_skipped expected taken missed lost deferred \
	deferred_excluded deferred_over_ns steal sample_cost_ns overhead least_share module kernel kernel_build unseen; do
	says out "\"$key\": "
done
holds "$(number taken) + $(number missed) == $(number expected) && $(number expected) >= 1000 - 2"
holds "$(number sample_cost_ns) > 100 && $(number overhead) > 0"
near "$(number least_share)" "300 / $(number taken)" "0.01"
near "$(number rate_reached)" "1000 * $(number taken) / $(number expected)" 5
expect 0 probe sys -sec 1 -cpu 0 -json
holds "$(number cpus) == 1"

# every sample is accounted for; a saved run whose sums do not hold is refused
expect 0 probe verify sys.run
says out "^sys.run: a run of 'probe sys', [0-9]+ samples: all [0-9]+ sums hold\$"
expect 0 probe proc -sec 1 -save proc.run proportions
expect 0 probe verify proc.run
expect 0 probe proc -hot -sec 3 -save hot.run proportions
expect 0 probe verify hot.run
expect 0 probe sys -sec 1 -by thread -deferred exclude -save thread.run
expect 0 probe verify thread.run
forge() { forge_kept "$@" || fail "the rig: cannot forge $1"; }
for what in RUN:0 RCPT:24 ACCT:16 CELL:56 BLKS:0; do
	forge sys.run forged "${what%:*}" "${what#*:}"
	expect 1 probe verify forged
	grep -q 'sums do not hold$' out || says err 'its counts are more than its samples'
done
for what in SLOT:40 OBJS:0 TASK:24 FUNC:16; do
	forge proc.run forged "${what%:*}" "${what#*:}"
	expect 1 probe verify forged
done
{ head -c 200 sys.run; echo x; tail -c +202 sys.run; } >damaged
expect 1 probe verify damaged
one_line_error 'damaged in section'
expect 1 probe verify /bin/probe
one_line_error "not a run saved by 'probe -save'"
expect 2 probe verify
one_line_error 'verify: no FILE given'
expect 2 probe verify a b
one_line_error "unexpected argument 'b'"

# late samples are counted or left out, and a message says which
expect 0 probe sys -sec 1 -deferred exclude -json
holds "$(json samples) == $(number taken) && $(number deferred) == $(number deferred_excluded)"
rows=$(sed -n 's/.*_hits": \([0-9]*\), "softirq_hits": \([0-9]*\), "guest_hits": \([0-9]*\), "user_hits": \([0-9]*\),.*/\1 \2 \3 \4/p' out |
	awk '{ s += $1 + $2 + $3 + $4 } END { print s }')
holds "$rows + $(number deferred) == $(number taken)"
expect 0 probe proc -sec 1 -deferred exclude proportions
says out 'deferred \(left'
expect 0 probe sys -sec 1 -deferred-over 1us -save over.run
expect 0 probe show -json over.run
holds "$(number deferred_over_ns) == 1000"
for bad in 20 0us 2s; do
	expect 2 probe sys -deferred-over $bad
	one_line_error "option -deferred-over: '$bad' is not "
done
expect 2 probe sys -deferred maybe
one_line_error "'maybe' is not one of show, exclude"

# missed periods change the shares of code that keeps interrupts off: a column and a warning say so
insmod /test/irqoff.ko hold_us=8000 period_ms=20 || fail "no irqoff.ko"
expect 0 probe sys -sec 2
rmmod irqoff
says out 'Charged'
says err '^probe: warning: [0-9]+ of [0-9]+ periods \([0-9.]+%\) passed without a sample$'
says err '^hint: .*lower -rate'
[ -z "$(awk 'length > 80' err out)" ] || { awk 'length > 80' err out; fail "wider than 80 columns"; }

# precision instead of time
begun=$(date +%s)
expect 0 probe sys -within 3 -rate 500 -json
holds "$(json seconds) < 20 && $(date +%s) - $begun < 25"
grep -E '"total": [0-9]*[1-9][0-9]*\.[0-9]*' out | sed -n 's/.*"total": \([0-9.]*\), "error": \([0-9.]*\).*/\1 \2/p' |
	awk '$1 > 1 && $2 > 3.001 { exit 1 }' || { cat out; fail "not as precise as asked for"; }
expect 0 probe sys -within 0.1 -sec 1
says err '^probe: ended before \+-0.1 points were reached$'
says err '^hint: about [0-9]+ s more would be enough$'
expect 0 probe proc -within 4 -rate 500 -json proportions
holds "$(json seconds) < 30"
for bad in 0 -1 51 x; do
	expect 2 probe sys -within $bad
	one_line_error "sys: option -within: '$bad' is not"
done
expect 2 probe sys -within 1 -repeat 1
one_line_error '-within cannot be combined with -repeat'
expect 2 probe proc -within 1 -hot $pid
one_line_error '-hot cannot be combined with'

# the time of one execution
expect 0 probe proc -sec 1 -count 1000 proportions
says out '^One execution: [0-9.]+ [mu]?s, 95% interval [0-9.]+ to [0-9.]+ [mu]?s \(1000 executions\)$'
for bad in 0 -3; do
	expect 2 probe proc -count $bad proportions
	one_line_error "option -count: '$bad' is not above zero"
done
expect 2 probe proc -count 5 -hot proportions
one_line_error '-hot cannot be combined with'
expect 1 probe proc -sec 1 -count-from missing proportions
one_line_error 'read the count from missing: No such file'
echo 'no digits' >words
expect 1 probe proc -sec 1 -count-from words proportions
one_line_error 'read the count from words: it contains no number'
echo 500 >count
sh -c "sleep $patience; echo 200 >count" &
expect 1 probe proc -sec $((2 * patience)) -count-from count proportions
says err '^probe: count from count: it went from 500 to 200, so the time'
says out '^Task proportions was active'

# runs compared
for i in 1 2; do
	expect 0 probe sys -sec 4 -rate 500 -save same$i.run
	expect 0 probe proc -sec 4 -rate 500 -save func$i.run proportions
done
expect 0 probe diff -fail-if-worse 5 same1.run same2.run
says out '^Name +A +B +B - A +95% interval +p$'
says out '^p: Welch.s test of the shares. variation from second to second'
[ -z "$(awk 'length > 80' out)" ] || { cat out; fail "wider than 80 columns"; }
expect 0 probe diff -sampling-only func1.run func2.run
says out '^work_six '
says out '^p: exact test of the counts'
expect 0 probe diff -json func1.run func2.run
says out '"name": "work_six", "in_a": true, "in_b": true'
background five
sleep 0.3
expect 0 probe sys -sec 4 -rate 500 -save more.run
expect 3 probe diff -fail-if-worse 5 same1.run more.run
says out '^five .* \*$'
says out '^Only in more.run:.* five'
says err '^probe: worse: five went from 0\.00% to [0-9.]+%$'
expect 0 probe diff -tsv same1.run more.run
says out '^name	a	b	difference	lo	hi	p	a_hits	b_hits$'
expect 0 probe sys -sec 1 -by pid -save pid.run
for pair in 'sys.run proc.run' 'sys.run pid.run' 'pid.run pid.run' 'sys.run damaged' 'sys.run /bin/probe' 'sys.run missing'; do
	# shellcheck disable=SC2086 # two files
	expect 1 probe diff $pair
	one_line_error '(compare|read|open) '
done
expect 2 probe diff -of cpu sys.run sys.run
one_line_error "diff: unknown option '-of'"
expect 2 probe diff sys.run
one_line_error '2 arguments are needed: A B'
expect 2 probe diff -fail-if-worse x sys.run sys.run
one_line_error "'x' is not from 0 to 100"
