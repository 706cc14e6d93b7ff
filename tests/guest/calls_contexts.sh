# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=200
# Functions that begin in one context and end in another: of an interrupt's entry and exit, of softirqs,
# of the scheduler, of a task's beginning and end. Each time is of the chain in which it began. On RT
# no softirq interrupts the end of an interrupt: they run in tasks.
. /test/guest-lib.sh
of() {	# of FUNCTION COLUMN: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["function"] == name { print $at[key] }' out
}
# The rows in which the parts do not add up, or more than a few calls are under way; do_exit() never
# ends, and tasks sleep in schedule().
wrong_rows() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["on_raw_ns"] + $at["blocked_ns"] + $at["preempted_ns"] + $at["interrupted_ns"] != $at["wall_raw_ns"] ||
		$at["net_raw_ns"] > $at["on_raw_ns"] || $at["ended"] > $at["calls"] ||
		$at["function"] == "do_exit" && $at["ended"] ||
		$at["function"] !~ /^(do_exit|schedule)$/ && $at["calls"] - $at["ended"] > 8' out
}
contexts='irq_enter_rcu,irq_exit_rcu,__do_softirq,handle_softirqs,run_timer_softirq,hrtimer_interrupt'
contexts="$contexts,schedule,finish_task_switch*,wake_up_new_task,do_exit,${sys}getppid"
background sh -c 'while :; do caller 3000; done'
background caller 1000000000
measure() {	# measure HOW...: into out
	expect 0 probe calls "$@" -fn "$contexts" -sec 2 -tsv
	wrong=$(wrong_rows)
	[ -z "$wrong" ] || { cat out; fail "wrong with $*: $wrong"; }
}
measure -paths
measure -each -processes
measure -each
holds "$(of do_exit calls) > 0 && $(of irq_enter_rcu calls) > 100 && $(of irq_exit_rcu calls) > 100"
holds "$(of ${sys}getppid interrupted_ns) > 0"
case $(uname -r) in *-rt-*) ;; *) holds "$(of irq_exit_rcu interrupted_ns) > 0" ;; esac
