# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=300
# A paused run takes no samples, and its pauses are not part of its time.
. /test/guest-lib.sh
# shellcheck disable=SC2154 # of the trap
trap 'for run in night limit end; do probe stop $run -save /dev/null; done >/dev/null 2>&1' EXIT
background spin 600
# status COLUMN RUN: the status's columns are Run, Pid, Kind, State, For, Paused, Samples
status() { probe status "$2" | awk -v column="$1" 'NR == 2 { sub(/s$/, "", $column); print $column }'; }
# sed would take seconds for the rows of a run on arm64
field() { probe flat -json "$2" 2>/dev/null | awk -v key="\"$1\": " '(at = index($0, key)) { print substr($0, at + length(key)) + 0; exit }'; }
dump() {
	expect 0 probe dump night -save "$1"
	expect 0 probe verify "$1"
}

expect 0 probe start night -rate 500
began=$(now)
sleep 2
expect 0 probe pause night
[ ! -s out ] && [ ! -s err ] || { cat out err; fail "pause prints something"; }
# the session has ended: nothing is sampled, and the module could be unloaded
! is_sampling || fail "a paused run samples"
[ "$(cat /sys/module/cpuprobe/refcnt)" = 0 ] || fail "a paused run holds the module"
paused=$(now)
[ "$(status 4 night)" = paused ] || fail "not paused"
dump first
sleep 5
dump second
holds "$(field samples first) > 900 && $(field samples first) == $(field samples second)"
holds "$(field paused_seconds second) > 4.9 + $(field paused_seconds first)"
expect 1 probe pause night
one_line_error 'ask run night: it is already paused'
says err "^hint: 'probe resume' continues it$"
expect 0 probe resume night
resumed=$(now)
is_sampling || fail "a resumed run does not sample"
expect 1 probe resume night
one_line_error 'it is not paused'
sleep 2
# the counts go on, and every sample is due to time that was sampled
dump third
holds "$(field samples third) > 900 + $(field samples second)"
holds "$(field expected third) <= 500 * ($(now) - $began - ($resumed - $paused)) + 4"
near "$(status 6 night)" "$resumed - $paused" 2
# the last seconds are those that were sampled
expect 0 probe pause night
dump paused
near "$(field expected paused)" "500 * $(status 5 night)" 300
sleep 3
expect 0 probe dump night -last 3 -save last
holds "$(field samples last) > 900 && $(field samples last) < $(field samples paused)"

# a reset of a paused run forgets its counts and its pauses
resetting=$(now)
expect 0 probe reset night
reset=$(now)
[ "$(status 4 night) $(status 7 night)" = 'paused 0' ] || fail "not reset"
expect 0 probe resume night
sleep 2
for _ in 1 2 3; do
	expect 0 probe pause night
	expect 0 probe resume night
done
expect 0 probe pause night
sleep 2
# the end of a paused run prints everything, and its pauses and its periods make up all its time
stopping=$(now)
expect 0 probe stop night
stopped=$(now)
says out 'spin'
receipt=$(tr '\n' ' ' <out | sed -n 's/.*; paused for \([0-9.]*\) s; \([0-9]*\) expected.*/\1 \2/p')
[ "$receipt" ] || { cat out; fail "no pause in the receipt"; }
paused=${receipt% *} expected=${receipt#* }
holds "$paused > 1.9 && $expected > 900"
holds "$paused + $expected / 500 > $stopping - $reset - 0.2"
holds "$paused + $expected / 500 < $stopped - $resetting + 0.2"

# the limit of a run is time sampled: with its pause it would end after two seconds less
expect 0 probe start limit -sec 3
sleep 1
expect 0 probe pause limit
sleep 4
[ "$(status 4 limit)" = paused ] || fail "ended while paused"
expect 0 probe resume limit
has_ended() { [ "$(status 4 limit)" = ended ]; }
await has_ended
expect 1 probe pause limit
one_line_error 'sampling has ended'
expect 1 probe resume limit
one_line_error 'sampling has ended'
expect 0 probe stop limit -save limit
holds "$(field expected limit) >= 2990" "a pause counts as sampled time"

# a run that cannot be resumed remains paused, and a later attempt succeeds
expect 0 probe start end -task "$last_pid"
expect 0 probe pause end
rmmod cpuprobe || fail "a paused run holds the module"
insmod /lib/modules/cpuprobe.ko max_rate=500 || fail "insmod"
expect 1 probe resume end
one_line_error 'ask run end: start sampling at 1000 Hz: the limit is 500 Hz'
[ "$(status 4 end)" = paused ] || fail "not paused any more"
rmmod cpuprobe
load
expect 0 probe resume end
# a task can end during a pause: so does the run
expect 0 probe pause end
end_background
has_ended() { [ "$(status 4 end)" = ended ]; }
await has_ended
expect 0 probe stop end -save end
