# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=180
# The objects of a task's samples: every kind of object, its own histogram by -map, and objects that
# come, go and change during the run. Shares of some thousand samples must be right within 5 points,
# six standard errors; elsewhere a single sample is enough where hundreds are expected.
. /test/guest-lib.sh
# share OBJECT [FILE]: print an object's share in the JSON report.
share() { sed -n "s/.*{\"name\": \"$1\".*\"share\": \([0-9.]*\).*/\1/p" "${2:-out}" | grep . || fail "no $1"; }
hits_in() { awk -F '\t' -v f="$1" 'index($NF, f) == 1 { s += $3 } END { print s + 0 }' out; }
export LD_LIBRARY_PATH=/bin

background objects exe=30 lib=30 vdso=20 anon=20
pid=$last_pid
sleep 0.5
expect 0 probe proc -sec 4 -json $pid
near "$(share objects)" 30 5
near "$(share libbeside.so)" 30 5
near "$(share '\[vdso\]') + $(share libc.so.6)" 20 5	# the latter calls the former
near "$(share '\[anon\]')" 20 5
expect 0 probe proc -sec 2 objects
says out '^[0-9]+ samples of objects by object$'
says out '^libbeside.so +[0-9]+ +[0-9.]+ +[0-9.]+$'
expect 0 probe proc -sec 2 -tsv -map libbeside.so objects
holds "$(hits_in beside_loop) > 50"
expect 0 probe proc -sec 2 -map libbeside $pid
says out '^Task objects was active in user mode in libbeside.so for [0-9]+ of [0-9]+ samples'
says out '^0x[0-9a-f]+-beside_loop$'
expect 0 probe proc -sec 2 -map vdso $pid
says out 'clock_gettime'
expect 0 probe proc -sec 2 -map anon $pid
says out 'in \[anon\] for [0-9]+ of'
# all processes of an executable
background objects lib
sleep 0.3
expect 0 probe proc -sec 2 -tsv -map /bin/libbeside.so objects
holds "$(hits_in beside_loop) > 100"
# a process that starts later is mapped as well
(sleep 1; exec objects lib) >/dev/null 2>&1 & background_pids="$background_pids $!"
kill $pid $last_pid; sleep 0.2
background objects exe
expect 0 probe proc -sec 4 -json objects
holds "$(share libbeside.so) > 15"
for each in $background_pids; do kill "$each"; done 2>/dev/null

# objects that cannot be shown
background objects exe; pid=$last_pid
sleep 0.3
expect 1 probe proc -sec 1 -map libnone.so $pid
one_line_error "find 'libnone.so': not mapped as code in objects"
says err '^hint: mapped objects: .*libc'
expect 1 probe proc -sec 1 -map cpuprobe $pid
says err '^hint: use -mode kernel$'
expect 1 probe proc -sec 1 -map anon objects
one_line_error 'show anonymous code: its addresses differ between processes'
expect 1 probe proc -sec 1 -map /none $pid
one_line_error "find '/none': not mapped as code in objects"
kill $pid
# a library chosen by its path before the command has mapped it
: >empty
expect 125 probe proc -sec 1 -map "$PWD/empty" objects -- objects lib
one_line_error "read $PWD/empty: "
expect 127 probe proc -sec 1 -map /none -- /none/objects lib
expect 125 probe proc -sec 1 -map /none -- objects lib
one_line_error 'find /none: No such file'
expect 143 probe proc -tsv -map /bin/libbeside.so objects -- timeout 2 objects lib
holds "$(hits_in beside_loop) > 50"

# two objects of one name; then one object at two addresses
mkdir a && cp /bin/libbeside.so a/
LIB=$PWD/a/libbeside.so background objects lib twice=1; pid=$last_pid
sleep 0.5
expect 0 probe proc -sec 1 -map libbeside.so $pid
says err '^probe: libbeside.so is mapped at 2 places in a process; their counts are added$'
kill $pid

# unmapped, replaced, another program: each is counted apart and mentioned
background objects lib=20 exe=20 unmap=40; pid=$last_pid
sleep 0.3
expect 0 probe proc -sec 5 -map libbeside.so $pid
says err '^probe: warning: libbeside.so was unmapped during the run$'
kill $pid
background objects exe=20 over=60; pid=$last_pid
sleep 0.3
expect 0 probe proc -sec 5 -json $pid
says err '^probe: warning: a process of objects has mapped other code over its own: '
holds "$(share '\[anon\]') > 5 && $(share objects) > 5"
kill $pid
background objects exe=20 exec=100; pid=$last_pid
sleep 0.3
expect 0 probe proc -sec 6 -json $pid
says err "^probe: warning: process $pid ran another executable for [0-9]+ samples, counted separately$"
holds "$(json other_executables) > 50 && $(json hits) > 20"
kill $pid

# a deleted library and a deleted executable, with symbols from the deleted files
cp /bin/libbeside.so gone.so; cp /bin/objects gone
LIB=$PWD/gone.so background ./gone lib exe; pid=$last_pid
sleep 0.3; rm gone gone.so
expect 0 probe proc -sec 2 -tsv -map "$PWD/gone.so (deleted)" $pid
holds "$(hits_in beside_loop) > 50"
expect 0 probe proc -sec 1 -tsv -map gone.so $pid
holds "$(hits_in beside_loop) > 20"
expect 0 probe proc -sec 2 -tsv $pid
holds "$(hits_in exe_loop) > 50"
kill $pid
# another root: the file is found where the process sees it
mkdir -p jail/bin jail/proc; cp /bin/objects /bin/libbeside.so jail/bin/
background objects exe; pid=$last_pid
sleep 0.3
# shellcheck disable=SC2013 # words
for library in $(sed -n 's|^[^/]* \(/.*\.so.*\)$|\1|p' /proc/$pid/maps | sort -u); do
	mkdir -p "jail$(dirname "$library")"
	cp "$library" "jail$library"
done
kill $pid
background chroot jail /bin/objects lib; pid=$last_pid
sleep 0.5
expect 0 probe proc -sec 2 -tsv -map /bin/libbeside.so $pid
holds "$(hits_in beside_loop) > 50"
kill $pid

# started through the loader
background $loader /bin/objects exe; pid=$last_pid
sleep 0.5
expect 0 probe proc -sec 2 -tsv -map objects $pid
says err "^probe: ${loader##*/} is the program loader"
holds "$(hits_in exe_loop) > 50"
kill $pid

# the kernel and its modules
background objects kernel exe; pid=$last_pid
sleep 0.3
expect 0 probe proc -sec 2 -json $pid
holds "$(share kernel) > 8"	# half of the time, or less, depending on the emulator
expect 0 probe proc -sec 2 -mode kernel $pid
says out '^Task objects was active in kernel mode for [0-9]+ of'
expect 0 probe proc -sec 1 -mode kernel -map cpuprobe -json $pid
says out '"object": "cpuprobe \(module\)"'
expect 1 probe proc -sec 1 -mode kernel -map none $pid
one_line_error "find 'none': no kernel module of that name is loaded"
