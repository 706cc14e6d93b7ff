# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# The histogram of one program, linked in every way, shows its functions in their order.
. /test/guest-lib.sh
# the hits of a function in the rows of -tsv
of() { awk -F '\t' -v f="$1" 'index($NF, f) == 1 { s += $3 } END { print s + 0 }' "${2:-out}"; }

for variant in proportions proportions-nopie proportions-static proportions-static-pie; do
	background $variant
	sleep 0.2
	expect 0 probe proc -sec 1.5 -tsv -low work_six -high main $variant
	holds "$(of work_six) > $(of work_three) && $(of work_three) > $(of work_one) && $(of work_one) > 0" $variant
	expect 0 probe proc -sec 1.5 -json $variant
	holds "$(json hits) + $(json out_of_range) + $(json other_modes) + $(json other_executables) + $(json other_processes) == $(json samples)"
	holds "$(json hits) > 0.3 * $(json samples)"
	kill $last_pid
done

background shapes
sleep 0.2
expect 0 probe proc -sec 1 shapes
says out '^Task shapes was active in user mode for [0-9]+ of [0-9]+ samples \([0-9]+%\)\.$'
says out '^\(elsewhere: [0-9]+ out of range, [0-9]+ other modes, [0-9]+ other processes\)$'
says out 'geometry::Circle::draw'
[ "$(awk '{ if (length > 80) print }' out | wc -l)" = 0 ] || fail "wider than 80 columns"
expect 0 probe proc -sec 0.5 SHAPES
expect 0 probe proc -sec 0.5 $last_pid
expect 0 probe proc -sec 0.5 -plain /bin/shapes
grep -q geometry out && fail "-plain shows symbols"

# one pid of two processes
background proportions; one=$last_pid
background proportions
sleep 0.2
expect 0 probe proc -sec 2 -json proportions; both=$(json hits) of_both=$(json samples)
expect 0 probe proc -sec 2 -json $one
holds "$(json hits) / $(json samples) < 0.8 * $both / $of_both"
# the process ends before the time is up
(sleep 3; kill $one) &
expect 0 probe proc -sec 20 -json $one
says err "^probe: process $one ended after"
holds "$(json seconds) < 5"

# a symbol file, a stripped executable, another program's symbols
background proportions-stripped
sleep 0.2
expect 0 probe proc -sec 0.5 proportions-stripped
says err '^probe: proportions-stripped is stripped: only [0-9]+% of its code has names$'
expect 0 probe proc -sec 0.5 proportions /test/five.sym
says err '^probe: warning: the symbols of /test/five.sym do not belong'
expect 0 probe proc -sec 1 -tsv proportions-stripped /test/proportions.sym
holds "$(of work_six) > 0"

# -- COMMAND: its executable, or one that it will start; its status
expect 5 probe proc -sec 20 -tsv -low work_six -high main proportions-static -- sh -c 'timeout 1 proportions-static; exit 5'
holds "$(of work_six) > $(of work_three)"
head -c 3000000 /dev/urandom >noise
expect 0 probe proc -json -- gzip -k noise
says out '"task": "gzip"'
holds "$(json hits) > 0"

# kernel mode
background sh -c 'while :; do read x </proc/uptime; done'
sleep 0.2
expect 0 probe proc -mode kernel -sec 1 -json $last_pid
holds "$(json hits) > 0.1 * $(json samples)"
