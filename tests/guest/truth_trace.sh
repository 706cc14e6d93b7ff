# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: ci=6.1
# rig: not=debug,kcsan
# rig: timeout=120
# A trace of calls whose instructions are known, a nanosecond each: net and elapsed time within 1%, of
# calls in calls, recursion and jumps. Time in which a thread waits or is preempted is that for which the
# others ran, and an interrupt's time is in no interrupted call. All sums hold. Children begin empty. On RT
# softirqs run in tasks.
. /test/guest-lib.sh
for module in known tangled staged; do
	insmod /test/$module.ko || fail "no $module.ko"
done
of() {	# of FUNCTION COLUMN: from out, a table of TSV; 0: no such row
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
traced() {	# traced PROBE-OPTIONS...: trace, keep it in the file run, and check its sums
	expect 0 probe trace "$@"
	mv out table
	expect 0 probe verify run
	says out 'sums hold'
	mv table out
}
# stir MODULE PARAMETER N PROBE-OPTIONS...: trace the functions of a module while it runs, $turns times.
turns=1
stir() {
	command="for i in \$(seq $turns); do echo $3 >/sys/module/$1/parameters/$2; done" functions="$1:$1_*"
	shift 3
	traced -fn "$functions" -tsv -save run "$@" -- sh -c "$command"
}
tolerance=0.01
about() { near "$1" "$2" "$2 * $tolerance"; }
# On arm64 hooks are breakpoints. Some of them are in the time of an interrupt, and a jump misses half of those whose
# cost is taken off.
hooks_ns=0 jump_tolerance=0.01
[ $machine != arm64 ] || hooks_ns=2500 jump_tolerance=0.025
case $(uname -r) in *-rt-*) is_rt=1 ;; *) is_rt=0 ;; esac

# Four equal loops: a calls b and c, b calls d.
stir known rounds 1000
for name in a b c d; do
	holds "$(of known_$name calls) == 1000 && $(of known_$name ended) == 1000"
	about "$(of known_$name net_ns) / 1000" 20012
	for other in a b c d; do
		about "$(of known_$name net_ns)" "$(of known_$other net_ns)"
	done
done
about "$(of known_a elapsed_ns) / 1000" 80050
about "$(of known_b elapsed_ns) / 1000" 40025
holds "$(of known_d min_ns) >= 19950 && $(of known_d min_ns) <= 20050"
holds "$(of known_a elapsed_raw_ns) == $(of known_a net_raw_ns) + $(of known_b elapsed_raw_ns) + $(of known_c elapsed_raw_ns)"

# Recursion: every net time, and the elapsed time of the outermost call.
turns=20
stir tangled recurse 20
turns=1
holds "$(of tangled_recurse calls) == 20 * 21 && $(of tangled_recurse recursive) == 20 * 20"
about "$(of tangled_recurse net_ns)" "20 * 21 * 20015"
about "$(of tangled_recurse elapsed_ns)" "20 * 21 * 20015"

# A jump at the end: the target is in the function that jumped, is marked, and both end together.
stir tangled jump 200
holds "$(of tangled_jump calls) == 200 && $(of tangled_jump ended) == 200 && $(of tangled_target ended) == 200"
holds "$(of tangled_target tails) == 200 && $(of tangled_jump tails) == 0"
tolerance=$jump_tolerance
about "$(of tangled_target net_ns) / 200" 20050
about "$(of tangled_jump net_ns) / 200" 19900
about "$(of tangled_jump elapsed_ns) / 200" 39950
tolerance=0.01
expect 0 probe trace -flow run
says out '-> tangled_target \(.*, tail call\)$'

# A thread that ends inside of a call.
stir tangled die 10
holds "$(of tangled_die calls) == 10 && $(of tangled_die open) == 10 && $(of tangled_die ended) == 0"

# Preempted: for as long as the other one ran, and two switches.
stir staged preempt 100
holds "$(of staged_preempted calls) == 100 && $(of staged_preempted ended) == 100"
about "$(of staged_preemptor net_ns) / 100" 200350
holds "$(of staged_preempted preempted_ns) >= 100 * 200000 && $(of staged_preempted preempted_ns) <= 100 * 210000"
holds "$(of staged_preempted blocked_ns) == 0"
holds "$(of staged_preempted elapsed_ns) >= 100 * 40000 && $(of staged_preempted elapsed_ns) <= 100 * $((48000 + 4000 * is_rt))"

# Blocked: for as long as the other one computed, and two switches.
stir staged block 100
about "$(of staged_waker net_ns) / 100" 201500
# With a preemptible kernel the other thread runs before this one is blocked.
blocked=$(($(of staged_blocked blocked_ns) + is_rt * $(of staged_blocked preempted_ns)))
holds "$blocked >= 100 * 200000 && $blocked <= 100 * 215000"
holds "$(of staged_blocked elapsed_ns) >= 100 * 40000 && $(of staged_blocked elapsed_ns) <= 100 * $((50000 + 4000 * is_rt))"

# A softirq in a function, and an interrupt in the softirq.
stir staged nest 100 -irq
for name in outer softirq irq; do
	holds "$(of staged_$name calls) == 100 && $(of staged_$name ended) == 100"
done
about "$(of staged_irq net_ns) / 100" 20011
if [ $is_rt = 0 ]; then
	about "$(of staged_softirq net_ns) / 100" 40345
	about "$(of staged_outer net_ns) / 100" 40300
	# Both interrupts in it, with their hooks, and no time of its own.
	holds "$(of staged_outer interrupted_ns) > 100 * 60000 && $(of staged_outer interrupted_ns) < 100 * (63500 + $hooks_ns)"
	holds "$(of staged_softirq interrupted_ns) > 100 * 20000 && $(of staged_softirq interrupted_ns) < 100 * (21500 + $hooks_ns)"
fi

# A reader at a pipe is blocked while the writer computes; before the first byte the writer sleeps.
traced -fn vfs_read -syscalls -task waits -tsv -save run -- waits pipe 100
slept=$(of clock_nanosleep blocked_ns)
holds "$slept >= 10000000"
for name in vfs_read read; do
	holds "$(of $name blocked_ns) - $slept >= 100 * 1000000 && $(of $name blocked_ns) - $slept <= 100 * $((1012000 + 8000 * is_rt))"
done
holds "$(of vfs_read elapsed_ns) < 1000000"

# A parent is blocked in vfork() until its child exits. The end of the child's is no older call.
traced -fn '' -syscalls -task waits -tsv -save run -- waits vfork 100
# arm64 has no system call of that name.
vfork=vfork
[ "$machine" != arm64 ] || vfork=clone
holds "$(of $vfork calls) == 100 && $(of $vfork ended) == 100 && $(of "$vfork (older)" calls) == 0"
# A child may begin before its parent is blocked.
away=$(($(of $vfork blocked_ns) + $(of $vfork preempted_ns)))
holds "$away >= 100 * 1000000 && $away <= 100 * 1040000 && $(of $vfork blocked_ns) > 90 * 1000000"

# A child begins empty: its call is in none of its parent's.
traced -fn kernel_clone -syscalls -task waits -tsv -save run -- waits fork 100
holds "$(of kernel_clone calls) == 100 && $(of kernel_clone ended) == 100 && $(of clone ended) == 100"
holds "$(of getppid calls) == 100 && $(of exit_group open) == 101"
# The program's own execve() began while its process was another one's.
! grep older out | grep -v execve || fail "calls older than the trace"
expect 0 probe trace -flow -tsv run
[ "$(awk -F '\t' '$7 == "getppid" && $5 == 0' out | wc -l)" = 100 ] || fail "a child's call is in another call"

# The first event is the 1,000th call.
first_call() { probe trace -flow -tsv run | awk -F '\t' '$6 == "call" { print $7; exit }'; }
stir known rounds 1500 -start-at known_a:1000
holds "$(of known_a calls) == 501 && $(of known_d calls) == 501 && $(of known_a ended) == 501"
! grep -q older out || fail "calls before the trigger"
[ "$(first_call)" = known_a ] || fail "the first call is $(first_call)"
stir known rounds 1500 -start-at known_d:1000
holds "$(of known_d calls) == 501 && $(of known_c calls) == 501 && $(of known_a calls) == 500"
# The two calls around it began before the trace: their returns were not hooked.
! grep older out || fail "calls before the trigger"
[ "$(first_call)" = known_d ] || fail "the first call is $(first_call)"
# The last event is the end of a call.
stir known rounds 10 -stop-at known_d
holds "$(of known_d ended) == 1 && $(of known_a open) == 1 && $(of known_b open) == 1 && $(of known_c calls) == 0"

# The newest events: the first ones have no beginning, and no duration.
stir known rounds 1000 -wrap -memory 4
holds "$(of known_a calls) > 20 && $(of known_a calls) < 40 && $(of known_d ended) == $(of known_d calls)"
holds "$(of known_d max_ns) < 25000 && $(of known_d min_ns) >= 19950"
expect 0 probe trace -json run
number_of() { sed -n "s/.*\"$1\": \([0-9]*\),.*/\1/p" out | head -n 1; }
recorded=$(($(number_of events) + $(number_of overwritten))) overwritten=$(number_of overwritten)
holds "$recorded >= 8000 && $recorded <= 8400 && $(number_of lost) == 0"
expect 0 probe trace run
says out "none lost, $overwritten slots overwritten"
for module in known tangled staged; do
	rmmod $module
done
