# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: not=debug,kcsan
# rig: timeout=120
# The same functions traced by probe and by the kernel's function_graph tracer, one after the other: equal
# calls in the same order. The tracer's durations contain its own work in the calls inside, up to 3 us for
# each; those of calls without callees differ by less than 1 us of 20.
. /test/guest-lib.sh
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs none $tracing || fail "no tracefs"
insmod /test/known.ko || fail "no known.ko"

expect 0 probe trace -fn 'known:known_*' -save run -- sh -c 'echo 200 >/sys/module/known/parameters/rounds'
expect 0 probe trace -flow -tsv run
awk -F '\t' '$6 == "call" { print $5, $7 }' out >ours
expect 0 probe trace -tsv run
of() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["function"] == name { print $at["avg_ns"] }' out; }

echo 0 >$tracing/tracing_on
echo 'known_*:mod:known' >$tracing/set_ftrace_filter || fail "no filter"
echo function_graph >$tracing/current_tracer || fail "no function_graph"
echo 1 >$tracing/tracing_on
echo 200 >/sys/module/known/parameters/rounds
echo 0 >$tracing/tracing_on
cat $tracing/trace >theirs.raw
echo nop >$tracing/current_tracer
echo >$tracing/set_ftrace_filter

# A line for each call: its depth and function; with its time for a leaf, or at the closing brace.
awk -F '|' '/^ [0-9]+\)/ && $2 ~ /\(/ { match($2, /[a-z]/); depth = (RSTART - 3) / 2
	split($2, word, " "); sub(/\(.*/, "", word[1]); print depth, word[1] }' theirs.raw >theirs
cmp ours theirs || { diff ours theirs | head -20; head -20 theirs.raw; fail "another order of calls"; }
[ "$(wc -l <ours)" = 800 ] || fail "$(wc -l <ours) calls"
# The averages in ns: of known_d and known_c, which are leaves, and of known_a, by its brace.
leaf=$(awk -F '|' '$2 ~ /known_d .*;/ { sub(/^[^)]*\)[^0-9]*/, "", $1); sum += $1; n++ } END { print 1000 * sum / n }' theirs.raw)
whole=$(awk -F '|' '$2 ~ /^  }/ { sub(/^[^)]*\)[^0-9]*/, "", $1); sum += $1; n++ } END { print 1000 * sum / n }' theirs.raw)
echo "known_d: $(of known_d) and $leaf; known_a: $(of known_a) and $whole"
near "$(of known_d)" "$leaf" 1000
holds "$whole > $(of known_a) && $whole < $(of known_a) + 3 * 3000"
rmmod known
