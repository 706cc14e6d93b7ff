# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# rig: timeout=200
# Samples are counted by every identity: executables, processes, threads, names, control groups.
. /test/guest-lib.sh
row() { grep -E "\"name\": \"$1\"" out; }	# row PATTERN: rows whose name matches
count() { row "$1" | wc -l; }

# two programs of one name in different directories; a hard link is the same program
mkdir one two
cp /bin/spin one/twin && cp /bin/spin two/twin && ln one/twin other_name
background one/twin 60
background two/twin 60
background ./other_name 60
expect 0 probe sys -sec 2 -json
[ "$(count '(twin|other_name)( \((one|two)\))?')" = 2 ] || { cat out; fail "not a row for each of two programs"; }
kill $last_pid
expect 0 probe sys -sec 2 -json
[ "$(count 'twin \((one|two)\)')" = 2 ] || { cat out; fail "two programs of one name are not distinguished"; }
# only the inode distinguishes programs in directories of one name, and a replaced executable
mkdir -p a/bin b/bin
cp /bin/spin a/bin/copy && cp /bin/spin b/bin/copy
background a/bin/copy 60
background b/bin/copy 60
rm -f two/twin && cp /bin/spin two/twin
background two/twin 60
expect 0 probe sys -sec 3 -json
[ "$(count 'copy \(bin, inode [0-9]+\)')" = 2 ] || { cat out; fail "copies are not distinguished"; }
[ "$(count 'twin \(two, inode [0-9]+\)')" = 2 ] || { cat out; fail "a replaced executable is not distinguished"; }
for pid in $background_pids; do kill "$pid"; done
background_pids=

# a script counts as its interpreter by exe, and as itself by comm
printf '#!/bin/sh\nwhile :; do :; done\n' >script && chmod +x script
background ./script; script=$last_pid
expect 0 probe sys -sec 1 -json
[ "$(count sh)" -ge 1 ] && [ "$(count script)" = 0 ] || { cat out; fail "the interpreter is not the row"; }
expect 0 probe sys -sec 1 -by comm -json
[ "$(count script)" = 1 ] || { cat out; fail "no row of the script's name"; }
kill $script

# threads have their own names; a thread that computes before it is named shows both names
background spin 60 alpha beta; spin=$last_pid
sleep 0.2
expect 0 probe sys -sec 2 -by thread -json
[ "$(count '(alpha|beta)')" = 2 ] || { cat out; fail "threads do not have their names"; }
for name in alpha beta; do
	tid=$(row $name | sed 's/.*"pid": \([0-9]*\),.*/\1/')
	[ "$(cat "/proc/$spin/task/$tid/comm")" = "$name" ] || fail "$name is not thread $tid"
done
expect 0 probe sys -sec 1 -by pid -json
[ "$(row spin | sed 's/.*"pid": \([0-9]*\),.*/\1/')" = "$spin" ] || { cat out; fail "wrong pid"; }
kill $spin

# a process that executes another program has a row for each program; so has the child of a vfork
background spin -exec 1 /bin/five; five=$last_pid
expect 0 probe sys -sec 2.5 -by pid -json
[ "$(row spin | grep -c "\"pid\": $five,")" = 1 ] && [ "$(row five | grep -c "\"pid\": $five,")" = 1 ] ||
	{ cat out; fail "exec: not a row for each program"; }
kill $five
background spin -vfork /bin/spin 60
sleep 0.3
child=$(grep -l "^PPid:[[:space:]]*$last_pid\$" /proc/[0-9]*/status | cut -d / -f 3)
expect 0 probe sys -sec 1 -by pid -json
row spin | grep -q "\"pid\": $child," || { cat out; fail "vfork: no row of the child $child"; }
kill "$child" "$last_pid"

# a pid used again is another process; kernels without CONFIG_CHECKPOINT_RESTORE cannot choose the pid
reuse() { echo $((20000 - 1)) >/proc/sys/kernel/ns_last_pid; spin 0.7 & reused=$!; wait $reused; }
if [ -e /proc/sys/kernel/ns_last_pid ]; then
	probe sys -sec 4 -by pid -json >out 2>err &
	probe_pid=$!
	sleep 0.5
	reuse; first=$reused
	reuse
	wait $probe_pid || fail "probe failed: $(cat err)"
	[ "$first" = "$reused" ] || fail "the rig: no number was used again"
	[ "$(row spin | grep -c "\"pid\": $first,")" = 2 ] || { cat out; fail "two processes with one pid share a row"; }
fi

# io_uring's workers are threads of their process; the debug kernels have none
if [ $patience = 1 ]; then
	background uring 4; uring=$last_pid
	expect 0 probe sys -sec 1 -by thread -json
	[ "$(count "iou-wrk-$uring")" -ge 1 ] || { cat out; fail "no worker of io_uring"; }
	expect 0 probe sys -sec 1 -json
	[ "$(count uring)" = 1 ] || { cat out; fail "the worker is not counted for its process"; }
fi

# a deleted executable, and a process in a root and mount namespace of its own
cp /bin/spin doomed
background ./doomed 60; doomed=$last_pid
sleep 0.3
rm doomed
mkdir -p jail/bin && cp /bin/busybox jail/bin/ && cp /bin/five jail/bin/prisoner
mkdir -p jail/lib64 jail/lib && cp -R /lib/*-linux-gnu* jail/lib/ 2>/dev/null; cp -L $loader "jail$loader"
background unshare -m chroot jail /bin/prisoner
sleep 0.3
expect 0 probe sys -sec 2 -json
[ "$(count doomed)" = 1 ] && [ "$(count prisoner)" = 1 ] || { cat out; fail "no row for the deleted executable or the process in another root"; }
kill $doomed $last_pid

# control groups have their paths; one is removed before the tool looks up its path
mkdir -p /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
grep -q cgroup2 /proc/mounts || fail "the rig: no cgroup2"
mkdir -p /sys/fs/cgroup/machine.slice/docker-c0ffee.scope /sys/fs/cgroup/short
background spin 60; spin=$last_pid
echo $spin >/sys/fs/cgroup/machine.slice/docker-c0ffee.scope/cgroup.procs
sh -c 'echo $$ >/sys/fs/cgroup/short/cgroup.procs; exec spin 0.4' &
short=$!
probe sys -sec 2.5 -by cgroup -json -save groups >out 2>err &
probe_pid=$!
wait $short
rmdir /sys/fs/cgroup/short || fail "the rig: the group stays"
wait $probe_pid || fail "probe failed: $(cat err)"
[ "$(count /machine.slice/docker-c0ffee.scope)" = 1 ] || { cat out; fail "no path of a group"; }
[ "$(count 'short \(gone\)')" = 1 ] || { cat out; fail "a removed group has no name"; }
expect 0 probe show -json groups
[ "$(count /machine.slice/docker-c0ffee.scope)" = 1 ] || { cat out; fail "the path was not kept"; }
kill $spin
sleep 0.1
rmdir /sys/fs/cgroup/machine.slice/docker-c0ffee.scope /sys/fs/cgroup/machine.slice
umount /sys/fs/cgroup
expect 2 probe sys -by colour
one_line_error "option -by: 'colour' is not one of exe, pid, thread, comm, cgroup, container, vm"
