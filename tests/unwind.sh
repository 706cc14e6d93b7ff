#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# unwind.sh STOPS: stop real programs, each STOPS times, and find their callers by the tables that the tool
# makes and by libdw's unwinder. At most 0.1% of all stacks may differ, and at most 1% end early for a
# reason that is told (those that do are in the dynamic linker, whose frame is in a register of the caller).
# Programs without frame pointers: interpreters, a compiler, cryptography and a JIT compiler.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
stops=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sum_stops=0 sum_equal=0 sum_early=0 passed=0

compare() {	# compare NAME COMMAND...
	local name=$1 nr equal early frames
	shift
	command -v "$1" >/dev/null || { echo "# $name: not on this machine"; return; }
	"$top/build/unwind/compare" "$stops" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; return; }
	grep '^#' "$work/out"
	read -r nr equal early frames < <(tail -n 1 "$work/out")
	printf '%-8s %5d stops, %2d frames on average, %5d equal, %d early\n' "$name" "$nr" $((frames / nr)) "$equal" "$early"
	sum_stops=$((sum_stops + nr)) sum_equal=$((sum_equal + equal)) sum_early=$((sum_early + early)) passed=$((passed + 1))
}

# The compiler's input: its own headers, which every machine with a compiler has.
printf '#include <%s>\n' stdio.h stdlib.h string.h unistd.h math.h time.h signal.h >"$work/all.c"
for i in $(seq 200); do echo "int f$i(int a, char *b) { return a * $i + (b ? b[a & 7] : 0) + f$((i - 1))(a, b); }"; done |
	sed '1s/f0(a, b)/0/' >>"$work/all.c"
gcc -E "$work/all.c" -o "$work/all.i"

compare python3 python3 -c 'import json
while True: json.dumps([{"a": i, "b": [1, 2, 3]} for i in range(100)])'
compare cc1 "$(gcc -print-prog-name=cc1)" -O2 -quiet "$work/all.i" -o /dev/null
compare perl perl -e 'while (1) { my %h; $h{$_} = [sort { $a <=> $b } 1 .. 10] for 1 .. 1000; join ",", keys %h }'
compare openssl openssl speed -seconds 1 sha512 aes-256-cbc rsa2048
compare node node -e 'while (1) JSON.parse(JSON.stringify([1, 2, { a: 3 }]))'
[ "$sum_stops" -gt 0 ] || { echo "unwind: nothing was compared" >&2; echo "0 passed, 1 failed"; exit 1; }
awk -v stops=$sum_stops -v equal=$sum_equal -v early=$sum_early 'BEGIN {
	printf "all      %5d stops, %.3f%% equal, %.3f%% early\n", stops, 100 * equal / stops, 100 * early / stops
	exit stops - equal - early > 0.001 * stops || early > 0.01 * stops }' && { echo "$passed passed, 0 failed"; exit; }
echo "FAIL unwind: too many stacks differ or end early"
echo "$passed passed, 1 failed"
exit 1
