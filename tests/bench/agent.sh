#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# agent.sh: the cost of an agent at its default rate on this machine, as it is loaded, for AGENT_SECONDS (300), and of
# `perf record -F 19 -a -g` in a loop at the same time. The agent's: CPU time of the process, and of its BPF programs
# where root may ask the kernel for it; memory at the end of each third. perf's: CPU time of all its processes. The
# first ten seconds, in which both read what there is, are left out of the agent's and told apart.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${AGENT_SECONDS:-300}
work=$(mktemp -d)
export XDG_RUNTIME_DIR=$work
trap 'kill "$agent" "$perf" 2>/dev/null; wait; [ -z "$stats" ] || echo "$stats" >/proc/sys/kernel/bpf_stats_enabled
	rm -rf "$work"' EXIT
agent='' perf='' stats=''

if [ -w /proc/sys/kernel/bpf_stats_enabled ]; then
	stats=$(cat /proc/sys/kernel/bpf_stats_enabled)
	echo 1 >/proc/sys/kernel/bpf_stats_enabled
fi

process_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' "/proc/$agent/stat"; }
programs_ms() { cat /proc/"$agent"/fdinfo/* 2>/dev/null | awk '/^run_time_ns:/ { ns += $2 } END { print ns / 1e6 }'; }
memory_kib() { awk '/^VmRSS/ { print $2 }' "/proc/$agent/status"; }

"$top/build/probe" agent -ring-dir "$work/ring" -prom "$work/prom" 2>"$work/journal" &
agent=$!
(
	while sleep 0; do perf record -q -F 19 -a -g -o "$work/perf.data" -- sleep 60 >/dev/null 2>&1 || exit; done
) &
perf=$!
sleep 10
kill -0 "$agent" 2>/dev/null || { cat "$work/journal" >&2; exit 1; }
began_ms=$(process_ms) programs_began_ms=$(programs_ms)
for _ in 1 2 3; do
	sleep $((seconds / 3))
	kill -0 "$agent" 2>/dev/null || { cat "$work/journal" >&2; exit 1; }
	memory="${memory:-} $(memory_kib)"
done
awk -v s=$((seconds / 3 * 3)) -v began="$began_ms" -v end="$(process_ms)" -v prog0="$programs_began_ms" \
	-v prog="$(programs_ms)" -v memory="$memory" 'BEGIN {
	printf "agent, process: %.3f%% of a CPU (start: %.2f s)\n", (end - began) / s / 10, began / 1000
	printf "agent, BPF programs: %.3f%% of a CPU\n", (prog - prog0) / s / 10
	printf "agent, all: %.3f%% of a CPU\n", (end - began + prog - prog0) / s / 10
	split(memory, kib, " ")
	printf "agent, memory: %.1f, %.1f, %.1f MiB\n", kib[1] / 1024, kib[2] / 1024, kib[3] / 1024 }'
awk -v hz="$(getconf CLK_TCK)" -v s=$((seconds / 3 * 3 + 10)) '{ sub(/.*\) /, "")
	printf "perf record in a loop: %.3f%% of a CPU\n", ($12 + $13 + $14 + $15) / hz / s * 100 }' "/proc/$perf/stat"
echo "load: $(cut -d ' ' -f 1 /proc/loadavg) on $(nproc) CPUs"
