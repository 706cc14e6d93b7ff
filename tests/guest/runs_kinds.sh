# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=300
# Runs of sys and proc in the background: shown and saved like those in the foreground.
. /test/guest-lib.sh
# shellcheck disable=SC2154 # of the trap
trap 'for run in table task precise; do probe stop $run -save /dev/null; done >/dev/null 2>&1' EXIT
export LD_LIBRARY_PATH=/bin
state() { probe status "$1" | awk 'NR == 2 { print $3, $4 }'; }

# --- the table of the machine ---
background spin 600
began=$(now)
expect 0 probe sys -background table -rate 500 -by comm
says out '^run table is sampling in the background \(pid [0-9]+\)$'
expect 1 probe start table
one_line_error 'it is already running'
sleep 2
[ "$(state table)" = 'sys sampling' ] || fail "not a run of sys"
expect 0 probe dump table
says out '^spin '
says out '^Receipt: 500 Hz asked'
expect 0 probe dump table -tsv -sort name -o +hi
holds "$(tsv spin user) > 20 && $(tsv spin hi) >= $(tsv spin user)"
says err '^Receipt: 500 Hz asked'
expect 0 probe dump table -json -of cpu
first=$(json samples)
expect 0 probe dump table -html page.html -n 3
says page.html '<html'
expect 0 probe dump table -save saved
expect 0 probe verify saved
expect 0 probe show saved -percpu
says out '^spin '
# its counts stay while it is paused, and continue
expect 0 probe pause table
[ "$(state table)" = 'sys paused' ] || fail "not paused"
expect 0 probe dump table -json
second=$(json samples) seconds=$(json seconds)
holds "$second > $first"
periods_fit "$(json expected)" "$seconds" 1 500 "$began"
sleep 3
expect 0 probe dump table -json
holds "$(json samples) == $second && $(json seconds) == $seconds"
holds "$(number paused_seconds) > 2.9"
expect 0 probe resume table
sleep 1
expect 0 probe dump table -json
holds "$(json samples) > $second + 300"
began=$(awk -v began="$began" -v paused="$(number paused_seconds)" 'BEGIN { print began + paused }')
periods_fit "$(json expected)" "$(json seconds)" 1 500 "$began" 2
expect 0 probe reset table
expect 0 probe dump table -save reset
expect 0 probe verify reset
expect 0 probe show -json reset
holds "$(json samples) < $second"
sleep 1
# options of other kinds
expect 2 probe dump table -bars
one_line_error 'dump: -bars does not apply to a run of kind sys'
expect 2 probe dump table -last 5
one_line_error 'dump: -last does not apply to a run of kind sys'
expect 2 probe dump table -sort self
one_line_error "option -sort: 'self' is not one of"
expect 2 probe dump table -o none
expect 2 probe dump table -n
expect 2 probe stop table -tsv -save file
one_line_error '-save cannot be combined with -tsv'
# a page that cannot be written does not end the run
expect 1 probe stop table -html /none/page
[ "$(state table)" = 'sys sampling' ] || fail "ended"
expect 0 probe stop table -tsv
holds "$(tsv spin user) > 20"
expect 1 probe status table
# a run that ends by itself keeps its counts, or saves them
expect 0 probe sys -background precise -within 5 -sec 1m
has_ended() { [ "$(state precise)" = 'sys ended' ]; }
await has_ended
expect 0 probe stop precise
says out '^spin '
expect 0 probe sys -background precise -sec 1 -save kept
await test -e kept
expect 0 probe show kept

# --- one task ---
end_background
background objects exe=50 lib=50
sleep 0.5
share() { sed -n "s/.*{\"name\": \"$1\".*\"share\": \([0-9.]*\).*/\1/p" out | grep . || fail "no $1"; }
expect 0 probe proc -background task "$last_pid"
[ "$(state task)" = 'proc sampling' ] || fail "not a run of proc"
sleep 2
expect 0 probe dump task
says out '^Task objects was active in user mode'
says out '^libbeside.so +[0-9]+'
expect 0 probe dump task -save first
expect 0 probe verify first
# the resumed session knows where the code of the task is mapped
expect 0 probe pause task
expect 0 probe reset task
expect 1 probe dump task
one_line_error 'no sample was taken'
expect 0 probe resume task
sleep 3
expect 0 probe dump task -json
near "$(share objects)" 50 6
near "$(share libbeside.so)" 50 6
expect 0 probe dump task -save second
expect 0 probe verify second
expect 0 probe diff first second
expect 0 probe dump task -tsv -plain -all
expect 0 probe dump task -html page.html
expect 2 probe dump task -percpu
one_line_error '-percpu does not apply to a run of kind proc'
# the run ends with its task
end_background
has_ended() { [ "$(state task)" = 'proc ended' ]; }
await has_ended
expect 1 probe pause task
expect 0 probe stop task -save third
expect 0 probe show third
says out '^Task objects was active'
# instructions of a narrow range
background proportions
expect 0 probe proc -background task -low work_six -high work_six+256 proportions
sleep 2
expect 0 probe stop task -asm
says out "^Hottest loop: work_six"

# --- what makes no sense in the background ---
refuses() {	# refuses PATTERN ARGUMENT...
	pattern=$1
	shift
	expect 2 probe "$@"
	one_line_error "$pattern"
	expect 1 probe status task
}
for option in '-repeat 1' -narrow -hot '-count 5' '-count-from file'; do
	# shellcheck disable=SC2086 # words
	refuses "proc: -background cannot be combined with ${option% *}" proc -background task $option spin
done
refuses 'sys: -background cannot be combined with a COMMAND' sys -background task -- true
refuses 'sys: -background cannot be combined with -repeat' sys -background task -repeat 1
expect 2 probe sys -background task -tsv
one_line_error 'sys: -background cannot be combined with -tsv'
says err "^hint: give -tsv to 'probe dump' or 'probe stop'$"
refuses 'proc: -background cannot be combined with -asm' proc -background task -asm spin
refuses 'proc: no TASK given' proc -background task
refuses 'sys: name a run' sys -background a/b
expect 1 probe proc -background task nosuchtask
expect 1 probe sys -background task -save /none/file
expect 1 probe status task
rmmod cpuprobe || fail "something still samples"
load
