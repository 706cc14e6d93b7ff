# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: icount
# rig: timeout=600
# Calls are known by construction (tests/workloads/calls.c). Their times come from whole stacks, so an
# expensive caller gets a larger part of a function's time than a cheap one. One of the eight shares
# is too far off by chance once in 200,000 runs.
. /test/guest-lib.sh

# graph SHAPE: run it for a second; columns: role name percent samples of_samples recursive self.
graph() {
	background calls "$1"
	sleep 0.2
	expect 0 probe graph -tsv -min 0 -sec 1 -rate 2000 -seed 1 -user -no-inline -task calls
	kill $last_pid
	wait $last_pid 2>/dev/null
	awk -F '\t' 'NR > 1 { print $1, $2, $3, $16, $17, $18, $19, $7 }' out >rows
}
# samples ROLE NAME [ENTRY]: print the samples of a row in the entry of the function ENTRY.
samples() {
	awk -v role="$1" -v name="$2" -v of="${3:-}" '
		$2 == "function" { entry[$1] = $3 } { rows[NR] = $0 }
		END { for (i = 1; i <= NR; i++) { split(rows[i], f, " ")
			if (f[2] == role && f[3] == name && (of == "" || entry[f[1]] == of)) n += f[4] }
			print n + 0 }' rows
}
# likely PART WHOLE SHARE: check to within 5 standard errors; fails by chance once in 1.7 million times.
likely() {
	holds "$2 > 1500 && ($1 - $2 * $3) * ($1 - $2 * $3) < 25 * $2 * $3 * (1 - $3)" "($4)"
}

graph diamond
whole=$(samples function main)
likely "$(samples child leaf left)" "$whole" 0.6 "leaf by left"
likely "$(samples child leaf right)" "$whole" 0.3 "leaf by right"
likely "$(samples function leaf)" "$whole" 0.9 "leaf"
[ "$(samples parent left leaf)" = "$(samples child leaf left)" ] || fail "an edge has two sizes"

graph dear
whole=$(samples function main)
likely "$(samples child work cheap)" "$whole" 0.1 "work by cheap"
likely "$(samples child work dear)" "$whole" 0.9 "work by dear"

# one call comes from outside, the others from the function itself
graph recursion
whole=$(samples function main)
# a stack counts once; main's own loop takes one of some thousand samples
near "$(samples function down)" "$whole" 10
recursive=$(awk '$2 == "function" && $3 == "down" { print $7 }' rows)
likely "$recursive" "$whole" 0.8 "down in down"

# a cycle of two
graph mutual
whole=$(samples function main)
[ "$(awk '$2 == "cycle" || $3 ~ /cycle/ { print $8 }' rows | sort -u | wc -l)" -ge 1 ] ||
	{ cat out; fail "no cycle"; }
self() { awk -F '\t' -v name="$1" '$2 == "function" && $3 == name { print $17; exit }' out; }
likely "$(self ping)" "$whole" 0.25 "ping itself"
likely "$(self pong)" "$whole" 0.75 "pong itself"

# stacks deeper than the limit are reported as cut off
background calls deep
sleep 0.2
expect 0 probe flat -json -sec 0.5 -rate 2000 -seed 1 -user -task calls
says out '"name": "\[too deep\]"'
kill $last_pid
