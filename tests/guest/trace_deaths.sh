# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: module max_overhead_pct=100
# rig: timeout=200
# Traced programs die by signals, in a call of theirs and in one of the kernel's: such calls are open, calls that
# have ended are whole, all sums hold, and nothing remains.
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
unhooked() { [ "$(hooks)" = "$before" ]; }
of() {	# of FUNCTION COLUMN: from out, a table of TSV; 0: no such row
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
sysctl -q kernel.print-fatal-signals=0 debug.exception-trace=0
for _ in 1 2; do
	expect 0 probe trace -ufn dies:outer,inner -fn "${do_sys}getppid,get_signal,do_exit,vfs_read" -syscalls \
		-task dies -budget 90 -memory 4096 -tsv -save run -- dies 40
	for name in outer inner get_signal; do
		holds "$(of $name calls) == 40 && $(of $name open) == 40 && $(of $name ended) == 0"
	done
	# The parent exits too.
	holds "$(of do_exit calls) == 41 && $(of do_exit open) == 41"
	holds "$(of ${do_sys}getppid calls) == 40 && $(of ${do_sys}getppid ended) == 40"
	holds "$(of getppid ended) == 40 && $(of vfs_read calls) == $(of vfs_read ended) && $(of vfs_read ended) >= 10"
	! grep -q 'missed' err || fail "calls were missed"
	expect 0 probe verify run
	says out 'sums hold'
	expect 0 probe trace -flow run
	says out '-> inner'
	await unhooked
done

# The first call of a program that is recorded is the 1,000th.
expect 0 probe trace -ufn layers:outer,leaf -task layers -start-at leaf:1000 -budget 90 -tsv -save run -- layers 400
# Each outer() calls leaf() three times; 401 of them make 1,203 calls.
holds "$(of leaf calls) == 1203 - 999 && $(of leaf ended) == 1203 - 999"
# The 1,000th is the first one of the 334th round, whose outer() began before.
holds "$(of outer calls) == 401 - 334"
expect 0 probe trace -flow -tsv run
[ "$(awk -F '\t' '$6 == "call" { print $7; exit }' out)" = leaf ] || fail "the first call"
rmmod cpuprobe || fail "something holds the module"
load
