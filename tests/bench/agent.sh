#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# agent.sh: the cost of an agent at its default rate on this machine, as it is loaded, for AGENT_SECONDS (300), and of
# `perf record -F 19 -a -g` in a loop and bpftrace at the same time. AGENT_LOAD=N also compiles the tool's sources, N files at a time.
# The agent writes metrics and, unless AGENT_PUSH=no, pushes compressed profiles to a stub. Its figures: CPU time of the process, and of its BPF
# programs where root may ask the kernel for it; memory at the end of each third; bytes pushed; the time from the
# start of a program to its row in the metrics, three times. perf's and bpftrace's: CPU time of all their processes,
# and of bpftrace's programs. The first AGENT_WARM seconds (10), in which all read what there is, are left out of the
# agent's and told apart.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${AGENT_SECONDS:-300}
work=$(mktemp -d)
export XDG_RUNTIME_DIR=$work
agent='' others='' stats=''
# shellcheck disable=SC2086,SC2329 # a list of process ids; called by trap
finish() {
	kill $agent $others 2>/dev/null
	wait
	[ -z "$stats" ] || echo "$stats" >/proc/sys/kernel/bpf_stats_enabled
	rm -rf "$work"
}
trap finish EXIT

if [ -w /proc/sys/kernel/bpf_stats_enabled ]; then
	stats=$(cat /proc/sys/kernel/bpf_stats_enabled)
	echo 1 >/proc/sys/kernel/bpf_stats_enabled
fi

process_ms() { # process_ms PID: of its threads, without children
	awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' "/proc/$1/stat"
}
programs_ms() { cat /proc/"$1"/fdinfo/* 2>/dev/null | awk '/^run_time_ns:/ { ns += $2 } END { print ns / 1e6 }'; }
memory_kib() { awk '/^VmRSS/ { print $2 }' "/proc/$agent/status"; }
pushed() { "$top/build/probe" status agent | sed -n 's/^pushed  *//p' | tr -cd '0-9 '; } # requests, samples, bytes
forks() { awk '/^processes/ { print $2 }' /proc/stat; }
lives() { kill -0 "$agent" 2>/dev/null || { cat "$work/journal" >&2; exit 1; }; }

compile() { # compile JOBS: until it is killed
	trap 'kill $!' TERM
	while sleep 0; do
		find "$top/cli" -name '*.c' -print0 | xargs -0 -P "$1" -I {} gcc -O2 -g -w -D_GNU_SOURCE -I "$top/cli" \
			-I "$top/symbolizer" -I "$top/kmod" -I "$top/kmod/uapi" -c {} -o /dev/null &
		wait $! || exit
	done >/dev/null 2>&1
}

time_to_metric() { # time_to_metric NAME: print the seconds from the start of a program that computes to its row
	local began=$EPOCHREALTIME
	cp "$(readlink -f "$(command -v sh)")" "$work/$1"
	"$work/$1" -c 'while :; do :; done' &
	until grep -q "name=\"$1\"" "$work/prom" 2>/dev/null; do sleep 0.1; done
	awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { printf "%.1f ", ended - began }'
	kill $!
	wait $! 2>/dev/null
}

mkdir "$work/store"
python3 "$top/tests/fleet/stub.py" "$work/store" 0 >/dev/null 2>&1 &
others="$others $!"
until [ -e "$work/store/port" ]; do sleep 0.05; done
if [ "${AGENT_LOAD:-0}" != 0 ]; then
	compile "$AGENT_LOAD" &
	others="$others $!"
fi
push=(-push "http://127.0.0.1:$(cat "$work/store/port")" -compress)
[ "${AGENT_PUSH:-yes}" = yes ] || push=()
"$top/build/probe" agent -ring-dir "$work/ring" -prom "$work/prom" "${push[@]}" 2>"$work/journal" &
agent=$!
(
	while sleep 0; do perf record -q -F 19 -a -g -o "$work/perf.data" -- sleep 60 >/dev/null 2>&1 || exit; done
) &
perf=$!
others="$others $perf"
bpftrace -q -e 'profile:hz:19 { @[kstack, ustack, comm] = count(); } interval:s:60 { clear(@); }' >/dev/null 2>&1 &
bpftrace=$!
others="$others $bpftrace"
sleep "${AGENT_WARM:-10}"
lives
began=$EPOCHREALTIME began_ms=$(process_ms $agent) programs_began_ms=$(programs_ms $agent) began_forks=$(forks)
bpftrace_began_ms=$(process_ms $bpftrace 2>/dev/null) bpftrace_programs_ms=$(programs_ms $bpftrace)
read -r -a pushed_began <<<"$(pushed) 0 0 0"
for third in 1 2 3; do
	third_began=$SECONDS
	times="${times:-}$(time_to_metric "new-program-$third")"
	[ $((SECONDS - third_began)) -ge $((seconds / 3)) ] || sleep $((seconds / 3 - SECONDS + third_began))
	lives
	memory="${memory:-} $(memory_kib)"
done
read -r -a pushed_end <<<"$(pushed) 0 0 0"
awk -v s="$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" -v began="$began_ms" -v end="$(process_ms $agent)" \
	-v prog0="$programs_began_ms" -v prog="$(programs_ms $agent)" -v memory="$memory" -v times="$times" \
	-v forks="$(($(forks) - began_forks))" -v requests=$((pushed_end[0] - pushed_began[0])) \
	-v bytes=$((pushed_end[2] - pushed_began[2])) -v trace0="$bpftrace_began_ms" \
	-v trace="$(process_ms $bpftrace 2>/dev/null)" -v traceprog0="$bpftrace_programs_ms" \
	-v traceprog="$(programs_ms $bpftrace)" 'BEGIN {
	printf "agent, process: %.3f%% of a CPU (start: %.2f s)\n", (end - began) / s / 10, began / 1000
	printf "agent, BPF programs: %.3f%% of a CPU\n", (prog - prog0) / s / 10
	printf "agent, all: %.3f%% of a CPU\n", (end - began + prog - prog0) / s / 10
	split(memory, kib, " ")
	printf "agent, memory: %.1f, %.1f, %.1f MiB\n", kib[1] / 1024, kib[2] / 1024, kib[3] / 1024
	if (requests) printf "pushed: %.0f KB a window of 60 s, %.2f MB an hour\n", bytes / requests / 1e3, bytes / requests * 60 / 1e6
	split(times, t, " ")
	printf "from the start of a program to its row in the metrics: %s, %s, %s s\n", t[1], t[2], t[3]
	if (trace) printf "bpftrace, all: %.3f%% of a CPU\n", (trace - trace0 + traceprog - traceprog0) / s / 10
	printf "processes begun: %.0f a second\n", forks / s }'
awk -v hz="$(getconf CLK_TCK)" -v s=$((SECONDS)) '{ sub(/.*\) /, "")
	printf "perf record in a loop: %.3f%% of a CPU\n", ($12 + $13 + $14 + $15) / hz / s * 100 }' "/proc/$perf/stat"
echo "load: $(cut -d ' ' -f 1 /proc/loadavg) on $(nproc) CPUs"
