# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: quick=6.12
# rig: icount
# rig: not=kcsan
# rig: timeout=300
# `probe late` finds the code that keeps interrupts off, and for how long: a module, for known times,
# directly and with a lock. With exact time only the module delays samples. The bound on a share is 4
# standard errors or more: one of the six is beyond it by chance once in 2,600 runs.
# KCSAN watches the end of each function of irqoff.ko: there a late sample lands in __tsan_func_exit.
. /test/guest-lib.sh

# holder KEY: print a value of the row of the module's functions.
holder() {
	grep -E '"(landed|caller)": "irqs_off_by_' out | head -n 1 | sed "s/.*\"$1\": \"*\([^\",}]*\).*/\1/"
}
for how in 0:hand 1:lock; do
	for hold in 700 2000 10000; do
		insmod /test/irqoff.ko hold_us=$hold period_ms=40 is_lock=${how%:*} || fail "no irqoff.ko"
		expect 0 probe late -sec 3 -rate 2000 -json
		rmmod irqoff
		grep -E 'irqoff|_raw_spin' out
		max=$(holder max_ns) share=$(holder share)
		[ -n "$max" ] || { cat out; fail "the holder is not named"; }
		# With about 60 sections and 0.5 ms between samples, one sample is due near the begin of a section.
		holds "$max > ($hold - 500) * 1000 * 0.9 && $max > 250000 && $max < $hold * 1000 + 100000" \
			"$hold us held, $max ns seen"
		# Interrupts are off for hold out of hold + 40 and up to 8 ms that msleep() adds, except
		# the last 100 us of each time, which do not count as late.
		near "$share" "100 * ($hold - 50) / ($hold + 44000)" "0.15 * $share + 0.4"
		if [ $how = 0:hand ]; then
			[ "$(holder landed)" = "irqs_off_by_hand [irqoff]" ] || fail "landed in $(holder landed)"
		elif [ $machine = arm64 ]; then
			# The function that unlocks is a part of its caller here.
			[ "$(holder landed)" = "irqs_off_by_lock [irqoff]" ] || fail "landed in $(holder landed)"
		else
			[ "$(holder caller)" = "irqs_off_by_lock [irqoff]" ] || fail "called from $(holder caller)"
			case $(holder landed) in *spin_unlock_irqrestore*) ;; *) fail "landed in $(holder landed)" ;; esac
		fi
	done
done
# late samples in softirq work on top of idle; they are not wake-ups
insmod /test/irqoff.ko hold_us=2000 is_softirq=1
expect 0 probe late -sec 2 -json
rmmod irqoff
says out '"landed": "irqs_off_in_softirq \[irqoff\]", "caller": "", "samples": [0-9]{2,}'
# the histogram and the handler's time, as text
insmod /test/irqoff.ko hold_us=2000
expect 0 probe late -sec 2
rmmod irqoff
cat out
says out '^CPU 0: [0-9]+ samples, [0-9]+ of them woke the CPU from idle\. Lateness '
says out '^  [0-9.]+ ms +[0-9]+ +[0-9]+'
says out '  irqs_off_by_hand \[irqoff\]$'
says out '^Receipt: '
[ -z "$(awk 'length > 80' out)" ] || fail "wider than 80 columns"
expect 0 probe late -sec 1 -tsv
says out '^landed	caller	samples	missed	share	lo	hi	mean_ns	max_ns$'
# shorter stretches, with a lower bound: 60 us in every 5 ms, of which 40 us are counted
insmod /test/irqoff.ko hold_us=60 period_ms=4
expect 0 probe late -sec 2 -rate 4000 -json
grep -q irqs_off_by_hand out && { cat out; fail "60 us are late by default"; }
expect 0 probe late -sec 2 -rate 4000 -deferred-over 20us -json
rmmod irqoff
says out '"deferred_over_ns": 20000,'
max=$(holder max_ns)
holds "$max > 20000 && $max < 100000" "60 us held, $max ns seen"
expect 0 probe late -sec 1 -deferred-over 50ms
says out '^No sample came more than 50 ms late\.$'
tr '\n' ' ' <out | grep -q ' 0 deferred over 50 ms, ' || { cat out; fail "the receipt lacks the bound"; }
# the handler's times: the mean of a CPU is between its extremes, and the share follows
expect 0 probe late -sec 1 -handler -tsv
says out '^cpu	samples	mean_ns	sd_ns	min_ns	max_ns	share$'
says out '^0	[0-9]+	'
awk -F '\t' 'NR == 2 && $5 > 0 && $5 <= $3 && $3 <= $6 && $4 <= $6 - $5 &&
	$7 > $3 / 10000 * 0.9 && $7 < $3 / 10000 * 1.1 { found = 1 } END { exit !found }' out ||
	{ cat out; fail "times that do not fit"; }
expect 0 probe late -sec 1 -handler
says out '^ +CPU +Samples +Mean +S\.d\. +Min +Max +Share$'
! grep -E 'Late by|re-enabled' out || fail "more than the handler's times"
# every sample is in the histogram
samples=$(awk '$1 ~ /^(0|all)$/ { n = $2 } END { print n }' out)
holds "$(awk '/Time </ { on = 1 } /^Receipt/ { on = 0 } on && $2 ~ /s$/ { n += $3 } END { print n + 0 }' out) == $samples"
says out '^Receipt: '
expect 2 probe late -handler -o landed
one_line_error "landed"
for option in -save=x -repeat=1 -within=1 -of=cpu; do
	expect 2 probe late $option
	one_line_error "late: unknown option '${option%=*}'"
done
