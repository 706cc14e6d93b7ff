# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=200
# A hard irq runs a softirq at its end, which another hard irq interrupts, each with 20,000 instructions: no time is in
# two calls, whether or not the kernel's functions that contain them are timed too. A tick of the kernel may come into
# a few of them. On RT no softirq runs at the end of an interrupt.
. /test/guest-lib.sh
case $(uname -r) in *-rt-*) skip "softirqs run in tasks" ;; esac
insmod /test/tangled.ko || fail "no tangled.ko"
of() { value function "$1" "$2"; }
nest() {	# nest HOW FUNCTIONS
	expect 0 probe calls "$1" -fn "tangled:tangled_*,$2" -tsv -rate 100 -- sh -c 'echo 500 >/sys/module/tangled/parameters/nest'
}
softirqs=__do_softirq
! grep -q ' handle_softirqs$' /proc/kallsyms || softirqs=handle_softirqs
cp /dev/null nets
# Returns are hooked by breakpoints on arm64, on 6.1 beginnings too, whose time is the interrupt's: up to 1.7 us for each
# function of each of two interrupts.
spare=3000
[ "$(uname -m)" != aarch64 ] || spare=7000
for functions in '' "$softirqs" irq_exit_rcu "irq_exit_rcu,$softirqs"; do
	nest -each "$functions"
	cat out
	for name in outer raise raised inner; do
		holds "$(of tangled_$name calls) == 500 && $(of tangled_$name ended) == 500"
		near "$(of tangled_$name avg_net_ns)" 21000 2000
	done
	near "$(of tangled_outer interrupted_ns) / 500" 63000 $spare
	near "$(of tangled_raised interrupted_ns) / 500" 21000 1500
	case $functions in
	*softirq*) of $softirqs avg_net_ns >>nets && holds "$(of $softirqs interrupted_ns) / 500 > 40000" ;;
	esac
	case $functions in
	irq_exit_rcu*) holds "$(of irq_exit_rcu recursive) == 0 && $(of irq_exit_rcu avg_net_ns) < 2000" ;;
	esac
done
near "$(head -n 1 nets)" "$(tail -n 1 nets)" 500
holds "$(of irq_exit_rcu children) >= 500 && $(of irq_exit_rcu children) <= $(of $softirqs calls) && $(of tangled_outer children) == 0"
nest -paths "irq_exit_rcu,$softirqs"
holds "$(value path tangled_inner calls) == 500 && $(value path tangled_raised calls) == 500"
holds "$(value path "irq_exit_rcu;$softirqs" calls) >= 500"
[ "$(value path 'irq_exit_rcu;irq_exit_rcu' calls)" = none ] || fail "an interrupt is in the call that it interrupted"
rmmod tangled
