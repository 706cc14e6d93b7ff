# SPDX-License-Identifier: GPL-2.0-only
# Functions for the long runs: constant memory and exact counts.

mkdir -p /tmp/groups
mount -t cgroup2 groups /tmp/groups
echo +memory >/tmp/groups/cgroup.subtree_control
mkdir -p /tmp/groups/measured

# measured COMMAND...: start a command in a control group of its own, to which all its memory is
# charged, also that of its session in the kernel. Sets measured_pid.
measured() {
	sh -c 'echo 0 >/tmp/groups/measured/cgroup.procs; exec "$@"' sh "$@" &
	measured_pid=$!
	background_pids="$background_pids $measured_pid"
}

stat_of() {	# stat_of KEY: print a number of the group's memory.stat
	sed -n "s/^$1 //p" /tmp/groups/measured/memory.stat
}

meminfo() {	# meminfo KEY: print a number of /proc/meminfo, in KB
	sed -n "s/^$1: *\([0-9]*\) kB/\1/p" /proc/meminfo
}

# note_memory: append a line to the file memory: uptime in seconds; kernel bytes and anonymous bytes
# of the group; resident pages of the tool; KB of slabs and of vmalloc in the whole kernel.
note_memory() {
	[ -r "/proc/$measured_pid/statm" ] || return 0	# the command has ended
	echo "$(cut -d ' ' -f 1 /proc/uptime)" "$(($(stat_of slab) + $(stat_of vmalloc)))" \
		"$(stat_of anon)" "$(cut -d ' ' -f 2 "/proc/$measured_pid/statm")" \
		"$(meminfo Slab)" "$(meminfo VmallocUsed)" >>memory
}

# memory_is_constant: check that no column except the first grows by more than a kernel's ordinary
# fluctuation. The first line is left out: the tool has just started then.
memory_is_constant() {
	[ "$(wc -l <memory)" -ge 10 ] || fail "only $(wc -l <memory) looks at memory"
	awk '
		NR == 2 { for (i = 2; i <= NF; i++) first[i] = $i }
		NR >= 2 { for (i = 2; i <= NF; i++) last[i] = $i }
		END {
			split("0 16384 16384 4 1024 256", room, " ")
			for (i = 2; i <= NF; i++)
				if (last[i] - first[i] > room[i]) {
					print "memory, column " i ": from " first[i] " to " last[i]
					bad = 1
				}
			exit bad
		}' memory || { cat memory; fail "memory grows"; }
}

# counts_are_exact FILE RATE SECONDS SLACK: check that one CPU has as many periods as the clock says,
# within SLACK: the first and the last, and those in which the tool waits for the CPU between reading
# the clock and its STOP. Each period must be taken or missed.
counts_are_exact() {
	near "$(json expected "$1")" "$(json seconds "$1") * $2" "$4"
	holds "$(json seconds "$1") >= $3 && $(json seconds "$1") < $3 + 2"
	holds "$(json expected "$1") - $(json missed "$1") == $(json samples "$1")"
}

# note_figures WORDS FILE: note the fate of a run's samples, for the documentation.
note_figures() {
	{
		echo "$1: $(json expected "$2") expected in $(json seconds "$2") s," \
			"$(json samples "$2") taken, $(json missed "$2") missed"
		sed -n '2s/^/memory: /p;$s/^/memory: /p' memory
	} >>figures
}
