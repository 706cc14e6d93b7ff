# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: timeout=280
# Calls are counted to one on several CPUs, while a CPU goes offline and online, modules are loaded
# and removed, and interrupts make calls of their own.
. /test/guest-lib.sh
calls_of() {	# calls_of FUNCTION [COLUMN]: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="${2:-calls}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
disturb() {
	while [ ! -e finished ]; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		insmod /test/irqoff.ko 2>/dev/null && rmmod irqoff
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done
}
rm -f finished
disturb &
expect 0 probe calls -fn "${sys}getppid,hrtimer_interrupt,vfs_read" -budget 100 -tsv -save run -- \
	caller 40000 4
: >finished
wait
holds "$(calls_of ${sys}getppid) == 160000"
holds "$(calls_of hrtimer_interrupt irq) > 0"
holds "$(calls_of hrtimer_interrupt process) == 0"
# The sum over callers is the function's own count.
all=$(calls_of vfs_read)
expect 0 probe verify run
expect 0 probe calls -tsv -arcs run
holds "$(calls_of vfs_read) == $all"
# Two runs at once on one function.
expect 0 probe calls -fn ${sys}getppid -budget 100 -save outer -- \
	probe calls -fn ${sys}getppid -budget 100 -save inner -- caller 5000 2
for run in outer inner; do
	expect 0 probe calls -tsv $run
	holds "$(calls_of ${sys}getppid) == 10000" "of $run"
done
