# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: arch=arm64
# rig: timeout=300
# Instructions per cycle, and page faults per thousand instructions, where both are known: the emulated processor counts
# cycles and instructions exactly, one of each in a nanosecond, and a program's page faults are known too. (Emulated x86
# has no such counters.) With seeds 1 to 20, not selected, each 95% interval must contain the truth in at least 14 runs
# (fewer happen by chance once in 30,000).
. /test/guest-lib.sh
good=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	expect 0 probe sys -engine module -by comm -event cycles,instructions,page-faults -period 100003,100003,11 -rate 5000 \
		-tsv -seed $seed -- sh -c 'exec touches 5000 >truth'
	awk "BEGIN { exit !($(tsv touches ipc_lo) <= 1 && 1 <= $(tsv touches ipc_hi)) }" && good=$((good + 1))
	echo "seed $seed: $(tsv touches ipc) from $(tsv touches ipc_lo) to $(tsv touches ipc_hi)," \
		"$(tsv touches events1) cycles, $(tsv touches events2) instructions, $(tsv touches events3) faults of $(sed -n 's/^faults //p' truth)"
done
near "$(tsv touches events3)" "$(sed -n 's/^faults //p' truth)" 700
near "$(tsv touches rate3)" "1000 * $(tsv touches events3) / $(tsv touches events2)" 0.01
[ $good -ge 14 ] || fail "only $good of 20 intervals hold the truth"

# a period with which a busy CPU would do nothing but take samples
expect 1 probe sys -engine module -event cycles -period 1000 -sec 1
one_line_error 'sample cycles with a period of 1000: a busy CPU would take 1e\+06 samples a second, more than 20000$'
says err '^hint: -period 1[0-9]*00000 takes about 1000$'
expect 1 probe flat -engine module -event instructions:u -period 7 -sec 1
one_line_error 'sample instructions:u with a period of 7: a busy CPU would take '
expect 1 probe sys -engine module -event page-faults,cycles -period 101,1000 -sec 1
one_line_error '-event cycles: sample cycles with a period of 1000: '
