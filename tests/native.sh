#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# native.sh: `probe -engine bpf` on this machine itself, without a virtual one. Programs whose shares
# the kernel accounts exactly are sampled; programs that compute in cycles, some in step with the draws
# of periods among them. It tests nothing, and says so, if this user may not use BPF.
#
# A share may differ from the truth by six standard deviations of independent samples. Even if
# the comb's are 1.3 times as wide, an honest tool fails less than once in 10,000 runs. A
# busy machine changes neither: shares are those of the time of these programs alone, on one CPU.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
probe=$top/build/probe work=$(mktemp -d) passed=0 failed=0
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

make -s -C "$top" tool || exit 1
if ! "$probe" doctor 2>&1 | grep -q '^ok *bpf:'; then
	echo "skipped: $("$probe" doctor 2>&1 | sed -n 's/^[A-Za-z]* *bpf: //p')"
	echo "0 passed, 0 failed"
	exit 0
fi
cc -O1 -D_GNU_SOURCE -o "$work/duty" "$top/tests/workloads/duty.c" || exit 1
cpu=$(awk '/^Cpus_allowed_list/ { sub(/[,-].*/, "", $2); print $2 }' /proc/self/status)

check() {	# check NAME COMMAND...: the command succeeds and prints nothing
	local name=$1 output
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "ok   native $name"
		passed=$((passed + 1))
	else
		printf 'FAIL native %s\n%s\n' "$name" "$output"
		failed=$((failed + 1))
	fi
}

sample() {	# sample OPTION... -- COMMAND...: rows in $work/rows, the receipt and errors in $work/talk
	"$probe" sys -engine bpf -cpu "$cpu" -tsv "$@" >"$work/out" 2>"$work/talk" || {
		cat "$work/talk"
		return 1
	}
}


within() {	# within NAME SHARE TRUTH SAMPLES: six standard deviations
	awk -v name="$1" -v share="$2" -v truth="$3" -v n="$4" 'BEGIN {
		sigma = sqrt((truth * (1 - truth) + 1 / n) / n)
		if (n < 100 || share < truth - 6 * sigma || share > truth + 6 * sigma)
			print name ": measured " share ", true " truth " of " n " samples"
	}'
}

shares_are_true() {	# shares_are_true OPTION... -- CYCLE:BUSY...
	local options=() name truth n
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	sample -by comm "${options[@]}" -- "$work/duty" "$cpu" 5 "$@" || return 1
	grep -E '^(duty[0-9]+|filler) [0-9.]+$' "$work/out" >"$work/truth"
	grep -vE '^(duty[0-9]+|filler) [0-9.]+$' "$work/out" >"$work/rows"
	# Shares of the time of all of them: what else runs on this CPU, and when they begin and end, does not matter.
	n=0
	while read -r name _; do n=$((n + $(hits_of "$name"))); done <"$work/truth"
	while read -r name truth; do
		within "$name" "$(awk -v hits="$(hits_of "$name")" -v n="$n" 'BEGIN { print hits / (n + !n) }')" "$truth" "$n"
	done < <(awk '{ name[NR] = $1; time[NR] = $2; sum += $2 }
		END { for (i = 1; i <= NR; i++) print name[i], time[i] / sum }' "$work/truth")
}

hits_of() { # hits_of ROW: of all modes
	awk -F '\t' -v row="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /_hits$/) hits[i] = 1 }
		NR > 1 && $1 == row { for (i in hits) n += $i } END { print n + 0 }' "$work/rows"
}

# The interval of each row is Wilson's, of the samples divided by 1 + the excess, in the run and as saved.
intervals_have_excess() {	# intervals_have_excess EXCESS OPTION...
	local excess=$1
	shift
	sample -sec 2 -save "$work/saved" "$@" || return 1
	"$probe" show -tsv "$work/saved" 2>/dev/null | diff - "$work/out" || return 1
	awk -F '\t' -v excess="$excess" '
		NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; if ($i ~ /_hits$/) hits[i] = 1 } next }
		{ share[NR] = $at["total"] / 100; lo[NR] = $at["lo"]; hi[NR] = $at["hi"]; for (i in hits) n += $i }
		function differs(a, b) { return a - b > 0.01 || b - a > 0.01 }
		END {
			if (n < 100)
				print "only " n " samples"
			z2n = 1.959964 ^ 2 * (1 + excess) / n
			for (i = 2; i <= NR; i++) {
				middle = (share[i] + z2n / 2) / (1 + z2n)
				half = sqrt(z2n * (share[i] * (1 - share[i]) + z2n / 4)) / (1 + z2n)
				if (differs(lo[i], 100 * (middle - half)) || differs(hi[i], 100 * (middle + half)))
					print share[i] " of " n ": " lo[i] " to " hi[i]
			}
		}' "$work/out"
}

nothing_is_left() {	# of a tool that was killed; programs of other tools may come and go
	"$work/duty" -programs >"$work/others"
	"$probe" sys -engine bpf -sec 30 >/dev/null 2>&1 &
	sleep 1
	"$work/duty" -programs | grep -vxFf "$work/others" >"$work/ours"
	[ -s "$work/ours" ] || echo "no program of ours was found while it ran"
	kill -KILL $!
	wait $! 2>/dev/null
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		"$work/duty" -programs | grep -qxFf "$work/ours" || return 0
		sleep 0.5
	done
	echo "programs are left: $(cat "$work/ours")"
}

two_at_once() {
	"$probe" sys -engine bpf -cpu "$cpu" -sec 3 >"$work/first" 2>&1 &
	"$probe" sys -engine bpf -cpu "$cpu" -sec 3 >"$work/second" 2>&1
	wait $!
	grep -q '^Receipt: 1000 Hz asked' "$work/first" && grep -q '^Receipt: 1000 Hz asked' "$work/second" ||
		cat "$work/first" "$work/second"
}

rate_is_the_one_asked_for() {	# rate_is_the_one_asked_for HZ
	sample -rate "$1" -json -- "$work/duty" "$cpu" 5 10000:5000 || return 1
	sed '/^filler/,$!d; /^filler/d' "$work/out" | awk -v hz="$1" -F '[:,]' '
		/"seconds"/ { seconds = $2 } /"expected"/ && !n { for (i = 1; i < NF; i++)
			if ($i ~ /"expected"/) n = $(i + 1) }
		END { if (n < seconds * hz * 0.97 || n > seconds * hz * 1.03)
			print n " samples expected in " seconds " s at " hz " Hz" }'
}

# Two functions with the same loop, one three times as long.
addresses_are_true() {	# addresses_are_true OPTION...
	cat >"$work/loops.c" <<-'END'
		volatile unsigned long sum;
		__attribute__((noinline)) void once(void) { for (int i = 0; i < 1000; i++) sum += i; }
		__attribute__((noinline)) void thrice(void) { for (int i = 0; i < 3000; i++) sum += i; }
		int main(void) { for (long n = 1000000; n--;) { once(); thrice(); } return 0; }
	END
	cc -O1 -g -o "$work/loops" "$work/loops.c" || return 1
	"$probe" proc -engine bpf -cpu "$cpu" "$@" -tsv "$work/loops" -- taskset -c "$cpu" "$work/loops" \
		>"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n[$at["name"]] += $at["hits"] } END { print n["once"], n["thrice"] }' "$work/out" >"$work/hits"
	read -r once thrice <"$work/hits"
	within once "$(awk "BEGIN { print $once / ($once + $thrice) }")" 0.25 $((once + thrice))
}

# The same loop with two callers, one of which pays three times as much. The loop has no frame of its own.
compile_callers() {
	cat >"$work/callers.c" <<-'END'
		#include <stdlib.h>
		volatile unsigned long sum;
		__attribute__((noinline)) void loop(int n) { for (int i = 0; i < n; i++) sum += i; }
		__attribute__((noinline)) void cheap(void) { loop(1000); sum++; }
		__attribute__((noinline)) void dear(void) { loop(3000); sum++; }
		__attribute__((noinline)) void pair(void) { cheap(); dear(); sum++; }
		int main(int argc, char **argv)
		{
			for (long n = argc > 1 ? atol(argv[1]) : 1000000; n--;)
				pair();
			return 0;
		}
	END
	cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$work/callers" "$work/callers.c"
}

# Folded stacks of callers: the part below dear, of both callers. In the kernel the loop has no known caller.
callers_are_true() {	# callers_are_true FILE LEAST
	awk -v least="$2" '!/^callers;/ { next } /;pair;dear;loop / { dear += $NF }
		/;pair;cheap;loop / { cheap += $NF } /;pair;loop / { lost += $NF } END {
		if (dear + cheap < least) print "only " dear + cheap " samples of the callers"
		if (lost) print lost " samples without the caller"
		print "share", dear / (dear + cheap), dear + cheap }' "$1" >"$work/judged"
	grep -v '^share' "$work/judged"
	read -r _ share n <<<"$(grep '^share' "$work/judged")"
	within dear "$share" 0.75 "$n"
}

stacks_are_true() {	# stacks_are_true LEAST OPTION...
	local least=$1
	shift
	"$probe" flat -engine bpf -cpu "$cpu" "$@" -save "$work/run" -folded "$work/folded" -- \
		taskset -c "$cpu" "$work/callers" >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	grep -q '^User stacks (frame pointers only)' "$work/out" || cat "$work/out"
	callers_are_true "$work/folded" "$least"
	"$probe" verify "$work/run" >"$work/out" 2>&1 || cat "$work/out"
	"$probe" diff "$work/run" "$work/run" >"$work/out" 2>&1 || cat "$work/out"
}

# Every path of a call tree of nine levels is another stack. They do not all find a place of their own in the
# map of stacks, and each of them must be counted nevertheless.
many_stacks_are_counted() {
	cat >"$work/tree.c" <<-'END'
		volatile unsigned long sum;
		__attribute__((noinline)) void left(int depth);
		__attribute__((noinline)) void right(int depth);
		static inline __attribute__((always_inline)) void both(int depth, int rounds)
		{
			if (depth) {
				left(depth - 1);
				right(depth - 1);
			} else {
				for (int i = 0; i < rounds; i++)
					sum += i;
			}
			sum++;
		}
		__attribute__((noinline)) void left(int depth) { both(depth, 10000); }
		__attribute__((noinline)) void right(int depth) { both(depth, 30000); }
		int main(void) { for (int n = 0; n < 400; n++) left(9); return 0; }
	END
	cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$work/tree" "$work/tree.c" || return 1
	# On a busy machine a harvest may come late, and new stacks find no room: they are told, and the run is repeated.
	for _ in 1 2 3 4 5; do
		"$probe" flat -engine bpf -cpu "$cpu" -rate 5000 -memory 64 -user -task "$work/tree" \
			-folded "$work/folded" -save "$work/run" -json -- taskset -c "$cpu" "$work/tree" \
			>"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
		"$probe" verify "$work/run" >"$work/verified" 2>&1 || { cat "$work/verified"; return 1; }
		[ "$(sed -n 's/^  "lost": \([0-9]*\).*/\1/p' "$work/out" | head -n 1)" != 0 ] || break
	done
	# half of the paths end in right, with three quarters of the time
	awk '/^tree;.*;(left|right) / { leaf = $0; sub(/ [0-9]+$/, "", leaf); n += $NF; stacks++
		if (leaf ~ /;right$/) right += $NF; if (gsub(/;(left|right)/, "", leaf) < 10) short += $NF }
		END { if (stacks < 500) print "only " stacks " stacks"
		if (short > n / 100) print short " of " n " stacks are too short"
		print "share", right / n, n }' "$work/folded" >"$work/judged"
	grep -v '^share' "$work/judged"
	read -r _ share n <<<"$(grep '^share' "$work/judged")"
	within right "$share" 0.75 "$n"
}

background_runs_are_true() {
	"$probe" start native-$$ -engine bpf -rate 4000 -cpu "$cpu" -task "$work/callers" >"$work/out" 2>&1 || {
		cat "$work/out"
		return 1
	}
	taskset -c "$cpu" "$work/callers"
	"$probe" status native-$$ >"$work/out" 2>&1 || cat "$work/out"
	"$probe" dump native-$$ -save "$work/dumped" >"$work/out" 2>&1 || cat "$work/out"
	"$probe" pause native-$$ >"$work/out" 2>&1 || cat "$work/out"
	"$probe" resume native-$$ >"$work/out" 2>&1 || cat "$work/out"
	taskset -c "$cpu" "$work/callers"
	"$probe" stop native-$$ -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	for run in dumped stopped; do
		"$probe" verify "$work/$run" >"$work/out" 2>&1 || cat "$work/out"
		"$probe" export "$work/$run" -folded "$work/folded" >"$work/out" 2>&1 || cat "$work/out"
		callers_are_true "$work/folded" 1000
	done
}

# A program of some milliseconds, gone at the harvest, has its functions by the kernel's events.
short_programs_have_names() {
	"$probe" flat -engine bpf -cpu "$cpu" -rate 5000 -folded "$work/folded" -- taskset -c "$cpu" sh -c \
		"i=0; while [ \$i -lt 200 ]; do $work/callers 3000; i=\$((i+1)); done" >"$work/out" 2>"$work/talk" ||
		{ cat "$work/talk"; return 1; }
	callers_are_true "$work/folded" 1000
}

tables_need_the_module() {
	"$probe" flat -engine bpf -unwind tables -sec 1 >"$work/out" 2>"$work/talk" && echo "status 0"
	grep -qx 'probe: measure with -engine bpf: -unwind tables: this needs the module' "$work/talk" ||
		cat "$work/talk"
}

check "shares of programs in cycles" shares_are_true -- 10000:2000 7000:1000 100000:30000
check "shares in step with the comb" shares_are_true -- 4500:1100 25000:6000 200000:50000
check "shares at 4 kHz" shares_are_true -rate 4000 -- 400000:100000 50000:20000
check "shares of a fixed period, of cycles out of step with it" shares_are_true -jitter none -- 7777:2222
check "intervals of the comb" intervals_have_excess 0.296
check "intervals of a fixed period" intervals_have_excess 0 -jitter none
check "rate of 1 kHz" rate_is_the_one_asked_for 1000
check "rate of 200 Hz" rate_is_the_one_asked_for 200
check "rate of 10 kHz" rate_is_the_one_asked_for 10000
check "nothing is left of a tool that was killed" nothing_is_left
check "two tools at once" two_at_once
check "addresses of a program" addresses_are_true -rate 5000
check "a program with two callers" compile_callers
check "stacks of a program" stacks_are_true 1000 -rate 4000
check "stacks of its user code at 5 kHz" stacks_are_true 5000 -rate 5000 -user -task "$work/callers"
check "more stacks than places for them" many_stacks_are_counted
check "stacks in the background" background_runs_are_true
check "stacks of programs that are gone" short_programs_have_names
check "unwinding by tables needs the module" tables_need_the_module
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
