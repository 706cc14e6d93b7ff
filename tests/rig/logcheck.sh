#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# logcheck.sh LOG [--icount]: fail if a kernel log holds a complaint of the kernel. Only lines with
# the kernel's time stamp count. The noise of emulation is ignored: the clocksource watchdog and,
# without --icount, late timer interrupts, and the tick of a nohz_full CPU, which another CPU runs
# once a second, more than 3 s late. races.awk leaves out data races, which KCSAN finds, that show no defect.
set -eu
log=$1
bad='BUG|WARNING|Oops|Call Trace|KASAN|KCSAN|UBSAN|kmemleak: [1-9][0-9]* new|general protection'
bad="$bad|Kernel panic|possible (recursive|circular|irq)|inconsistent lock state|suspicious RCU"
bad="$bad|scheduling while atomic|sleeping function|rcu.*(stall|detected)|soft lockup"
bad="$bad|hard LOCKUP|blocked for more than|Uhhuh|list_(add|del) corruption|refcount_t|segfault"
bad="$bad|cpuprobe: .*(error|fail)"
[ "${2:-}" != --icount ] || bad="$bad|hrtimer: interrupt took"
without_late_ticks() {
	[ "$1" != --icount ] || { cat; return; }
	sed '/cut here ]---/{
		:more
		/end trace/!{ $!{ N; b more
		} }
		/WARNING: .* sched_tick_remote+/d
	}'
}
# A log with races is bad if nothing can judge them.
with_races_that_count() {
	if grep -aq 'KCSAN: data-race' "$log"; then
		awk -f "${0%/*}/races.awk" || echo 'BUG: races.awk cannot judge this log'
	else
		cat
	fi
}
if tr -d '\r' <"$log" | grep -aE '^\[ *[0-9]+\.[0-9]+\]' |
	without_late_ticks "${2:-}" | with_races_that_count |
	grep -aE "$bad" | grep -avE 'kcsan: (enabled|selftest|strict)' >&2; then
	echo "logcheck: the kernel complained; its log is $log" >&2
	exit 1
fi
