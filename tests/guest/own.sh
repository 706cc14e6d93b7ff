# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# A user without any right samples his own processes: refused while kernel.perf_event_paranoid is 3, by a
# patch of Debian, and allowed from 2 down. Shares differ from the kernel's accounting by less than six
# standard deviations (4 points of 5,000 samples).
. /test/guest-lib.sh
chmod 777 .
as_nobody() { su nobody -s /bin/sh -c "$*"; }
paranoid=/proc/sys/kernel/perf_event_paranoid

echo 3 >$paranoid
# Kernels without the patch take 3 for 2.
case $(uname -r) in
*-debug | *-kcsan) ;;
*)
	expect 1 as_nobody probe sys -engine perf -sec 1
	one_line_error 'sample own processes with perf events: not allowed: kernel.perf_event_paranoid is 3$'
	says err '^hint: sysctl kernel.perf_event_paranoid=2 allows it; .* demand CAP_SYS_ADMIN, CAP_PERFMON is not'
	expect 1 as_nobody probe sys -sec 1
	one_line_error 'open /dev/cpuprobe: not allowed; without it: .*; sample own .*perf_event_paranoid is 3$'
	expect 1 as_nobody probe doctor
	finds warn bpf 'without the module nothing works'
	finds warn perf 'sample own processes with perf events: not allowed' 'CAP_SYS_ADMIN'
	;;
esac

echo 2 >$paranoid
expect 1 as_nobody probe doctor
finds warn bpf 'without the module only your own processes'
finds ok perf "'probe sys', 'proc' and 'top' can sample your own processes"
expect 0 as_nobody probe sys -by comm -tsv -- duty 0 5 10000:3000 7000:1000
says err '^probe: open /dev/cpuprobe: not allowed; without it: .*; measuring your own processes'
# The programs' seconds precede the table.
sed -n '/^name/,$p' out >rows
seconds=$(awk '/^name/ { exit } { sum += $2 } END { print sum }' out)
for row in duty0 duty1 filler; do
	near "$(tsv $row user rows)" "100 * $(sed -n "s/^$row \([0-9.]*\)$/\1/p" out) / $seconds" 4
	holds "$(tsv $row kernel rows) == 0" "kernel time of $row"
done
says err 'Own processes, user mode only: [0-9]* threads sampled'

# other users' processes are not there, and cannot be named
background spin 60
expect 0 as_nobody probe sys -sec 2 -engine perf -by comm -json -- duty 0 2 10000:3000
! grep -q '"spin"' out || fail "a process of root"
says out '"engine": "perf"'
expect 1 as_nobody probe proc -sec 1 -engine perf $last_pid
one_line_error "examine process $last_pid: not allowed"
end_background

# one's own: addresses, a search, and the limits of the engine
expect 0 as_nobody 'proportions & probe proc -engine perf -narrow -sec 4 proportions; got=$?; kill $!; exit $got'
says out '^Task proportions was active in user mode for [0-9]+ of [0-9]+ samples \((9[0-9]|100)%\)'
expect 1 as_nobody probe sys -engine perf -cpu 0 -sec 1
one_line_error '-cpu: this needs the module or -engine bpf$'
expect 1 as_nobody probe flat -engine perf -sec 1
one_line_error 'stacks: this needs the module or -engine bpf$'

# memory for rings: the sysctl is named
echo 0 >/proc/sys/kernel/perf_event_mlock_kb
expect 1 as_nobody "ulimit -l 0; probe sys -engine perf -sec 1"
one_line_error 'sample own processes with perf events: no memory for a ring$'
says err '^hint: raise kernel.perf_event_mlock_kb'
