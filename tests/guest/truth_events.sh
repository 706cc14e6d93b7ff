# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: arch=arm64
# rig: timeout=600
# QEMU's x86 has no counters; its arm64 counts a cycle for each instruction, exactly.
# Three functions take 60, 30 and 10% of the instructions of a program, by construction: 200,000 in each turn. At
# least 17 of 20 intervals of 95%, with seeds 1 to 20, not selected, contain the truth, over the three functions
# together, and 15 for each: fewer happen by chance once in 250 times. The longer period is five turns, the shorter one
# half a turn, where samples at random places are better than their intervals say.
. /test/guest-lib.sh

# count_runs PERIOD SECONDS: "SIX THREE ONE" in each of 20 runs. All samples are in the functions' loops.
count_runs() {
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		expect 0 probe proc -event cycles -period "$1" -rate 20000 -sec "$2" -seed $seed -json -low work_six \
			-high main proportions
		holds "$(json samples) + $(json missed) == $(json expected) && $(json missed) <= 2" "$(cat out)"
		# A period counts once it has a sample.
		holds "($(json expected) - 1) * $1 < $(number counted) && ($(json expected) + 1) * $1 > $(number counted)"
		awk '/"hits": [0-9]+.*"name": / {
			n = f = a = $0
			sub(/.*"hits": /, "", n); sub(/[^0-9].*/, "", n)
			sub(/.*"name": "/, "", f); sub(/[+"].*/, "", f)
			sub(/.*"address": "*/, "", a); sub(/[",].*/, "", a)
			if (n > 0) print f, a, n >>"places"
			hits[f] += n }
			END { print hits["work_six"] + 0, hits["work_three"] + 0, hits["work_one"] + 0 }' out
	done
}

judge() {	# judge PERIOD SECONDS
	: >places
	count_runs "$1" "$2" >runs || { cat runs; exit 1; }
	# Wilson's interval contains P if the share is within 1.96 standard errors (at P) of it.
	awk -v period="$1" '
		function has(x, n, p) { return (x - p * n) * (x - p * n) <= 3.8415 * n * p * (1 - p) }
		{ n = $1 + $2 + $3; all += n; six += has($1, n, 0.6); three += has($2, n, 0.3); one += has($3, n, 0.1) }
		END { print "period " period ": " six ", " three " and " one " of " NR " intervals hold the truth, " all " samples"
			exit !(NR == 20 && all > 9000 && six + three + one >= 51 && six >= 15 && three >= 15 && one >= 15) }' runs >>figures ||
		{ cat runs figures; fail "too few intervals hold the truth"; }
	# The two instructions of a loop share its samples: five standard deviations.
	awk '{ n[$1 " " $2] += $3; all[$1] += $3 }
		END { for (place in n) { split(place, f, " "); d = n[place] - all[f[1]] / 2
			if (n[place] <= all[f[1]] / 100) continue
			loops++
			if (f[1] !~ /^work_/ || d * d > 25 * all[f[1]] / 4) { print place, n[place], all[f[1]]; wrong++ } }
			exit wrong || loops != 6 }' places || { cat places; fail "samples at other places"; }
}

background proportions
sleep 1
judge 100003 0.1
judge 1000003 0.5
end_background

# One mode: a program that is in system calls half of its time has samples in that mode only.
background dd if=/dev/zero of=/dev/null bs=1
sleep 0.2
for mode in u k; do
	expect 0 probe sys -event cycles:$mode -period 50021 -rate 20000 -sec 0.3 -seed 1 -by comm -tsv
	awk -F '\t' -v mode=$mode 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ user += $at["user_hits"]; kernel += $at["kernel_hits"] + $at["softirq_hits"] }
		END { print mode, user, kernel; exit mode == "u" ? kernel || user < 300 : user || kernel < 300 }' out >sums ||
		{ cat sums out; fail "another mode"; }
	cat sums
done
