# SPDX-License-Identifier: GPL-2.0-only
# Functions for tests of the live view: they open a terminal, press keys and read the screen.
export LC_ALL=C.UTF-8
mux() { tmux -L test -f /dev/null "$@"; }
# shellcheck disable=SC2154 # of the trap
trap 'mux kill-server; for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT

# begin COLS ROWS TERM COMMAND: open a terminal in which a shell runs the command and notes its
# status and the terminal's settings before and after. Ctrl-C ends the command only.
begin() {
	echo "begin $*"
	end_terminal
	rm -f status stty.after
	mux new-session -d -x "$1" -y "$2" "trap : INT QUIT; stty -a >stty.before; TERM=$3 $4 2>said; echo \$? >status; stty -a >stty.after; sleep 1000" ||
		fail "no terminal"
}

press() { mux send-keys "$@"; }
look() { mux capture-pane -p "$@" >screen; }

# Number of looks at the screen before giving up, at five a second.
looks=1500

# sees PATTERN: wait until the screen matches; its text is in the file screen.
sees() {
	tries=$looks
	until look && grep -Eq -- "$1" screen; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { cat screen; fail "not on the screen: $1"; }
		sleep 0.2
	done
}

# ends STATUS: wait until the command has ended with STATUS; check that the terminal is restored.
ends() {
	tries=$looks
	until [ -s status ] && [ -s stty.after ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { look; cat screen; fail "the program does not end"; }
		sleep 0.2
	done
	[ "$(cat status)" = "$1" ] || { cat said; fail "exit status $(cat status) instead of $1"; }
	same_stty
	tries=$looks
	until [ "$(mux display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "the screen is not restored"
		sleep 0.2
	done
}

# same_stty: check that the terminal's settings are restored; its size may differ.
same_stty() {
	sed 1d stty.before >stty.first
	sed 1d stty.after | cmp -s - stty.first || { diff stty.before stty.after; fail "the terminal's settings are not restored"; }
}

# gone NAME: wait until no process of that name is left.
gone() {
	tries=$looks
	while pidof "$1" >/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { ps; fail "$1 still runs"; }
		sleep 0.2
	done
}

# end_terminal: end the terminal and the processes in it, which would outlive the test.
end_terminal() {
	mux kill-server 2>/dev/null
	# The next terminal must not find this one still ending.
	tries=$looks
	while mux list-sessions >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "the terminal does not end"
		sleep 0.1
	done
	sleep 0.2
}
