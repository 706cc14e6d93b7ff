# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# Runs with stacks compared by function: a run against itself, against one of equal work and against
# one of other work; with times per execution; from the foreground and from the background.
. /test/guest-lib.sh
background calls dear; dear=$last_pid
expect 0 probe flat -user -task calls -sec 4 -save one
expect 0 probe graph -user -task calls -sec 4 -save two
expect 0 probe diff one one
[ ! -s err ] || { cat err; fail "a warning about runs of four seconds"; }
grep -q '\*$' out && { cat out; fail "a run differs from itself"; }
says out '^A: one, [0-9]+ samples, [345] blocks\. B: one,'
says out '^Total time, in a function and in those that it called$'
expect 0 probe diff -fail-if-worse 5 one two
says out '^dear +calls '

# other work: nothing of dear is left
kill "$dear"
background calls diamond
expect 0 probe flat -user -task calls -sec 4 -save other
expect 3 probe diff -fail-if-worse 20 -tsv one other
one_line_error 'worse: [a-z_]+ \((self|total)\) went from 0\.00% to [0-9.]+%$'
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$1 == "leaf" && $at["time"] == "self" && $at["p"] < 0.05 && $at["lo"] > 50 { ok++ }
	$1 == "top" && $at["time"] == "total" && $at["p"] < 0.05 { ok++ }
	$1 == "dear" && $at["time"] == "total" && $at["hi"] < -50 { ok++ }
	END { exit ok != 3 }' out || { cat out; fail "not the differences of calls dear and diamond"; }
end_background

# the same work, done by twice the executions: half of the time of one. An instruction takes 1 ns instead of 8 in the
# boots of the debug kernels.
work=20000
[ $patience = 1 ] || work=160000
expect 0 probe flat -count 1000 -user -save slow -task counted -- counted $work
expect 0 probe flat -count 2000 -user -save fast -task counted -- counted $work
expect 0 probe diff -sampling-only slow fast
says out '^Function +Object +A ms +B ms +B - A ms +95% interval +p$'
says out '^step +counted .* <0\.001 \*$'
expect 3 probe diff -json -sampling-only -fail-if-worse 10 fast slow
says out '"per_execution": true,'
says err 'worse: .* per execution$'
# a saved run can be compared only with its kind
expect 0 probe sys -sec 1 -save table
expect 1 probe diff one table
one_line_error 'compare one with table: only one of them has stacks'
expect 2 probe diff -o in_a,time table table
one_line_error "unknown column 'time'"

# a background run varies since its last reset; its last seconds are counts only
background calls dear
expect 0 probe start
sleep 4
expect 0 probe dump -save whole
expect 0 probe diff whole whole
says out '^A: whole, [0-9]+ samples, [345] blocks'
expect 0 probe dump -last 2 -save part
expect 0 probe diff part part
says err 'only the counts are compared'
expect 0 probe reset
sleep 2.5
expect 0 probe stop -save again
expect 0 probe diff again again
says out '^A: again, [0-9]+ samples, [123] blocks?'
expect 0 probe verify again
end_background
