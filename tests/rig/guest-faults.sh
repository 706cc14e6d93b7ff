# SPDX-License-Identifier: GPL-2.0-only
# The kernel's fault injection, for tests that make allocations fail. It affects only tasks that
# ask for faults by /proc/self/fail-nth or make-it-fail.

faults=/sys/kernel/debug

# faults_begin: let ordinary allocations fail, without a message for each injected fault. The
# kernel's module loader logs each failure with a backtrace; the console does not show these, and
# faults_end searches the log instead.
faults_begin() {
	[ -d $faults/failslab ] || fail "no fault injection"
	for kind in failslab fail_page_alloc fail_usercopy; do
		echo 0 >$faults/$kind/verbose
		echo Y >$faults/$kind/task-filter
		echo -1 >$faults/$kind/times
		[ ! -e $faults/$kind/ignore-gfp-wait ] || echo N >$faults/$kind/ignore-gfp-wait
	done
	echo N >$faults/fail_page_alloc/ignore-gfp-highmem
	echo 0 >$faults/fail_page_alloc/min-order
	dmesg -c >/dev/null
	dmesg -n 4
}

# faults_random PERCENT PERCENT: make these shares of allocations and of user copies fail.
faults_random() {
	echo "$1" >$faults/failslab/probability
	echo "$1" >$faults/fail_page_alloc/probability
	echo "$2" >$faults/fail_usercopy/probability
}

# faults_end: show the log on the console again; fail if the hidden part has a complaint.
faults_end() {
	dmesg >log.kernel
	dmesg -n 5
	grep -E 'BUG|WARNING|KASAN|UBSAN|possible (recursive|circular)|inconsistent lock|suspicious RCU' \
		log.kernel && fail "the kernel complained"
	:
}
