# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: full
# rig: timeout=400
# The tool makes the tables that the module needs: in the foreground, in the background also after a pause,
# and beside counted calls. The receipt says how user stacks ended, and saved runs verify.
. /test/guest-lib.sh
# shellcheck disable=SC2154 # of the trap
trap 'probe stop tables -save /dev/null; for pid in $background_pids; do kill -9 $pid; done; true' EXIT

# user NAME: a number of the receipt's part about user stacks.
user() {
	sed -n '/"user_stacks"/,$p' out | sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" | head -n 1
}
measure() { expect 0 probe flat -json -user -task proportions "$@"; }

background proportions
sleep 0.3

# --- tables are the default; the first samples come before them ---
measure -sec 2 -save tables.run
holds "$(user samples) > 100 && $(user outermost) > 0.8 * $(user samples)" "$(cat out)"
holds "$(user tables) >= 2 && $(user tables_kib) > 0 && $(user tables_limit_kib) == 16384"
holds "$(user no_frame_pointer) + $(user no_table) <= 0.05 * $(user samples)" "$(cat out)"
says out '"name": "main"'
expect 0 probe verify tables.run
says out 'sums hold$'
expect 0 probe flat -n 3 tables.run
says out '^User stacks \(tables, '

# --- a limit that is too small: the reason and the remedy ---
measure -sec 2 -unwind-memory 64
holds "$(user tables_limit_kib) == 64 && $(user tables_kib) <= 64"

# --- frame pointers, which this program lacks (on arm64 compilers keep them); and first frames only ---
measure -sec 1 -unwind fp
[ $machine = arm64 ] && expected=outermost || expected=no_frame_pointer
holds "$(user tables) == 0 && $(user "$expected") > 0.9 * $(user samples)" "$(cat out)"
expect 0 probe flat -sec 1 -unwind fp -user -task proportions
says out '^User stacks \(frame pointers only\): '
measure -sec 1 -unwind none -save none.run
holds "$(user cut) > 0.9 * $(user samples)" "$(cat out)"
says out '"name": "\[callers not asked for\]"'
expect 0 probe verify none.run
expect 2 probe flat -unwind none -unwind-memory 64
expect 2 probe flat -kernel -unwind tables

# --- in the background: another session after a pause needs the tables again ---
expect 0 probe start tables -user -task proportions
sleep 2
expect 0 probe dump tables -json
holds "$(user outermost) > 0.8 * $(user samples)" "$(cat out)"
before=$(user samples)
expect 0 probe pause tables
expect 0 probe resume tables
sleep 2
expect 0 probe dump tables -json
holds "$(user samples) > $before + 50 && $(user outermost) > 0.8 * $(user samples)" "$(cat out)"
expect 0 probe reset tables
sleep 1
expect 0 probe stop tables -save stopped.run
expect 0 probe verify stopped.run
expect 0 probe flat -json stopped.run
holds "$(user samples) > 0 && $(user outermost) > 0.9 * $(user samples)" "$(cat out)"

# --- beside counted calls ---
expect 0 probe calls -fn 'vfs_read' -task proportions -sec 1 -json
says out '"unwind": "tables"'

# --- the doctor ---
expect 0 probe doctor
says out '^ok    unwinding: '
if [ -e /sys/kernel/debug/kprobes/enabled ]; then
	echo 0 >/sys/kernel/debug/kprobes/enabled
	probe doctor >out
	echo 1 >/sys/kernel/debug/kprobes/enabled
	says out '^warn  unwinding: kprobes are off'
fi
