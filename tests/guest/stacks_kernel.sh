# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=120
# rig: arch=arm64
# The kernel's own unwinder walks these stacks on x86.
# Kernel stacks where frames are hard to find: a function that a page fault interrupts keeps its caller, though it
# may have no frame, and functions whose returns are hooked keep their callers' names.
. /test/guest-lib.sh
# lines PATTERN: the samples of the folded stacks that match.
lines() { awk -v pattern="$1" '$0 ~ pattern { n += $NF } END { print n + 0 }' folded; }

background faults
sleep 0.2
expect 0 probe flat -sec 2 -kernel -task faults -folded folded
faults=$(lines ';read_zero;.*;handle_mm_fault[; ]')
holds "$faults > 100" "$(cat folded)"
holds "$(lines ';vfs_read;.*;handle_mm_fault[; ]') == $faults" "a fault without its function's caller: $(cat folded)"
end_background

insmod /test/known.ko || fail "no known.ko"
background probe calls -each -fn 'known:known_*' -sec 60
await grep -q known /sys/kernel/debug/kprobes/list
background sh -c 'while :; do echo 100 >/sys/module/known/parameters/rounds; done'
sleep 0.2
expect 0 probe flat -sec 2 -kernel -task $last_pid -folded folded
for chain in known_a known_a.known_b known_a.known_b.known_d known_a.known_c; do
	holds "$(lines ";run_rounds;($chain) ") > 50" "$chain: $(cat folded)"
done
holds "$(lines 'known_[a-d][; ]') == $(lines ';run_rounds;known_a[; ]')" "$(cat folded)"
# No function was called by the hook's code.
holds "$(lines 'trampoline.*;known_') == 0" "$(cat folded)"
end_background
rmmod known
