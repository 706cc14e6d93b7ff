# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=900
# The steps of docs/tutorial.md: a slow program, its hot spots, the cause, and the fixed program. Each
# printed line, after the name of its step, goes into that page.
. /test/guest-lib.sh

# step NAME LINE: run a line of the shell, and print it and its output as in a terminal.
step() {
	{
		printf '$ %s\n' "$2"
		eval "$2" 2>&1
	} >"$1"
	sed "s/^/$1| /" "$1" >>figures
}

# share FUNCTION RUN: print the share of a function and all functions that it calls.
share() {
	probe flat -tsv -min 0 -base target -o "name,$3" "$2" | sed -n "s/^$1	//p"
}

big_run make big.run || fail "the rig: no run"
(while :; do report_before flat big.run >/dev/null; done) &
looper=$!
sleep 1
step sys 'probe sys -sec 5'
step flat 'probe flat -sec 10 -task report_before -save before.run'
step callers 'probe graph -callers intern_find before.run'
step hot 'probe proc -hot -sec 10 report_before | head -18'
kill $looper
killall report_before 2>/dev/null
sleep 0.5

(while :; do report_after flat big.run >/dev/null; done) &
looper=$!
sleep 1
step again 'probe flat -sec 10 -task report_after -save after.run'
kill $looper
killall report_after 2>/dev/null
sleep 0.5
step time 'time report_before flat big.run >/dev/null; time report_after flat big.run >/dev/null'

before=$(share intern_find before.run share) after=$(share intern_find after.run share)
holds "$before > 10 && ${after:-0} < 1.5"
