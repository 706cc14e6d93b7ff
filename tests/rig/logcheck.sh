#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# logcheck.sh LOG [--icount]: fail if a kernel log holds anything a kernel says when
# something is wrong. Only lines with the kernel's time stamp count. Emulation has noise of
# its own (clocksource watchdog, and without --icount late timer interrupts); that is not it.
set -eu
log=$1
bad='BUG|WARNING|Oops|Call Trace|KASAN|UBSAN|kmemleak: [1-9][0-9]* new|general protection|Kernel panic'
bad="$bad|possible (recursive|circular|irq)|inconsistent lock state|suspicious RCU|scheduling while atomic"
bad="$bad|sleeping function|rcu.*(stall|detected)|soft lockup|hard LOCKUP|blocked for more than"
bad="$bad|Uhhuh|list_(add|del) corruption|refcount_t|segfault|cpuprobe.*(error|fail)"
[ "${2:-}" != --icount ] || bad="$bad|hrtimer: interrupt took"
if tr -d '\r' <"$log" | grep -aE '^\[ *[0-9]+\.[0-9]+\]' | grep -aE "$bad" >&2; then
	echo "logcheck: the kernel complained; its log is $log" >&2
	exit 1
fi
