# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: icount
# rig: timeout=600
# rig: not=debug,kcsan
# Nothing hides: programs run in lockstep with the tick (250 Hz) and with 100, 300 and 1000 Hz, with
# several phases and bursts. A row has all results for one window of 3 s: the kernel's exact clock of
# the program's run time; `probe sys` at the rate of the lockstep; `probe sys` with a fixed period;
# perf at that rate; and /proc/stat, which counts ticks. `make hidden` draws the rows. `probe sys -engine bpf`
# measures the same window, by its comb; the debug kernels have no BPF.
#
# Lockstep is the worst case for jitter: samples are independent, and an interval misses the truth
# once in 20. More than 3 of 10 do so once in 900. Seeds are 1 to 10, not selected.
# A fixed period sees all or nothing, depending on its phase. If a sample falls within a microsecond
# or two of the begin or end of a burst, it may see any share, even the true one: in about 1 row of
# 500. So each sampler with a fixed period may be right once, but not both in one row.
. /test/guest-lib.sh
command -v perf >/dev/null || fail "perf is missing"

# Runs inside all profilers. It starts only the sleep, so that it reads the window's own numbers.
cat >window <<'END'
look() {
	{ read -r _; read -r _; read -r _ _ now _; } </proc/timer_list
	read -r ran _ </proc/$hider/schedstat
	read -r _ user nice system idle iowait irq softirq _ </proc/stat
	busy=$((user + nice + system + irq + softirq)) idle=$((idle + iowait))
}
look
now0=$now ran0=$ran busy0=$busy idle0=$idle
sleep 3
look
echo $((ran - ran0)) $((now - now0)) $((busy - busy0)) $((idle - idle0)) >seen
END

# The comb of the engine without the module.
echo 'probe sys -engine bpf -sec 60 -rate $rate -seed $seed -tsv -- sh window >comb' >nested

# of FILE KEY: print the program's column of `probe sys -tsv` output, or 0.
of() {
	awk -F '\t' -v key="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i }
		$1 == "hider" { x = $c } END { print x + 0 }' "$1"
}

# measure RATE PERIOD START BURST NAME SEED: print a row, and append it to the file table.
measure() {
	background hider "$2" "$3" "$4"
	export hider="$last_pid"
	sleep 0.5
	expect 0 perf record -q -N -B -a -e cpu-clock -F "$1" -o perf.data -- \
		probe sys -sec 60 -rate "$1" -jitter none -seed "$6" -tsv -- \
		sh -c "probe sys -sec 60 -rate $1 -seed $6 -tsv -- sh nested >grid"
	kill "$hider"
	echo "$(cut -d ' ' -f 1,2 seen) $(of comb lo) $(of comb hi)" >>combs
	perf script -i perf.data -F comm >samples 2>err || { cat err; fail "perf script failed"; }
	awk -v rate="$1" -v designed="$(awk "BEGIN { print 100 * $4 / $2 }")" -v name="$5" \
		-v lo="$(of grid lo)" -v hi="$(of grid hi)" -v fixed="$(of out total)" '
		NR == FNR { truth = 100 * $1 / $2; stat = 100 * $3 / ($3 + $4); next }
		{ samples++ }
		$1 == "hider" { hits++ }
		END { printf "=%5d  %8.2f  %5.2f  %5.2f  %5.2f  %5.1f  %5.1f  %5.1f  %s\n", rate, designed,
			truth, lo, hi, fixed, 100 * hits / samples, stat, name }' seen samples | tee -a table
}

export rate seed
echo "# rate  designed  truth     lo     hi  fixed   perf   stat  program"
while read -r rate period start burst name; do
	seed=$((seed + 1))
	measure "$rate" "$period" "$start" "$burst" "$name" $seed </dev/null
done <<'END'
250 4000 200 3000 3 of 4 ms, asleep at the tick
250 4000 1000 2000 2 of 4 ms, asleep at the tick
250 4000 2600 1000 1 of 4 ms, asleep at the tick
250 4000 2500 2000 2 of 4 ms, awake at the tick
250 4000 3300 1200 1.2 of 4 ms, awake at the tick
250 4000 3900 800 0.8 of 4 ms, awake at the tick
100 10000 1000 4000 4 of 10 ms
300 3333.333 500 2000 2 of 3.33 ms
1000 1000 200 600 0.6 of 1 ms, asleep at the tick
1000 1000 900 300 0.3 of 1 ms, awake at the tick
END

awk '
function is_wrong(share) { return share - truth > 10 || truth - share > 10 }
function fail(reason) { print "FAIL: " reason; failed = 1 }
/^=/ {
	sub(/^=/, "")
	rows++
	truth = $3
	if (truth - $2 > 3 || $2 - truth > 3)
		fail("row " rows " does not run as designed")
	held += $4 <= truth && truth <= $5
	fixed_right += !is_wrong($6)
	perf_right += !is_wrong($7)
	if (!is_wrong($6) && !is_wrong($7))
		fail("row " rows " hides from no sampler")
	if ($1 == 250 && !is_wrong($8))
		fail("row " rows " does not hide from the tick")
}
END {
	print "# " held " of " rows " intervals hold the truth; right by luck: fixed " fixed_right + 0 \
		", perf " perf_right + 0
	if (rows != 10)
		fail("rows are missing")
	if (held < 7)
		fail("too many intervals miss the truth")
	if (fixed_right > 1 || perf_right > 1)
		fail("a fixed period is right")
	exit failed
}' table
awk '{ truth = 100 * $1 / $2; held += $3 <= truth && truth <= $4 }
	END { print "# " held " of " NR " intervals of the comb hold the truth"; exit NR != 10 || held < 7 }' combs ||
	fail "too many intervals of the comb miss the truth: $(cat combs)"
