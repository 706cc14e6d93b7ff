# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: ci=6.12
# rig: timeout=300
# Stacks of a live machine: functions of the kernel, its modules, programs and libraries, by process;
# exports; and errors.
. /test/guest-lib.sh

background calls dear; calls=$last_pid
background sh -c 'while :; do cat /bin/busybox >/dev/null; done'
sleep 0.3
expect 0 probe flat -sec 3 -json -save run -folded folded -pprof pprof.gz -callgrind cg -speedscope ss
says out '"name": "work", .*"object": "calls"'
says out '"object": "kernel", "object_kind": "kernel"'
says folded '^calls;.*;dear;work [0-9]+$'
holds "$(awk '/^calls;.*;dear;work / { d += $NF } /^calls;.*;cheap;work / { c += $NF } END { print d - 4 * c }' folded) > 0" "(dear pays more)"
expect 0 probe verify run
expect 0 probe flat -by program -tsv run
says out '^calls	'
# processes that live for some milliseconds have names too
says out '^(busybox|cat)	'
near "$(awk -F '\t' 'NR > 1 { s += $8 } END { print s }' out)" 100 0.1
expect 0 probe graph -tree run
says out 'work'
expect 0 probe graph run
expect 0 probe flat -bars run
for file in folded pprof.gz cg ss; do [ -s $file ] || fail "$file is empty"; done

# one process, one group, one side
expect 0 probe flat -sec 1 -json -task $calls
says out '"name": "work"'
says out '"name": "\(other processes\)"'
expect 0 probe flat -sec 1 -tsv -kernel
grep -q '^work	' out && { cat out; fail "user frames with -kernel"; }
says out '^\[user\]	'
grep -q '^\[no frame' out && { cat out; fail "kernel-only stacks have a row of missing user frames"; }
expect 0 probe flat -sec 1 -tsv -user -task calls
grep -q '	kernel	' out && { cat out; fail "kernel frames with -user"; }
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
mkdir -p /sys/fs/cgroup/some && echo $calls >/sys/fs/cgroup/some/cgroup.procs
expect 0 probe flat -sec 1 -by program -tsv -cgroup some
says out '^calls	'
grep -q '^\(cat\|busybox\)	' out && { cat out; fail "a process of another group"; }
echo $calls >/sys/fs/cgroup/cgroup.procs

# names of a stripped program come from debuginfod-find, here a script
background proportions-stripped
expect 0 probe flat -sec 1 -tsv -task proportions-stripped -save bare
says out '^proportions-stripped\+0x[0-9a-f]+	.*	proportions-stripped	'
holds "$(grep -c '^proportions-stripped+0x' out) >= 3" "a row for each function: $(cat out)"
says err '^probe: [0-9]+% of the time is in code of proportions-stripped without names, such as proportions-stripped\+0x'
says err '^hint: use -debuginfod to fetch them'
expect 0 probe flat -debuginfod -tsv bare
says err 'fetching names of proportions-stripped'
says err 'debuginfod-find is not installed'
says out '^proportions-stripped\+0x[0-9a-f]+	.*	proportions-stripped	'
mkdir finder
printf '#!/bin/sh\n[ "$1" = debuginfo ] && [ ${#2} = 40 ] && echo /bin/proportions\n' >finder/debuginfod-find
chmod +x finder/debuginfod-find
old_path=$PATH PATH=$PWD/finder:$PATH
expect 0 probe flat -debuginfod -tsv bare
says out '^work_six	.*	proportions-stripped	'
holds "$(grep -c 'fetching names of proportions-stripped' err) == 1" "$(cat err)"
expect 0 probe graph -debuginfod -sec 1 -task proportions-stripped
says out ' work_six \[[0-9]+\]$'
PATH=$old_path
expect 0 probe flat -tsv bare -min 50
grep -q work_six out && fail "names were fetched without being asked to"

# functions without hits, including the kernel's and its modules', live and from the saved run
expect 0 probe flat -sec 1 -base kernel -unsampled -save kernel.run
says out '^kernel  *panic$'
expect 0 probe flat -base kernel -unsampled kernel.run
says out '^kernel  *panic$'

# with -- COMMAND, and its exit status
expect 7 probe flat -- sh -c 'calls diamond 3000; exit 7'
says out 'leaf'

# a saved run in the other commands
expect 0 probe show -n 3 run
says out '^Flat Profile by Function'
expect 2 probe show -percpu run
expect 0 probe diff run run
says out '^Self time, in a function itself$'

# a cycle, and without one of its calls
expect 0 probe graph -user -task calls -save cycle.run -- calls mutual 3000
says out 'p[io]ng <cycle'
expect 0 probe graph -omit pong:ping -omit no:call cycle.run
grep -Eq 'p[io]ng <cycle' out && { cat out; fail "a cycle without its call"; }
says out ' ping \[[0-9]+\] \(omitted\)$'
says out '^Left out of the search for cycles: pong:ping \([0-9]+ samples\)\.$'
says err '^probe: warning: -omit no:call: no stack has this call$'
expect 2 probe graph -tree -omit pong:ping cycle.run
one_line_error '-omit cannot be combined with -tree'

# errors
expect 2 probe flat -user -kernel
expect 2 probe flat -memory 63
expect 2 probe flat -rate 10 run
expect 2 probe flat run -- true
expect 1 probe flat -cgroup /none
one_line_error 'find control group'
expect 1 probe flat -task nosuchtask
expect 1 probe flat -sec 1 -save /none/file
one_line_error 'write /none/file'
expect 1 probe flat -sec 1 -pprof /none/file
one_line_error 'write /none/file'
expect 1 probe graph -focus nosuchfunction run
one_line_error 'nosuchfunction'
head -c 5000 run >part && expect 1 probe flat part
one_line_error 'truncated|damaged'
end_background
