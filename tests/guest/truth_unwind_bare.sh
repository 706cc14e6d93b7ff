# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=300
# rig: quick=6.12
# rig: ci=6.1,6.12
# A leaf in assembly without call frame information, in a program without frame pointers: its callers are
# right, and stacks go on to main by tables. A system call is its function's though it is the last instruction there. Its share by caller is too far off by chance once in 15,000 runs.
. /test/guest-lib.sh

# hits PATTERN: print the samples of stacks that match.
hits() { awk -v p="$1" '{ n = $NF; sub(/ [0-9]+$/, ";") } $0 ~ p { sum += n } END { print sum + 0 }' folded; }

for program in kinds kinds-static; do
	background $program bare
	sleep 0.2
	expect 0 probe flat -json -sec 1 -rate 3000 -seed 1 -user -task $program -save run
	kill $last_pid
	wait $last_pid 2>/dev/null
	sed -n '/"user_stacks"/,$p' out >receipt
	expect 0 probe export -folded folded run
	all=$(hits ';bare;$')
	more=$(hits ';main;(run_bare;)?more_bare;bare;$')
	less=$(hits ';main;(run_bare;)?less_bare;bare;$')
	holds "$all > 2000 && $more + $less > 0.9 * $all" "($program: $more and $less of $all: $(cat folded receipt))"
	sum=$((more + less))
	holds "($more - 0.75 * $sum) * ($more - 0.75 * $sum) < 16 * $sum * 0.75 * 0.25" "($program: $more of $sum)"
done

# One that lowers the stack pointer: nothing is taken for its caller's frame that is in its own.
if [ $machine = arm64 ]; then
	background kinds lowered
	sleep 0.2
	expect 0 probe flat -sec 0.5 -rate 3000 -user -task kinds -folded folded
	holds "$(hits ';lowered;$') > 500 && $(hits ';less;') == 0" "($(cat folded))"
	holds "$(hits ';main;run_lowered;lowered;$') > 0.9 * $(hits ';lowered;$')" "($(cat folded))"
	kill $last_pid
	wait $last_pid 2>/dev/null
fi

# The module's samples do not depend on tables, nor do those by BPF, which the debug kernels lack.
background kinds last
sleep 0.2
for how in '-unwind tables' '-unwind fp' '-engine bpf'; do
	[ "$how" != '-engine bpf' ] || [ $patience = 1 ] || continue
	# shellcheck disable=SC2086 # two words
	expect 0 probe flat $how -sec 0.5 -rate 3000 -user -task kinds -folded folded
	holds "$(hits ';last_call;.kernel.;$') > 500" "($how: $(cat folded))"
	# An interrupt may come between the two functions, and on arm64 before the kernel has noted the system call.
	holds "$(hits ';after_call;.kernel.;$') < 0.05 * $(hits ';last_call;.kernel.;$')" "($how: $(cat folded))"
done
end_background
