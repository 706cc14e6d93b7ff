# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: full
# rig: timeout=400
# rig: module max_overhead_pct=10000 slow_down=0
# However the live view ends, the terminal is restored, and no process is left.
. /test/guest-lib.sh
. /test/guest-terminal.sh

background proportions
start() { begin 80 24 "${1:-screen}" "probe top -rate 200 ${2:-}"; sees '^proportions '; }
viewer() { pidof probe | tr ' ' '\n' | sort -n | head -n 1; }

start; press q; ends 0
start; press C-c; ends 0
for signal in TERM HUP INT; do
	start; kill -$signal "$(viewer)"; ends 0
done
start; kill -SEGV "$(viewer)"; ends 139
start; kill -ABRT "$(viewer)"; ends 134
start; press 'C-\'; ends 131
# after SIGKILL the watching process restores the terminal, perhaps later than the shell goes on
watched='probe top -rate 200; status=$?; while pidof probe-top-watch >/dev/null; do sleep 0.1; done; exit $status'
begin 80 24 screen "sh -c '$watched'"
sees '^proportions '
kill -KILL "$(viewer)"; ends 137
start screen "-sec 2"; ends 0
# zoomed in
start screen proportions; press Enter; sees '> proportions > '; kill -TERM "$(viewer)"; ends 0

# Ctrl-Z and back, twice; stopped by another process; ended while stopped
end_terminal
mux new-session -d -x 80 -y 24 'sh -i'
press 'stty -a >stty.before' Enter
press 'TERM=screen probe top -rate 200' Enter
sees '^probe top  machine '
for _ in 1 2; do
	press C-z
	sees 'Stopped|\[1\]'
	press 'stty -a >stty.after' Enter; sleep 1
	same_stty
	press 'fg' Enter
	sees '^probe top  machine '
	sees '^proportions '
done
# a view stopped by SIGSTOP cannot restore the terminal, where Enter is still remapped
kill -STOP "$(viewer)"; sleep 1
kill -CONT "$(viewer)"; sleep 1
press 'fg' C-j; sleep 1
sees '^probe top  machine '
press C-z; sleep 1
stopped=$(viewer)
kill -TERM "$stopped"; kill -CONT "$stopped"; sleep 1
press '' Enter	# the shell checks its jobs
gone probe
press 'stty -a >stty.after' Enter; sleep 1
same_stty

# the terminal is closed; also with SIGHUP ignored
start; end_terminal; gone probe; gone probe-top-watch
begin 80 24 screen "sh -c 'trap \"\" HUP; exec probe top -rate 200'"
sees '^proportions '
end_terminal
gone probe
gone probe-top-watch

# messages of the run are printed after the view has ended
begin 80 24 screen "probe top proportions-stripped"
ends 1
says said "^probe: find task 'proportions-stripped': no running executable has that name$"
background proportions-stripped
begin 80 24 screen "probe top -rate 200 proportions-stripped"
sees '^proportions-stripped +[0-9]+ '
press q
ends 0
says said '^probe: proportions-stripped is stripped: only'
end_terminal
