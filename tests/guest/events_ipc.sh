# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: arch=arm64
# rig: timeout=300
# Instructions per cycle, and page faults per thousand instructions, where both are known: the emulated processor counts
# cycles and instructions exactly, one of each in a nanosecond, and a program's page faults are known too. (Emulated x86
# has no such counters.) With seeds 1 to 20, not selected, each 95% interval must contain the truth in at least 15 runs
# (fewer happen by chance once in 3,000).
. /test/guest-lib.sh
good=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	expect 0 probe sys -engine module -by comm -event cycles,instructions,page-faults -period 100003,100003,11 -rate 5000 \
		-tsv -seed $seed -- sh -c 'exec touches 5000 >truth'
	awk "BEGIN { exit !($(tsv touches ipc_lo) <= 1 && 1 <= $(tsv touches ipc_hi)) }" && good=$((good + 1))
	echo "seed $seed: $(tsv touches ipc) from $(tsv touches ipc_lo) to $(tsv touches ipc_hi)," \
		"$(tsv touches events1) cycles, $(tsv touches events2) instructions, $(tsv touches events3) faults of $(sed -n 's/^faults //p' truth)"
done
[ $good -ge 15 ] || fail "only $good of 20 intervals hold the truth"
