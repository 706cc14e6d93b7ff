# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: ci=6.1
# rig: timeout=300
# Runs in the background are begun, listed, read, reset, ended and killed.
. /test/guest-lib.sh
# If a check fails, end all holders.
# shellcheck disable=SC2154 # of the trap
trap 'for run in night other short; do probe stop $run -save /dev/null; done >/dev/null 2>&1' EXIT
background calls dear
expect 0 probe list
[ ! -s out ] || { cat out; fail "a run is listed before any was started"; }
expect 0 probe start night -rate 500
says out '^run night is sampling in the background \(pid [0-9]+\)$'
pid=$(sed 's/.*pid \([0-9]*\).*/\1/' out)
expect 1 probe start night
one_line_error "it is already running \(pid $pid\)"
expect 0 probe start other -user -task calls
sleep 2
expect 0 probe list
[ "$(grep -c sampling out)" = 2 ] || { cat out; fail "not two runs"; }
expect 0 probe status night
says out "^night +$pid stacks +sampling "

# a run can be read any number of times and goes on; its counts add up
expect 0 probe dump night -save first
expect 0 probe verify first
sleep 1
expect 0 probe dump night -save second
expect 0 probe verify second
taken() { probe flat -json "$1" | sed -n 's/^  "samples": \([0-9]*\).*/\1/p'; }
holds "$(taken second) > $(taken first)"
expect 0 probe dump other
says out '  work'
expect 0 probe dump other -tsv -by program -o name,share,samples
says out '^calls	[0-9.]+	[0-9]+$'
expect 2 probe dump other -tsv -save file
one_line_error '-save cannot be combined with -tsv'

# the last seconds are a part of the whole
sleep 3
expect 0 probe dump night -last 2 -save last
expect 0 probe verify last
# if the run has lost nothing, its last seconds have not either
lost() { probe flat -json "$1" | sed -n 's/.*"name": "(lost)".*"samples": \([0-9]*\).*/\1/p'; }
expect 0 probe dump night -save all
[ -n "$(lost all)" ] || holds "0$(lost last) == 0"
holds "$(taken last) > 0 && $(taken last) < $(taken all)"

# a reset starts the counts from zero
expect 0 probe reset night
expect 0 probe dump night -save reset
expect 0 probe verify reset
holds "$(taken reset) < $(taken all)"

# its end prints all counts
expect 0 probe stop night -save stopped
expect 0 probe verify stopped
holds "$(taken stopped) >= $(taken reset)"
[ ! -e "/proc/$pid/fd" ] || sleep 1
expect 1 probe status night
one_line_error 'find run night: no such run'
expect 0 probe stop other
says out '  work'

# sampling ends with a killed holder, and a message says so
expect 0 probe start night
pid=$(sed 's/.*pid \([0-9]*\).*/\1/' out)
kill -9 "$pid"
await dead "$pid"
expect 1 probe dump night
one_line_error "its holder \(pid $pid\) was killed"
expect 0 probe list
[ ! -s out ] || { cat out; fail "a run without a holder"; }
rmmod cpuprobe || fail "something still samples"
load
# a holder that does not answer
expect 0 probe start night
pid=$(sed 's/.*pid \([0-9]*\).*/\1/' out)
kill -STOP "$pid"
expect 1 probe status night
one_line_error 'does not respond'
kill -CONT "$pid"

# a run with a limit ends, and its counts wait to be read
expect 0 probe stop night -save /dev/null
expect 0 probe start short -sec 1
has_ended() { probe status short | grep -q '^short .* ended '; }
await has_ended
expect 0 probe status short
says out '^short .* ended '
expect 1 probe reset short
expect 0 probe stop short
# or are saved
expect 0 probe start short -sec 1 -save "$PWD/kept"
await test -e kept
no_runs() { [ -z "$(probe list)" ]; }
await no_runs
expect 0 probe verify kept

# errors
expect 2 probe start .hidden
expect 2 probe start a/b
expect 1 probe stop nosuchrun
one_line_error 'no such run'
expect 0 probe start night
expect 1 probe stop night -save /none/file
one_line_error 'write /none/file'
expect 0 probe status night
expect 0 probe stop night
expect 1 probe start night -task nosuchtask
expect 1 probe status night
end_background
