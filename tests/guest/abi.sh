# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=300
# rig: arm64=quick
# The interface validates every field at its limits, refuses calls out of order, repeats harvests
# whose copy failed, and changes nothing in a failed call.
. /test/guest-lib.sh
for program in abi abi_limits abi_unharmed; do
	expect 0 $program
	[ ! -s out ] || { cat out; fail "see above"; }
	grep '^skipped: ' err
done
# the example program of cpuprobe(4)
background spin 60 one two
expect 0 man_example
holds "$(awk '$2 == "spin" { print $1 }' out) > 50"
end_background
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
:
