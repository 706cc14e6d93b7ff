# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: icount
# rig: timeout=600
# Programs without frame pointers have the call graph that they were built with: their stacks come from
# call frame information. The samples of the first moments come before the tables. Any instruction of the
# short calls of "brief" is sampled some dozen times, in prologues, epilogues and a linkage table too.
# After the first moments no stack may lack main. One of the shares is too far off by chance once in 200,000 runs.
. /test/guest-lib.sh

# graph PROGRAM SHAPE: run it for a second; columns: role name percent samples. Sets late to the stacks before the tables.
graph() {
	background "$1" "$2"
	sleep 0.2
	expect 0 probe graph -tsv -min 0 -sec 1 -rate 2000 -seed 1 -user -task "$1" -save run
	kill $last_pid
	wait $last_pid 2>/dev/null
	awk -F '\t' 'NR > 1 { print $1, $2, $3, $16, $17, $18, $19, $7 }' out >rows
	expect 0 probe flat -json run
	late=$(sed -n 's/.*"late": \([0-9]*\).*/\1/p' out | head -n 1)
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

for program in calls-frameless calls-frameless-static; do
	graph $program diamond
	whole=$(samples function main)
	likely "$(samples child leaf left)" "$whole" 0.6 "leaf by left"
	likely "$(samples child leaf right)" "$whole" 0.3 "leaf by right"
	likely "$(samples function leaf)" "$whole" 0.9 "leaf"
	[ "$(samples parent left leaf)" = "$(samples child leaf left)" ] || fail "an edge has two sizes"

	graph $program recursion
	whole=$(samples function main)
	holds "$late < 0.05 * $whole" "($late stacks before the tables)"
	near "$(samples function down)" "$whole" "$late + 10"
	recursive=$(awk '$2 == "function" && $3 == "down" { print $7 }' rows)
	likely "$recursive" "$whole" 0.8 "down in down"

	background $program brief
	sleep 0.2
	expect 0 probe flat -json -sec 6 -rate 2000 -seed 1 -user -task $program -save run
	kill $last_pid
	wait $last_pid 2>/dev/null
	expect 0 probe export -folded folded run
	all=$(awk '{ sum += $NF } END { print sum }' folded)
	lacking=$(awk '!/;main;/ && !/;main / { sum += $NF } END { print sum + 0 }' folded)
	holds "$all > 11000 && $lacking < 250" "($lacking of $all samples without main)"
	for name in blink brief_left brief_right; do
		found=$(awk -v leaf=";$name " 'index($0, leaf) { sum += $NF } END { print sum + 0 }' folded)
		holds "$found > 20" "($found samples in $name)"
	done
done
