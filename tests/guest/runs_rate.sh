# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=300
# A background run whose rate changes goes on with the same counts, and its shares are shares of time.
. /test/guest-lib.sh
# shellcheck disable=SC2154 # of the trap
trap 'for run in table stacks task; do probe stop $run -save /dev/null; done >/dev/null 2>&1' EXIT
sampled() { expect 0 probe dump "$1" -json && json "$2"; }	# RUN KEY: seconds

# Half of the time a program computes, and the rate is low; then it is gone, and the rate is high.
background spin 600
expect 0 probe sys -background table -rate 50 -by comm
expect 0 probe start stacks -rate 50
expect 0 probe rate table
[ "$(cat out)" = '50 Hz' ] || fail "not the rate"
expect 0 probe reset table
expect 0 probe reset stacks
sleep 5
end_background
in_table=$(sampled table seconds) in_stacks=$(sampled stacks base_seconds)
for run in table stacks; do
	expect 0 probe rate $run 2000
	[ ! -s out ] && [ ! -s err ] || { cat out err; fail "rate prints something"; }
	expect 0 probe rate $run
	[ "$(cat out)" = '2000 Hz' ] || fail "not the new rate"
done
sleep 5
for run in table stacks; do
	expect 0 probe pause $run
	expect 0 probe dump $run -save $run.run
	expect 0 probe verify $run.run
done
expect 0 probe show table.run -json
total=$(json seconds)
holds "$(number rate_changes) == 1 && $(number rate_asked) == 2000 && $(number excess) > 10"
expect 0 probe show table.run -tsv
near "$(tsv spin total)" "100 * $in_table / $total" 8
# The slow samples weigh as many fast ones as if there were some 500 of all; with one weight the bound would be 1.
holds "$(tsv spin total) - $(tsv spin lo) > 3"
expect 0 probe flat -by program -json stacks.run
total=$(json base_seconds)
expect 0 probe show table.run
says out '^Receipt: 50 to 2000 Hz asked, '
expect 0 probe flat -by program -tsv stacks.run
near "$(tsv spin cumulative)" "100 * $in_stacks / $total" 8

# A paused run takes the rate when it is resumed, and a reset forgets the rates before.
expect 0 probe rate stacks 500
expect 0 probe resume stacks
expect 0 probe reset stacks
sleep 1
expect 0 probe stop stacks -json
holds "$(number rate_asked) == 500 && $(number rate_reached) > 300 && $(number rate_reached) <= 501"
! grep -q rate_changes out || fail "rates of the samples before"

# --- bad input ---
expect 0 probe resume table
for bad in 0 30000 x -5; do expect 2 probe rate table $bad; done
expect 2 probe rate table 100 200
expect 1 probe rate table 1
one_line_error 'ask run table: it has samples at 50 to 2000 Hz: some would weigh too much'
expect 1 probe rate nosuchrun 100
expect 0 probe rate table
[ "$(cat out)" = '2000 Hz' ] || fail "a refused rate"
expect 0 probe stop table -save /dev/null
background spin 600
expect 0 probe proc -background task spin
expect 1 probe rate task 100
one_line_error 'a run of proc counts samples of one rate'
expect 0 probe stop task
# a rate that the module's limits refuse: the run goes on as before
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_rate=1000 max_overhead_pct=10000 || fail "insmod"
expect 0 probe sys -background table -rate 100
sleep 1
expect 1 probe rate table 5000
one_line_error 'ask run table: .*limit'
expect 0 probe rate table
[ "$(cat out)" = '100 Hz' ] || fail "a refused rate"
before=$(probe dump table -json 2>/dev/null | sed -n 's/^  "samples": \([0-9]*\),$/\1/p')
sleep 1
expect 0 probe stop table -json
holds "$(json samples) > $before"
holds "$(number rate_asked) == 100"
rmmod cpuprobe || fail "something still samples"
load
