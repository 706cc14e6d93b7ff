# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: paced
# rig: timeout=400
# rig: module max_overhead_pct=10000 slow_down=0
# The live view in difficult conditions: terminals, names, and processes or modules that go away.
. /test/guest-lib.sh
. /test/guest-terminal.sh

# no terminal, an unknown one, one that is not capable enough
expect 1 probe top
one_line_error 'standard output is not a terminal$'
says err '^hint: .probe sys -repeat 1. prints a table every second$'
begin 80 24 screen "env -u TERM probe top"; ends 1; says said '^probe: .*TERM is not set'
begin 80 24 nonsense "probe top -rate 200"; ends 1; says said "^probe: .*terminal type 'nonsense' is unknown$"
says said "^hint: run 'TERM=xterm probe top'"
begin 80 24 dumb "probe top -rate 200"; ends 1; says said "^probe: .*'dumb' cannot move its cursor$"
begin 80 24 screen "probe top </dev/null"; ends 1; says said 'standard input is not a terminal$'
for bad in '-interval 0' '-interval 100' '-sort nothing' '-o nothing' '-by nobody' '-window x' 'a b' '-- true'; do
	# shellcheck disable=SC2086 # words
	expect 2 probe top $bad
	one_line_error '.'
done

# terminals with one, 8 and 256 colours; without colours by choice; without UTF-8
background proportions; pid=$last_pid
colors() { look -e; grep -aoE '\[[0-9;]*m' screen | tr -d '[m' | tr ';' '\n' | sort -un | tr '\n' ' '; }
begin 80 24 vt100 "probe top -rate 200"; sees '^proportions '
! colors | grep -qE '(^| )(3[0-8]|4[0-8]) ' || fail "colours on a vt100: $(colors)"
press q; ends 0
begin 80 24 screen "probe top -rate 200"; sees '^proportions '
colors | grep -Eq '(^| )32 ' || fail "no colours on a terminal of 8: $(colors)"
press q; ends 0
begin 80 24 screen-256color "probe top -rate 200"; sees '^proportions '
colors | grep -Eq '(^| )38 ' || fail "no colours on a terminal of 256: $(colors)"
press q; ends 0
begin 80 24 screen "NO_COLOR=1 probe top -rate 200"; sees '^proportions '
! colors | grep -qE '(^| )(3[0-8]|4[0-8]) ' || fail "colours in spite of NO_COLOR: $(colors)"
press q; ends 0
begin 80 24 screen "LC_ALL=C probe top -rate 200"; sees '^proportions .*[*]+-*[|]'
grep -aq '[^ -~]' screen && fail "not only ASCII: $(grep -a '[^ -~]' screen)"
press q; ends 0

# sizes
begin 20 5 screen "probe top -rate 200"
sees '^proportions +[0-9.]+$'
sees '^[0-9]+ -[0-9]+ -0$'
press Enter; sleep 3; press Enter; sees '^work_'
mux resize-window -x 200 -y 60; sees 'machine > proportions > proportions .* all of'
mux resize-window -x 10 -y 3; sees '^needs 20x5$'
mux resize-window -x 1 -y 1; sleep 1
mux resize-window -x 80 -y 24; sees 'machine > proportions > proportions .* all of'
press q; ends 0

# names with control characters, and wide, right-to-left and combining ones
evil=$(printf 'e\033[2Jvil\n漢字שלום\314\201')
cp /bin/proportions "./$evil"
background "./$evil"
begin 80 24 screen "probe top -rate 200"
sees '^e\?\[2Jvil.*字שלום.* [0-9.]+ '
press f; press -l 'vil?'; press Enter; sees '^e\?\[2Jvil'; press Enter
sees 'machine > e\?\[2Jvil\?漢字'; sees '^e\?\[2Jvil.* [0-9]+ '
press Enter; sees '^work_'
press q; ends 0
kill $last_pid

# a process, then all processes of a program, end while zoomed in
sh -c 'exec proportions-static' & victim=$!
sleep 0.5
begin 80 24 screen "probe top -rate 200 $victim"
sees '^proportions-static +[0-9]+ '
kill -9 $victim
sees "^process $victim has ended: these are its last numbers; Esc goes back"
sees '^proportions-static +[0-9]+ '
press Enter; sees '^zoom in: no process of|^find process|has ended'
press Escape; sees '^probe top  machine  '; sees '^proportions '
sh -c 'exec proportions-static' & victim=$!
sees '^proport.*-static '
press / ; press -l proportions-static; press Enter; press Enter; sees 'machine > proportions-static'; sees '^proportions-static +[0-9]+ '
press Enter; sees ' and [0-9]+ more +0x4'
kill -9 $victim
# a long name leaves no room for the whole line
sees '^proportions-static is no longer running:.*se are its last numbers; Esc goes back'
sees ' and [0-9]+ more +0x4'
# and start again
sh -c 'exec proportions-static' & victim=$!
tries=0
while look && grep -q 'is no longer running' screen; do
	tries=$((tries + 1)); [ $tries -lt 50 ] || fail "the new process is not shown"
	sleep 0.2
done
kill -9 $victim
press q; ends 0

# the module is in use while the view samples; it is unloaded in between
sh -c 'exec proportions-static' & victim=$!
sleep 0.5
begin 80 24 screen "probe top -rate 200 $victim"
sees '^proportions-static +[0-9]+ '
rmmod cpuprobe 2>/dev/null && fail "unloaded while in use"
kill -9 $victim
sees "has ended: these are its last numbers"
rmmod cpuprobe || fail "still in use"
press Escape
sees '^load the module: it is not installed'
load
press a
sees '^proportions '
press q; ends 0
kill $pid
end_terminal
