#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# native.sh PROBE STEADY TICKS: by how much sampling at 1 kHz slows a fixed amount of work on this machine itself.
# Rounds of the work alone, under empty interrupts at 1 kHz, under `probe sys -engine bpf` and under `perf record -F
# 1000 -a`, in every order; each round is short, so that what changes slowly on the machine changes all four. Prints
# for each the median of the ratios to the work alone in the same round, with an interval of 95% of that median by
# order statistics; for "own" the same of probe's ratio less that of the empty interrupts. Fails if that is over 0.5%
# even at the low end of its interval: what an interrupt costs is the machine's, not ours.
#
# The time is CPU time of the thread, which does not have what other programs use of the CPU. Interrupts are part
# of it, unless the kernel accounts them apart (CONFIG_IRQ_TIME_ACCOUNTING): then it is the wall clock's, and the
# machine should be idle. ROUNDS=N: 200 rounds, of about a second each.
set -u
probe=$1 steady=$2 ticks=$3 limit=0.5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpu=$(awk '/^Cpus_allowed_list/ { n = split($2, part, /[-,]/); print part[n] }' /proc/self/status)
clock=2
if { zcat /proc/config.gz || cat "/boot/config-$(uname -r)"; } 2>/dev/null | grep -q '^CONFIG_IRQ_TIME_ACCOUNTING=y'; then
	clock=3
fi

under() {	# under HOW COMMAND...: run the command under one of the profilers
	local how=$1
	shift
	case $how in
	alone) "$@" ;;
	ticks) "$ticks" 1000 "$@" ;;
	probe) "$probe" sys -engine bpf -rate 1000 -tsv -- "$@" ;;
	perf) perf record -q -F 1000 -a -o "$work/perf.data" -- "$@" ;;
	esac 2>"$work/talk" | sed -n 's/^steady //p' | awk -v clock=$clock '{ print $(clock - 1) }'
}

ways="alone ticks probe"
if ! "$probe" sys -engine bpf -sec 0.1 >/dev/null 2>"$work/talk"; then
	echo "native skipped: $(head -n 1 "$work/talk")"
	exit 0
fi
perf record -q -F 1000 -a -o "$work/perf.data" -- true >/dev/null 2>&1 && ways="alone ticks probe perf"
# A tenth of a second of work.
loops=$("$steady" "$cpu" 20000000 | awk '{ printf "%d", 20000000 * 0.1 / $2 }')
for ((round = 0; round < ${ROUNDS:-200}; round++)); do
	for how in $(tr ' ' '\n' <<<"$ways" | shuf --random-source=<(yes $round)); do
		echo "$round $how $(under "$how" "$steady" "$cpu" "$loops")"
	done
done >"$work/times"
awk -v limit=$limit -v clock=$clock '
	NF == 3 { time[$1, $2] = $3; if ($1 > last) last = $1 }
	function sorted(a, n,    i, j, x) {
		for (i = 2; i <= n; i++) {
			x = a[i]
			for (j = i - 1; j && a[j] > x; j--) a[j + 1] = a[j]
			a[j + 1] = x
		}
	}
	function has(i, how) { return (i, how) in time && (i, "alone") in time }
	function slowdown(i, how) { return 100 * (time[i, how] / time[i, "alone"] - 1) }
	# "own": what probe costs beyond empty interrupts
	function tell(how,    n, i, low, high, ratio) {
		for (i = 0; i <= last; i++)
			if (how == "own" && has(i, "probe") && has(i, "ticks"))
				ratio[++n] = slowdown(i, "probe") - slowdown(i, "ticks")
			else if (has(i, how))
				ratio[++n] = slowdown(i, how)
		if (n < 10) {
			print "native " how " not measured: " n + 0 " rounds"
			return 0
		}
		sorted(ratio, n)
		low = int((n - 1.96 * sqrt(n)) / 2); low = low < 1 ? 1 : low
		high = n + 1 - low
		printf "native %s %.3f %.3f %.3f %d %s\n", how, (ratio[int((n + 1) / 2)] + ratio[int(n / 2) + 1]) / 2,
			ratio[low], ratio[high], n, clock == 2 ? "cpu" : "wall"
		return ratio[low]
	}
	END { tell("ticks"); tell("probe"); tell("perf"); exit tell("own") > limit }' "$work/times"
