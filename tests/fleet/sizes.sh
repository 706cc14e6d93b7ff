#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sizes.sh: measure how large windows are, as the tool writes them, and print them as docs/fleet.tsv:
# a name and a number per line. Needs root and BPF; takes three minutes. The workload compiles the
# tool's own sources on all CPUs.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
probe=${PROBE:-$top/build/probe}
trap 'kill "$load" 2>/dev/null || :; rm -rf "$work"' EXIT

compile() {
	while :; do
		find "$top/cli" -name '*.c' -print0 | xargs -0 -P "$(nproc)" -I {} \
			gcc -O2 -g -w -I "$top/cli" -I "$top/symbolizer" -I "$top/kmod/uapi" -c {} -o /dev/null
	done
}

put() {	# put NAME NUMBER
	printf '%s\t%s\n' "$1" "$2"
}

compile >/dev/null 2>&1 &
load=$!
put cpus "$(nproc)"

# A metrics file: the lines of one row, those that are there once, and the mean length of a line.
"$probe" sys -engine bpf -rate 19.7 -sec 15 -prom "$work/metrics" >/dev/null 2>&1
awk '!/^#/ { lines++; bytes += length($0) + 1 }
	/^cpuprobe_share_ratio/ { rows++ }
	/^cpuprobe_(share|samples_total\{|cpu_seconds_total\{)/ { of_rows++; row_bytes += length($0) + 1 }
	END {
		printf "row_series\t%d\nrow_bytes\t%d\n", of_rows / rows, row_bytes / rows
		printf "fixed_series\t%d\nfixed_bytes\t%d\n", lines - of_rows, bytes - row_bytes
	}' "$work/metrics"

# Windows of stacks, as pushed: pprof, compressed.
for rate in 19.7 99; do
	for seconds in 15 60; do
		"$probe" flat -engine bpf -rate $rate -sec $seconds -save "$work/run" >/dev/null 2>&1
		"$probe" export -pprof "$work/pprof" "$work/run"
		put "pprof_${rate}_$seconds" "$(stat -c %s "$work/pprof")"
		put "saved_${rate}_$seconds" "$(stat -c %s "$work/run")"
	done
done
