#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh SECONDS [TARGET...]: run libFuzzer on each reader of files, for SECONDS of processor time
# in all, one target per processor at a time. Each target begins with the corpus of the repository
# and with inputs found before, which are saved in ~/.cache/cpuprobe/corpus (CPUPROBE_CACHE);
# failing inputs are left in build/fuzz. Prints a line per target; the last one is "N passed, M
# failed", and the exit status is 1 when M is not 0.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/fuzz
out=$top/build/fuzz
found=${CPUPROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cpuprobe}/corpus
total=$1
shift
if [ $# = 0 ]; then
	targets=("$here"/fuzz_*.c)
	targets=("${targets[@]##*/fuzz_}")
	set -- "${targets[@]%.c}"
fi
share=$((total / $# > 0 ? total / $# : 1))

# fuzz TARGET: run until the target has had its share. A busy machine needs several turns, since
# libFuzzer knows only wall-clock time.
fuzz() {
	local log=$out/logs/$1.log used_ms=0 turns=0 left TIMEFORMAT='%3U %3S' user system
	local options=(-timeout=300 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=81920
		-close_fd_mask=3 -print_final_stats=1 -artifact_prefix="$out/failed/$1-")

	[ ! -f "$here/$1.dict" ] || options+=(-dict="$here/$1.dict")
	mkdir -p "$found/$1"
	: >"$log"
	while [ "$used_ms" -lt $((share * 1000)) ] && [ $((turns++)) -lt 100 ]; do
		left=$((share - used_ms / 1000))
		{ time "$out/bin/$1" -max_total_time="$left" "${options[@]}" \
			"$found/$1" "$here/corpus/$1" >>"$log" 2>&1; } 2>"$out/logs/$1.time"
		echo $? >"$out/logs/$1.status"
		[ "$(cat "$out/logs/$1.status")" = 0 ] || break
		read -r user system <"$out/logs/$1.time"
		used_ms=$((used_ms + 10#${user/./} + 10#${system/./}))
	done
	echo $((used_ms / 1000)) >"$out/logs/$1.time"
}

# figure TARGET NAME: one of the final statistics, over all turns: "sum max"
figure() {
	awk -v name="stat::$2:" '$1 == name { sum += $2; if ($2 > max) max = $2 }
		END { print sum + 0, max + 0 }' "$out/logs/$1.log"
}

# say TARGET: its result line, or the reason why it failed
say() {
	local log=$out/logs/$1.log last runs memory

	last=$(grep -a '	DONE ' "$log" | tail -n 1)
	if [ "$(cat "$out/logs/$1.status")" = 0 ] && [ -n "$last" ]; then
		read -r runs _ <<<"$(figure "$1" number_of_executed_units)"
		read -r _ memory <<<"$(figure "$1" peak_rss_mb)"
		[[ $last =~ cov:\ ([0-9]+).*corp:\ ([0-9]+) ]]
		printf 'ok   %-9s %4s s, %9s runs, %5s edges, %5s inputs, %4s MB; %s\n' "$1" \
			"$(cat "$out/logs/$1.time")" "$runs" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
			"$memory" "$(sed -n 's/^fuzz: at most //p' "$log" | sort -n | tail -n 1)"
		return 0
	fi
	echo "FAIL $1"
	grep -a -A 25 -e '^fuzz: ' -e '^==' -e 'runtime error' "$log" | tail -n 40
	grep -a 'Test unit written' "$log"
	return 1
}

# shellcheck source=tests/rig/jobs.sh
. "$top/tests/rig/jobs.sh"
jobs_begin
mkdir -p "$out/logs" "$out/failed"
passed=0 failed=0
for target in "$@"; do
	echo 1 >"$out/logs/$target.status"
	job fuzz "$target"
done
wait
for target in "$@"; do
	if say "$target"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
