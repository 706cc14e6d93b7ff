# SPDX-License-Identifier: GPL-2.0-only
# inside.sh COMMAND...: the command that a profiler runs in the guest, and starts once it samples.
# Afterwards $METER.memory gets the profiler's memory: its peak resident KB, then the KB of its perf
# ring buffers and BPF maps in the kernel. The kernel counts the peak in steps and the present size
# exactly: the larger one is written. $TOOL gets the process ids of all enclosing profilers, the
# innermost first.
parent_of() { sed 's/.*) . //; s/ .*//' "/proc/$1/stat"; }
TOOL=$PPID
all=$TOOL outer=$(parent_of $TOOL)
while [ "$(cat "/proc/$outer/comm")" = probe ]; do
	all="$all $outer" outer=$(parent_of "$outer")
done
TOOL=$all "$@"
{
	awk '/^(VmHWM|Rss):/ && $2 > kb { kb = $2 } END { print kb }' \
		/proc/$TOOL/status /proc/$TOOL/smaps_rollup
	awk '/perf_event/ { split($1, a, "-"); kb += (("0x" a[2]) - ("0x" a[1])) / 1024 }
		END { print kb + 0 }' /proc/$TOOL/maps
	cat /proc/$TOOL/fdinfo/* 2>/dev/null | awk '/^memlock/ { kb += $2 / 1024 } END { print kb + 0 }'
} >"$METER.memory"
