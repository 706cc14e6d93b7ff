# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=120
# A timed call that is preempted is not shown as blocked. A function is timed too that the scheduler calls after its hook.
. /test/guest-lib.sh
of() {	# of FUNCTION COLUMN: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["function"] == name { print $at[key] }' out
}
later=switch_mm_irqs_off
[ $machine != arm64 ] || later=check_and_switch_context
background dd if=/dev/zero of=/dev/null bs=16M
background spin 600
expect 0 probe calls -each -fn "read_zero,$later" -sec 3 -tsv
holds "$(of $later calls) > 100"
holds "$(of read_zero preempted_ns) > 100000000"
holds "$(of read_zero blocked_ns) == 0"
end_background
