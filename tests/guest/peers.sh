# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=600
# rig: module max_rate=100000 max_overhead_pct=100
# Our shares of functions are compared with those of perf and gprof, for the same run of a program.
#
# Lua runs in 8 rounds, under perf and under enough sessions to cover its whole code in slots of 16
# bytes, the alignment of its functions. A function is compared in each round in which both profilers
# together have 10 samples of it; the sum of the round's other functions is compared too. At least 99%
# of these more than 700 comparisons must be within 3 sigma: by chance 0.27% are not, and more than 1%
# are not once in 400. In the sum of all rounds none of about 200 functions may be beyond 5 sigma: one
# is by chance once in 8,000. The kernel's share is not judged, see docs/peers.md. The judge must fail
# samples that landed 32 bytes off.
#
# Then a program of two functions runs under gprof too: shares must be within 3 sigma. Each call is
# longer than the ticks that gprof counts, so the ticks spread less than half as much as independent
# samples: chance plays no part.
#
# The test leaves its tables in the file figures, for docs/peers.md.
. /test/guest-lib.sh
sysctl -q kernel.perf_event_max_sample_rate=100000 kernel.perf_cpu_time_max_percent=0
address_of() { echo $((0x$(sed -n "s/ [Tt] $1\$//p" /test/interpreter.sym))); }
# Slots begin at multiples of 16, where peers-fold.awk looks for them; _init does on x86 only.
start=$(($(address_of _init) & -16)) end=$(address_of _fini)

# There are some 20 sessions: at a higher rate their timers would keep an interrupt for longer than the kernel likes.
# On arm64 functions begin at any instruction: some slots have two, and perf names either.
rate=2000 perf_rate=1999 work=76
[ $machine = arm64 ] && most_renamed=1000 || most_renamed=50

# perf_samples: write address, name and object of each sample to the file out.
perf_samples() {
	# The kernel's function names take the longest to look up, and are not needed.
	expect 0 perf script -i perf.data --kallsyms /dev/null -F ip,sym,dso
}

# round SEED: run Lua once; append its counts to the file rounds.
round() {
	seed=$1 low=$start
	set -- perf record -q -B -N -e cpu-clock -F "$perf_rate" -o perf.data -- \
		interpreter /test/peers.lua "$work"
	while [ "$low" -lt "$end" ]; do
		# List slots without hits once, to get the names of all slots.
		# shellcheck disable=SC2046 # a word or none
		set -- probe proc -json $([ -f slots ] || echo -all) -rate "$rate" \
			-seed $((seed * end + low)) -low "$low" -high $((low + 8192)) \
			/bin/interpreter -- "$@"
		low=$((low + 8192))
	done
	expect 0 "$@"
	mv out ours
	[ -f slots ] || awk -F '"' '$2 == "address" { print substr($4, 3) "\t" $(NF - 1) }' ours >slots
	perf_samples
	awk -f /test/peers-fold.awk -v round="$seed" FS='\t' slots FS='"' ours FS=' ' out >>rounds
}
for seed in 1 2 3 4 5 6 7 8; do
	round $seed
done
awk -F '\t' -v shown=40 -f /test/peers-judge.awk rounds >judged
awk -F '\t' -v skid=1 -f /test/peers-judge.awk rounds >skidded
renamed=$(awk '$1 == "renamed" { n += $2 } END { print n }' rounds)

# The program of two functions, and gprof, which counts ticks of 10 ms.
expect 0 probe proc -json -rate 1000 -seed 1 -low slow_multiply -high main /bin/multiply -- \
	perf record -q -B -N -e cpu-clock -F 997 -o perf.data -- multiply 100
mv out ours
perf_samples
mv out perfs
expect 0 gprof -b -p /bin/multiply gmon.out
{
	awk -F '"' '$2 == "address" { n[$(NF - 1)] += substr($11, 3) }
		END { print "probe\t" n["slow_multiply"] "\t" n["fast_multiply"] }' ours
	awk '{ n[$2]++ } END { print "perf\t" n["slow_multiply"] "\t" n["fast_multiply"] }' perfs
	awk '{ n[$NF] = $3 * 100 }
		END { print "gprof\t" n["slow_multiply"] "\t" n["fast_multiply"] }' out
} >hits
awk -F '\t' -f /test/peers-judge.awk hits >two
agree=$?

# Prints a number of the judge's last lines in a file.
comparisons() { sed -n 's/^\([0-9]*\) comparisons in single rounds.*/\1/p' "$1"; }
beyond() { sed -n 's/.* \([0-9]*\) beyond 3 sigma\.$/\1/p' "$1"; }
largest() { sed -n 's/.* largest difference is \([0-9.]*\) sigma .*/\1/p' "$1"; }
{
	printf '## Kernel %s, %s\n\n' "$(uname -r)" "$(perf --version | sed 's/ version//')"
	cat judged
	echo
	echo "perf gives $renamed of its samples another name. With samples moved by 32 bytes, the"
	echo "largest difference would be $(largest skidded) sigma."
	echo
	cat two
} >figures
cat figures
[ $agree = 0 ] || fail "the two functions disagree"
holds "$(awk '$1 == "gprof" { print $2 + $3 }' hits) > 500" "too few ticks of gprof"
holds "$(comparisons judged) >= 700" "too few comparisons"
holds "$(beyond judged) <= $(comparisons judged) / 100" "too many beyond 3 sigma"
holds "$(largest judged) < 5" "a function disagrees in the sum"
holds "$(largest skidded) > 5" "the judge sees nothing"
holds "$renamed < $most_renamed" "perf and probe name functions differently"
