# SPDX-License-Identifier: GPL-2.0-only
# Functions of the tests of the live view: a terminal, keys pressed in it, and its screen read.
export LC_ALL=C.UTF-8
mux() { tmux -L test -f /dev/null "$@"; }
# shellcheck disable=SC2154 # of the trap
trap 'mux kill-server; for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT

# begin COLS ROWS TERM COMMAND: a terminal in which a shell runs it, and notes what it leaves.
# Ctrl-C is for the command alone.
begin() {
	echo "begin $*"
	end_terminal
	rm -f status stty.after
	mux new-session -d -x "$1" -y "$2" "trap : INT QUIT; stty -a >stty.before; TERM=$3 $4 2>said; echo \$? >status; stty -a >stty.after; sleep 1000" ||
		fail "no terminal"
}

press() { mux send-keys "$@"; }
look() { mux capture-pane -p "$@" >screen; }

# Give up after so many looks, five a second.
looks=1500

# sees PATTERN: it appears on the screen; kept in the file screen
sees() {
	tries=$looks
	until look && grep -Eq -- "$1" screen; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { cat screen; fail "not on the screen: $1"; }
		sleep 0.2
	done
}

# ends STATUS: the program ends so, and the terminal is as it was
ends() {
	tries=$looks
	until [ -s status ] && [ -s stty.after ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { look; cat screen; fail "does not end"; }
		sleep 0.2
	done
	[ "$(cat status)" = "$1" ] || { cat said; fail "ended with $(cat status) instead of $1"; }
	same_stty
	tries=$looks
	until [ "$(mux display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "the screen is left otherwise"
		sleep 0.2
	done
}

# same_stty: settings are as they were, whatever the size is
same_stty() {
	sed 1d stty.before >stty.first
	sed 1d stty.after | cmp -s - stty.first || { diff stty.before stty.after; fail "the terminal is left otherwise"; }
}

# gone NAME: no such process is left
gone() {
	tries=$looks
	while pidof "$1" >/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { ps; fail "$1 still runs"; }
		sleep 0.2
	done
}

# end_terminal: it and what runs in it; else that would outlive the test
end_terminal() {
	mux kill-server 2>/dev/null
	# The next one must not find this one ending.
	tries=$looks
	while mux list-sessions >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "the terminal does not end"
		sleep 0.1
	done
	sleep 0.2
}
