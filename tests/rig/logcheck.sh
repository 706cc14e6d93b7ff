#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# logcheck.sh LOG [--icount]: fail if a kernel log holds a complaint of the kernel. Only lines with
# the kernel's time stamp count. The noise of emulation is ignored: the clocksource watchdog and,
# without --icount, late timer interrupts, and the tick of a nohz_full CPU, which another CPU runs
# once a second, more than 3 s late. Data races among parts of the kernel itself, which KCSAN finds
# too, are ignored: one of its reports, which lie between two lines of "=", counts if a module takes
# part in one of the two accesses, not if an access interrupted the module. So are those in the kernel's clock for NMIs,
# ktime_get_mono_fast_ns(), whose reader looks again after a change: KCSAN is told so since 6.13.
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
without_foreign_races() {
	awk '
		/====================$/ && !in_report { in_report = 1; report = ""; is_race = is_clock = is_ours = is_below = 0; next }
		in_report {
			report = report $0 "\n"
			if (/KCSAN: data-race/) is_race = 1
			if (/KCSAN: data-race in (.* \/ )?ktime_get_mono_fast_ns/) is_clock = 1
			if (/(read|write|access).* to 0x/) is_below = 0
			if (/\[(cpuprobe|planted|irqoff)\]/ && !is_below) is_ours = 1
			if (/asm_sysvec_|entry_SYSCALL|ret_from_fork/) is_below = 1
			if (/====================$/) {
				if (!is_race || (is_ours && !is_clock)) printf "%s", report
				in_report = 0
			}
			next
		}
		{ print }
		END { if (in_report) printf "%s", report }'
}
if tr -d '\r' <"$log" | grep -aE '^\[ *[0-9]+\.[0-9]+\]' |
	without_late_ticks "${2:-}" | without_foreign_races |
	grep -aE "$bad" | grep -avE 'kcsan: (enabled|selftest|strict)' >&2; then
	echo "logcheck: the kernel complained; its log is $log" >&2
	exit 1
fi
