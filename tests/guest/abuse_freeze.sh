# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=300
# The measured program is frozen, then the tool itself: counting goes on, samples that find no room
# in the table of a frozen tool are reported as lost, and the run continues after the thaw.
. /test/guest-lib.sh
mkdir cgroups
mount -t cgroup2 none cgroups || fail "the rig: cgroup2"
trap 'umount -l cgroups; for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT
mkdir cgroups/cold
# enter COMMAND...: execute a command in the group that will be frozen.
enter() {
	exec sh -c 'echo $$ >cgroups/cold/cgroup.procs; exec "$@"' sh "$@"
}
freeze() {
	echo "$1" >cgroups/cold/cgroup.freeze
	await grep -q "frozen $1" cgroups/cold/cgroup.events
}

enter spin 600 &
target=$!
background_pids=$target
sleep 0.2
probe sys -sec 4 -by pid -save run -json >across 2>err &
pid=$!
background_pids="$background_pids $pid"
sleep 0.5
freeze 1
expect 0 probe sys -sec 1 -by pid -json
grep -q "\"pid\": $target," out && fail "a frozen program runs"
freeze 0
expect 0 probe sys -sec 1 -by pid -json
grep -q "\"pid\": $target," out || fail "a thawed program does not run"
wait $pid || { cat err; fail "a frozen target"; }
holds "$(json samples across) + $(json missed across) == $(json expected across)"
grep -q "\"pid\": $target," across || fail "no row of the target"
expect 0 probe verify run
end_background

# forks: print the number of processes started since boot.
forks() {
	sed -n 's/^processes //p' /proc/stat
}

# Hundreds of processes a second fill the tables of a frozen tool.
background crowd forks 100000 0.5
enter probe sys -sec 5 -by pid -save run -json >out 2>err &
pid=$!
background_pids="$background_pids $pid"
sleep 1
freeze 1
before=$(forks)
sleep 2
nr=$(($(forks) - before))
freeze 0
wait $pid || { cat err; fail "a frozen tool"; }
holds "$(json samples) + $(json missed) == $(json expected)"
# A slow machine starts too few processes to fill two tables.
holds "$nr < 1000 || $(json lost) > 0" "$nr processes, and what found no room is not told"
echo "$nr processes while the tool was frozen: $(json lost) of $(json samples) samples lost" >figures
holds "$(json lost) < 0.9 * $(json samples)" "it does not go on"
expect 0 probe verify run
end_background
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
sleep 0.2
rmdir cgroups/cold || fail "something holds the group"
