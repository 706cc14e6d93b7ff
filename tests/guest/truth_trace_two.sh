# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: icount
# rig: smp=2
# rig: only=6.12
# rig: timeout=120
# rig: ci=6.12
# A trace on two CPUs that share one clock of instructions: calls at the same time, calls that begin on one
# CPU and end on the other, and an end at one instant. Two busy CPUs take turns: their calls take up to
# twice the time.
. /test/guest-lib.sh
insmod /test/staged.ko || fail "no staged.ko"
of() {	# of FUNCTION COLUMN: from out, a table of TSV; 0: no such row
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
# stir PARAMETER N PROBE-OPTIONS...: trace the module's functions while it runs, and check all sums.
stir() {
	command="echo $2 >/sys/module/staged/parameters/$1"
	shift 2
	expect 0 probe trace -fn 'staged:staged_*' -tsv -save run "$@" -- sh -c "$command"
	! grep 'went backwards' err || fail "events contradict each other"
	mv out table
	expect 0 probe verify run
	says out 'sums hold'
	mv table out
}

# Threads on both CPUs at the same time.
stir pair 300
holds "$(of staged_pair calls) == 600 && $(of staged_pair ended) == 600"
holds "$(of staged_pair net_ns) >= 600 * 20000 && $(of staged_pair net_ns) <= 600 * 42000"
holds "$(of staged_pair blocked_ns) == 0"
expect 0 probe trace -flow -tsv run
for cpu in 0 1; do
	calls=$(awk -F '\t' -v cpu=$cpu '$6 == "call" && $2 == cpu && $5 == 0' out | wc -l)
	[ "$calls" = 300 ] || fail "$calls calls on CPU $cpu"
done

# A thread that goes to the other CPU inside of each call: all its work is in the call, on both CPUs.
stir migrate 100
holds "$(of staged_migrating calls) == 100 && $(of staged_migrating ended) == 100"
echo "migrating: $(of staged_migrating net_ns) $(of staged_migrating blocked_ns) $(of staged_migrating preempted_ns)"
holds "$(of staged_migrating net_ns) >= 100 * 40000 && $(of staged_migrating net_ns) <= 100 * 60000"
expect 0 probe trace -flow -tsv run
awk -F '\t' '$6 == "call" { if (nr++ && $2 == last) same++; last = $2 } END { exit same || nr != 100 }' out ||
	fail "the calls do not begin on alternate CPUs"

# Both end at one instant, when one of them has recorded so many events: until then neither was more than
# 100 calls ahead of the other.
stir pair 3000 -events 4000
echo "one shot: $(of staged_pair calls)"
holds "$(of staged_pair calls) > 2000 && $(of staged_pair calls) <= 4000"
expect 0 probe trace -json run
end=$(sed -n 's/.*"elapsed_ns": \([0-9]*\),.*/\1/p' out | head -n 1)
expect 0 probe trace -flow -tsv run
for cpu in 0 1; do
	last=$(awk -F '\t' -v cpu=$cpu '$6 == "call" && $2 == cpu { last = $1 } END { print last }' out)
	calls=$(awk -F '\t' -v cpu=$cpu '$6 == "call" && $2 == cpu && $5 == 0' out | wc -l)
	echo "$cpu $calls $last $end"
	holds "$last <= $end" "the last call on CPU $cpu"
	eval "calls_$cpu=$calls"
done
# shellcheck disable=SC2154 # of eval
near "$calls_0" "$calls_1" 101
rmmod staged
