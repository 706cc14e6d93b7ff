# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: ci=6.12
# rig: timeout=400
# rig: module max_overhead_pct=10000 slow_down=0 max_rate=500
# The live view in a real terminal: its contents; Enter zooms in on the one instruction of 100 MB that
# takes a program's time, and Esc goes back.
. /test/guest-lib.sh
. /test/guest-terminal.sh

# The place of far_hot and of its one instruction; on arm64 it has a loop of two.
case $machine in
arm64) hot=0x426b000 offset='0x[48]' hot_at='0x426b00[48]' code='(subs|b\.ne)' ;;
*) hot=0x426c000 offset=0xf hot_at=0x426c00f code='rep stos' ;;
esac
gunzip -c /test/huge.gz >huge
chmod +x huge
background ./huge; pid=$last_pid
begin 80 24 screen "probe top -rate 200"
sees '^probe top  machine .* all of [0-9.]+ s$'
sees '^[0-9]+ samples, [0-9]+ missed, 0 lost, [0-9]+ late; [0-9.]+ of 200 Hz x 2 CPUs, '
sees '^ *0\[.*\] *[0-9.]+ +1\[.*\] *[0-9.]+$'
sees '^Task Name +Kernel +Softirq +User +Total +\+- .*0 +[0-9]+%$'
sees '^huge +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ .*█.*┼'
sees '^\? help  q quit  Enter zoom in  Esc back'
# the interval shrinks
error_of() { awk '$1 == "huge" { print $6 }' screen; }
before=$(error_of)
shrinks() { look && awk "BEGIN { exit !($(error_of) < 0.6 * $before) }"; }
await shrinks

press Enter
sees '^probe top  machine > huge  '
sees '^100% = [0-9]+ samples of huge, [0-9.]+% \+-[0-9.]+ of the machine; by object'
sees '^huge +[0-9]+ +[0-9.]+ +[0-9.]+ .*┼'
press Enter
sees '^probe top  machine > huge > huge  '
sees '^filler_[0-9]+.* more +0x4240000 +[0-9]+ '
press Enter
sees '> 0x4240000-0x4280000 '
sees "^far_hot +$hot +[0-9]+ "
press Enter
sees '> far_hot '
sees "^far_hot\\+$offset +$hot_at +[0-9]+ "
press Enter
sees '> instructions '
sees '^Offset +Hits +Share +\+- +Instruction'
sees '^100% = [0-9]+ samples here, [0-9.]+% \+-[0-9.]+ of huge; emulated.*: see \?$'
sees "^\\+$offset +[0-9]+ +[0-9.]+ +[0-9.]+ +.*$code"
press Enter
sees '^an instruction has no parts'
press Escape
sees '> far_hot  '
press Escape
sees '> 0x4240000-0x4280000 '
press Left
press BSpace
sees '^probe top  machine > huge  '
press Escape
sees '^probe top  machine  '
sees '^huge '
# rows without code to zoom into
press / ; press -l IDLE; press Enter; sleep 1; press Enter
sees '^zoom into IDLE: nothing runs there'

# keys: sort, filter, columns, window, pause, zero, CPUs, help
press s; press s; press s; press s; press s; press s
sees '^sorted by '
press f; press -l uge
sees '^Filter: uge'
sees '^huge '
grep -q '^probe  ' screen && fail "the filter hides no row"
press Escape
press o; press Down; press Space; press Escape
sees '^Task Name +Kind '
sees '^huge +exe '
press w
sees ' last [0-9.]+ of 10 s$'
sees '^huge '
press p
sees ' PAUSED$'
grep '^huge ' screen >paused
sleep 3
look; grep '^huge ' screen | cmp -s - paused || { cat paused screen; fail "not a pause"; }
press p
sees ' last [0-9.]+ of 10 s$'
press w; press w
sees ' all of [0-9.]+ s$'
# the number of seconds shown
all_of() { sed -n 's/.* all of \([0-9.]*\) s$/\1/p' screen | head -n 1; }
before=$(all_of)
press z
is_less() { look && awk "BEGIN { exit !($(all_of) < $before) }"; }
await is_less
# the rate doubles: counts begin again; one that is refused gives way to the one before
press ']'
sees '^400 Hz; all counts begin again'
sees ' of 400 Hz x 2 CPUs, '
press ']'
sees '^start sampling at 800 Hz: the limit is '
sees ' of 400 Hz x 2 CPUs, '
press '['
sees ' of 200 Hz x 2 CPUs, '
press c
no_cpus() { look && ! grep -q '^  0\[' screen; }
await no_cpus
press '?'
sees '^p, Space +pause'
press Escape
press q
ends 0

# options: a task, a window, columns, an order, a time limit
begin 100 30 screen "probe top -rate 200 -sec 8 -window 2 -interval 0.5 $pid"
sees '^probe top  machine > huge  .* last [0-9.]+ of 2 s$'
ends 0
begin 100 30 screen "probe top -by pid -sort pid -o +lo,+hi,-softirq -ascii -rate 100"
sees '^Task Name +PID +Kernel +User +Total +\+- .*Low +High'
sees "^huge +$pid .*[*]+-*[|]"
sees 'of 100 Hz'
press / ; press -l huge; press Enter; press Enter
sees 'machine > huge'
press q
ends 0
# zoom into the kernel
background sh -c 'while :; do read x </proc/uptime; done'; reader=$last_pid
begin 120 30 screen "probe top -rate 200 $reader"
sees '^kernel '
press / ; press -l kernel; press Enter; press Enter
sees '> kernel '
sees " more +${high}[0-9a-f]+ "
press Enter
sees "> kernel > (${high}[0-9a-f]+-$high|[a-z_]+ )"
sees "^[a-z_]+.* +${high}[0-9a-f]+ +[0-9]+ "
press q
ends 0
end_terminal
