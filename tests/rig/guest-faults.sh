# SPDX-License-Identifier: GPL-2.0-only
# The kernel's fault injection, for tests that make allocations fail. Only tasks that ask for it
# by /proc/self/fail-nth or make-it-fail are concerned.

faults=/sys/kernel/debug

# faults_begin: ordinary allocations count, and the log is not filled with what is meant to fail.
# The kernel's code about modules tells of each with a trace of its calls: the console is to be
# without, and faults_end looks through the log instead.
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

# faults_random PERCENT PERCENT: so many allocations and so many copies fail.
faults_random() {
	echo "$1" >$faults/failslab/probability
	echo "$1" >$faults/fail_page_alloc/probability
	echo "$2" >$faults/fail_usercopy/probability
}

# faults_end: the log is on the console again, and the part that was not says nothing bad.
faults_end() {
	dmesg >log.kernel
	dmesg -n 5
	grep -E 'BUG|WARNING|KASAN|UBSAN|possible (recursive|circular)|inconsistent lock|suspicious RCU' \
		log.kernel && fail "the kernel complained"
	:
}
