# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: timeout=150
# Reports other than one table at the end: repeated, by CPU, saved and shown again; and files that
# -save did not write.
. /test/guest-lib.sh

background proportions; pid=$last_pid
background shapes
sleep 0.3

# a table each second, in each format, until the time is up or the command or the reader has ended
expect 0 probe sys -repeat 1 -sec 3
# after a slow start the last interval may be too short for a table of its own
are_three() { [ "$1" = 3 ] || [ "$patience" -gt 1 ] && [ "$1" -ge 2 ]; }
are_three "$(grep -c '^Percentage CPU' out)" || { cat out; fail "not three tables"; }
[ "$(grep -Ec '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}, (0\.9|1\.[0-2]) s$' out)" -ge 2 ] || { cat out; fail "no times"; }
expect 0 probe sys -repeat 0.5 -sec 2 -tsv
[ "$(grep -c '^name' out)" = 1 ] || fail "not exactly one title"
says out '^name	.*	time$'
holds "$(awk -F '\t' '$1 == "proportions"' out | wc -l) >= 3"
expect 3 probe sys -repeat 1 -json -- sh -c 'sleep 2.5; exit 3'
are_three "$(grep -c '"report": "sys"' out)" || fail "not three reports"
expect 0 probe proc -repeat 1 -sec 2 $pid
[ "$(grep -c '^[0-9]* samples of .* by object$' out)" = 2 ] || fail "not two histograms"
begun=$(date +%s)
probe sys -repeat 0.5 -sec 60 2>err | head -n 1 >out
holds "$(date +%s) - $begun < 20"
! grep -q 'Broken pipe' err || fail "a closed pipe is reported as an error"
expect 2 probe sys -repeat 1 -save run
one_line_error 'sys: -save cannot be combined with -repeat'

# a column per CPU
expect 0 probe sys -percpu -sec 2
says out '^Task Name +Kernel +Softirq +User +Total +\+-( +Charged)? +CPU0$'
says out '^Total .* 100\.0 .* +100\.0$'

# saved and shown as live; then with other options
expect 0 probe sys -sec 1 -save sys.run
cp out live
expect 0 probe show sys.run
cmp live out || fail "sys: not as live"
[ ! -s err ] || fail "show prints to standard error"
expect 0 probe show -sort name -percpu sys.run
says out 'CPU0$'
[ "$(sed -n '6,/^---/p' out | grep '^[a-zI]' | cut -d ' ' -f 1 | sort -c 2>&1)" = "" ] || fail "not by name"
expect 0 probe show -json sys.run
holds "$(json samples) > 100"
for options in '' '-tsv' '-json' '-width 60' '-ci paper -of cpu' '-plain -all'; do
	# shellcheck disable=SC2086 # a list of options
	expect 0 probe proc -sec 1 -save proc.run $options shapes
	cp out live
	# shellcheck disable=SC2086
	expect 0 probe show $options proc.run
	cmp live out || { diff live out; fail "proc $options: not as live"; }
done
expect 0 probe proc -sec 1 -plain -save stripped.run proportions
expect 0 probe show stripped.run /test/proportions.sym
says out '^0x[0-9a-f]+-work_six$'
[ "$(stat -c %s proc.run)" -lt 60000 ] || fail "the file is too large"

# files that are not saved runs
: >empty
head -c 300 sys.run >short
{ head -c 100 sys.run; echo x; tail -c +103 sys.run; } >damaged
{ head -c 8 sys.run; printf '\377'; tail -c +10 sys.run; } >future
for file in empty /bin/probe; do
	expect 1 probe show $file
	one_line_error "read $file: not a run saved by 'probe -save'"
done
expect 1 probe show short
one_line_error 'read short: truncated after 300 bytes'
expect 1 probe show damaged
one_line_error "read damaged: damaged in section '"
expect 1 probe show future
one_line_error 'read future: its format is version 255, this probe supports 1'
says err '^hint: show it with the probe that made it'
expect 1 probe show none
one_line_error 'open none: No such file or directory'
expect 1 probe show .
one_line_error 'read .: Is a directory'
expect 1 probe show proc.run none
one_line_error 'open none: No such file'
expect 2 probe show -percpu proc.run
one_line_error "show: -percpu does not apply to a run of 'probe proc'"
expect 2 probe show -plain sys.run
one_line_error "show: -plain does not apply to a run of 'probe sys'"
expect 2 probe show sys.run /test/proportions.sym
one_line_error "show: SYMBOLS does not apply to a run of 'probe sys'"
expect 2 probe show
one_line_error 'show: no FILE given'

# an unwritable file is found before the run starts, and the old file is kept
begun=$(date +%s)
expect 1 probe sys -sec 30 -save /none/run
one_line_error 'write /none/run: No such file or directory'
holds "$(date +%s) - $begun < 10"
cp sys.run kept
(sleep 0.5; killall -9 probe) &
probe sys -sec 10 -save sys.run >/dev/null 2>&1
cmp kept sys.run || fail "the old file is lost"
expect 1 probe sys -sec 0.5 -save /dev/full
one_line_error 'write /dev/full: No space left on device'
[ -c /dev/full ] || fail "the device is gone"

# the tool writes no file unless asked to, and takes little memory
mkdir empty.d
cd empty.d || exit 1
probe sys -sec 2 >/dev/null &
tool=$!
sleep 1.5
holds "$(awk '/^VmHWM/ { print $2 }' /proc/$tool/status) < 8192"
# The debug kernels do not count what is written.
[ $patience != 1 ] || holds "$(awk '/^write_bytes/ { print $2 }' /proc/$tool/io) == 0"
wait $tool
[ -z "$(ls)" ] || fail "the tool left a file"
