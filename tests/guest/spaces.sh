# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: timeout=240
# The record of mapped code agrees with /proc/PID/maps: of processes that were there before, under forks,
# execs, vforks and threads, random changes, libraries that come and go, and a full pool.
. /test/guest-lib.sh
users=/sys/module/atlas/parameters/users
unrecorded=/sys/module/atlas/parameters/unrecorded
scan=/sys/module/atlas/parameters/scan

# use N: have N users of the record. The hooks of earlier ones may have to leave, which a busy host delays.
set_users() { echo "$1" >$users; }
use() { await set_users "$1"; }

# is_recorded: whether every process that lives is known, and its code is recorded; else print what is not.
is_recorded() {
	cat /proc/atlas_all >all
	for maps in /proc/[0-9]*/maps; do
		pid=${maps#/proc/} pid=${pid%/maps}
		# Kernel threads, and processes that have ended.
		[ -n "$(head -c 1 "$maps")" ] || continue
		grep -q "^$pid known\$" all || { echo "process $pid is not known"; return 1; }
		awk -v pid="$pid" '
			FNR == NR && /known$/ { own = $1 == pid; next }
			FNR == NR { if (own) { seen[$1] = $5; page[$1] = $2 } next }
			$2 ~ /x/ && ($5 != 0 || $6 == "[vdso]") {
				sub(/^0+/, "", $1)
				sub(/-0+/, "-", $1)
				if (!($1 in seen) || seen[$1] != $5) { print FILENAME, "not recorded:", $0; bad = 1 }
			}
			END { exit bad }' all "$maps" || return 1
	done
}

# agree: check that the record is right. A process may begin or end while it is read; a wrong record stays wrong.
agree() {
	for _ in 1 2 3 4 5; do
		is_recorded >differing 2>/dev/null && return
		sleep 0.2
	done
	cat differing all
	fail "the record differs from maps"
}

# Processes that were there before, one of them without its first thread.
remember_machine
background spin 600
mkfifo lines
atlas leaderless <lines >ready &
exec 3>lines
await grep -q ready ready
insmod /test/atlas.ko || fail "no atlas.ko"
use 1
agree
grep -q "^$! known\$" /proc/atlas_all || fail "the process without its first thread is unknown"
echo >&3
for seed in 1 2 3; do
	expect 0 atlas random $seed 600
	expect 0 atlas threads $seed 200
	expect 0 atlas forks $seed 25
done
agree
expect 0 atlas fresh 3000
expect 0 atlas open
holds "$(cat $unrecorded) == 0"

# A program that is run again is the same object; written anew, it is another.
cp "$(command -v atlas)" program
expect 0 ./program object
before=$(cat out)
expect 0 ./program object
[ "$(cat out)" = "$before" ] || fail "object $before has become $(cat out)"
touch -d '2001-01-01 00:00:00' program
expect 0 ./program object
[ "$(cat out)" != "$before" ] || fail "another file is still object $before"

# A file is let go with its last mapping: its file system can be unmounted at once.
mkdir -p disk
for _ in 1 2 3 4 5 6 7 8 9 10; do
	mount -t tmpfs tmpfs disk || fail "mount"
	cp "$(command -v atlas)" disk/program
	expect 0 disk/program check
	umount disk || fail "the record holds a file that is not mapped"
done

# More mappings than a map may have; and the record of others is unharmed.
expect 0 atlas many 1000
holds "$(cat out) >= 1000"
holds "$(cat $unrecorded) == 0"
expect 0 atlas many 1100
[ "$(cat out)" = unknown ] || fail "$(cat out) mappings are recorded"
holds "$(cat $unrecorded) > 1000"
agree

# A program that ends while the hooks are armed is not kept: its file system can be unmounted.
for _ in 1 2 3 4 5; do
	use 0
	mount -t tmpfs tmpfs disk || fail "mount"
	cp /bin/busybox disk/true
	touch goes_on
	while [ -e goes_on ]; do disk/true; done &
	storm=$!
	use 1
	rm goes_on
	wait $storm
	umount disk || fail "the record holds a file of a process that has ended"
done
agree

# Sessions that come and go; the hooks leave with the last one.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	use 3
	atlas check >out || fail "$(cat out)"
	use 0
done
use 0
expect 0 sleep 0.1
use 1
agree
use 0
rmmod atlas

# Hooks that are not called are no record.
nr_switches=0
insmod /test/atlas.ko || fail "no atlas.ko"
# On arm64 these hooks are breakpoints, for which ftrace may be off.
switches='/proc/sys/kernel/ftrace_enabled /sys/kernel/debug/kprobes/enabled'
[ $machine != arm64 ] || switches=/sys/kernel/debug/kprobes/enabled
for switch in $switches; do
	# Kernel 7.3 does not let ftrace be switched off.
	(echo 0 >"$switch") 2>/dev/null || continue
	nr_switches=$((nr_switches + 1))
	if (echo 1 >$users) 2>/dev/null; then fail "a record although $switch is off"; fi
	echo 1 >"$switch"
done
holds "$nr_switches > 0"
use 1
agree
use 0
rmmod atlas

# A pool too small for all: the rest is unknown, and known again when there is room.
insmod /test/atlas.ko pool_bytes=65536 || fail "no atlas.ko"
use 1
# The file is emptied by the program's shell, perhaps after the first look at it.
rm ready
atlas crowd 100 <lines >ready &
exec 3>lines
await grep -q ready ready
holds "$(cat $unrecorded) > 0"
grep -q ' unknown$' /proc/atlas_all || fail "no process is unknown"
# A full pool does no harm.
atlas fresh 100 >out
echo >&3
wait $!
wait_for_room() { echo 1 >$scan; ! grep -q ' unknown$' /proc/atlas_all; }
await wait_for_room
agree
expect 0 atlas forks 1 10
# Unloading waits for the hooks.
use 0
rmmod atlas
end_background
same_machine
