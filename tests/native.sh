#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# native.sh: `probe -engine bpf` on this machine itself, without a virtual one. Programs whose shares
# the kernel accounts exactly are sampled; programs that compute in cycles, some in step with the draws
# of periods among them. It does not test BPF, and says so, if this user may not use it. Then native_perf.sh
# tests `-engine perf`.
#
# A share may differ from the truth by six standard deviations of independent samples. Even if
# the comb's are 1.3 times as wide, an honest tool fails less than once in 10,000 runs. A
# busy machine changes neither: shares are those of the time of these programs alone, on one CPU.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
probe=$top/build/probe work=$(mktemp -d) passed=0 failed=0
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
# A turn of a loop takes twice the time at some addresses: programs with the same loop in several functions align it.
aligned=(-falign-functions=64 -falign-loops=64)

make -s -C "$top" tool || exit 1
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


within() {	# within NAME SHARE TRUTH SAMPLES [MORE]: six standard deviations, and MORE
	awk -v name="$1" -v share="$2" -v truth="$3" -v n="$4" -v more="${5:-0}" 'BEGIN {
		most = 6 * sqrt((truth * (1 - truth) + 1 / n) / n) + more
		if (n < 100 || share < truth - most || share > truth + most)
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
	"$probe" sys -engine bpf -sec 300 >/dev/null 2>&1 &
	for _ in {1..60}; do
		sleep 1
		"$work/duty" -programs | grep -vxFf "$work/others" >"$work/ours" && break
	done
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

# A busy machine makes the tool late, not the rate wrong: the run lasts as long as the events do.
rate_is_the_one_asked_for() {	# rate_is_the_one_asked_for HZ
	sample -rate "$1" -json -- "$work/duty" "$cpu" 5 10000:5000 || return 1
	sed '/^filler/,$!d; /^filler/d' "$work/out" | awk -v hz="$1" -F '[:,]' '
		/"seconds"/ { seconds = $2 } /"expected"/ && !n { for (i = 1; i < NF; i++)
			if ($i ~ /"expected"/) n = $(i + 1) }
		END { if (n < seconds * hz * 0.97 || n > seconds * hz * 1.03)
			print n " samples expected in " seconds " s at " hz " Hz" }'
}

# Two functions with the same loop, one three times as long.
# Each turn of a loop waits for the one before, in a register. Through memory it takes longer at some addresses: the
# processor may predict the value.
addresses_are_true() {	# addresses_are_true OPTION...
	cat >"$work/loops.c" <<-'END'
		volatile unsigned long sum;
		__attribute__((noinline)) void once(void) { unsigned long x = sum; for (int i = 0; i < 1000; i++) x = 3 * x + i; sum = x; }
		__attribute__((noinline)) void thrice(void) { unsigned long x = sum; for (int i = 0; i < 3000; i++) x = 3 * x + i; sum = x; }
		int main(void) { for (long n = 1000000; n--;) { once(); thrice(); } return 0; }
	END
	cc -O1 "${aligned[@]}" -g -o "$work/loops" "$work/loops.c" || return 1
	"$probe" proc -engine bpf -cpu "$cpu" "$@" -tsv "$work/loops" -- taskset -c "$cpu" "$work/loops" \
		>"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n[$at["name"]] += $at["hits"] } END { print n["once"], n["thrice"] }' "$work/out" >"$work/hits"
	read -r once thrice <"$work/hits"
	within once "$(awk "BEGIN { print $once / ($once + $thrice) }")" 0.25 $((once + thrice))
}

# A step, and the whole report, which is of the last one: as many periods of 1 ms as its seconds have. A busy
# machine may keep the tool from its clock for a moment.
steps_have_their_own_time() {
	local begun=$EPOCHREALTIME
	"$probe" proc -engine bpf -cpu "$cpu" -hot -sec 3 -json "$work/loops" -- taskset -c "$cpu" "$work/loops" \
		>"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk -v took="$(awk "BEGIN { print $EPOCHREALTIME - $begun }")" -F '"seconds": ' '
		/"seconds"/ { seconds[++n] = $2 + 0 }
		/"expected"/ && !expected { sub(/.*"expected": /, ""); expected = $0 + 0 }
		END {
			for (i = 2; i <= n; i++) sum += seconds[i]
			if (n < 3 || seconds[n] != seconds[1] || sum > took ||
			    expected < 970 * seconds[1] - 100 || expected > 1030 * seconds[1] + 100)
				for (i = 1; i <= n; i++) print seconds[i] " s, " expected " periods"
		}' "$work/out"
}

# It is known from the start of the run: the first harvest comes 50 ms later, usually after its end.
ended_programs_are_not_lost() {
	local pid lost
	"$work/loops" & pid=$!
	disown
	until grep -qx loops "/proc/$pid/comm"; do sleep 0.01; done
	"$probe" proc -engine bpf -rate 10000 -json "$work/loops" -- bash -c "kill -KILL $pid; sleep 0.3" \
		>"$work/out" 2>"$work/talk" || cat "$work/talk"
	lost=$(sed -n 's/.*"lost": \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
	[ "$lost" = 0 ] || cat "$work/out"
}

# Two groups of one container, where root may make groups, are one row: the only one of them.
containers_are_rows() {
	local id=d0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde part groups pids=
	groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/cpuprobe-$$.slice
	mkdir "$groups" 2>/dev/null && mkdir -p "$groups/docker-$id.scope/one" "$groups/docker-$id.scope/two" || return 0
	for part in one two; do
		sh -c 'echo $$ >"$0/cgroup.procs" && exec taskset -c "$1" sh -c "while :; do :; done"' \
			"$groups/docker-$id.scope/$part" "$cpu" &
		pids="$pids $!"
	done
	sample -sec 2 -by container
	cp "$work/out" "$work/rows"
	# shellcheck disable=SC2086 # a list of process ids
	{ kill $pids; wait $pids; } 2>/dev/null
	[ "$(hits_of "docker d0123456789a")" -gt 0 ] && [ "$(grep -c 'd0123456789a\|cpuprobe-' "$work/rows")" = 1 ] ||
		cat "$work/rows"
	find "$groups" -depth -type d -exec rmdir {} +
}

# The code of a range with long slots is not saved: the options of a report are checked before the run ends.
unfit_options_end_no_run() {
	bash -c 'while :; do :; done' & local pid=$!
	disown
	"$probe" proc -background unfit-$$ -engine bpf "$pid" >"$work/out" 2>&1 || cat "$work/out"
	sleep 0.5
	"$probe" stop unfit-$$ -asm >"$work/out" 2>&1
	[ $? = 2 ] && grep -q '^probe: stop: -asm needs the code of the range' "$work/out" || cat "$work/out"
	"$probe" stop unfit-$$ -save /dev/null/none >"$work/out" 2>&1 && echo "saved in no directory"
	"$probe" stop unfit-$$ -html /dev/null/none >"$work/out" 2>&1 && echo "a page in no directory"
	"$probe" stop unfit-$$ -save "$work/unfit" >"$work/out" 2>&1 || cat "$work/out"
	kill "$pid"
	"$probe" verify "$work/unfit" >"$work/out" 2>&1 || cat "$work/out"
}

# Few have a sample in periods of a second. Without one, a file that was asked for is missing.
commands_without_samples_have_their_status() {
	local words
	for words in sys flat graph proc; do
		# shellcheck disable=SC2046 # words
		"$probe" "$words" -engine bpf -rate 1 $([ "$words" = proc ] && type -P sh) -- sh -c 'exit 7' \
			>"$work/out" 2>"$work/talk"
		echo "$words: $?" >>"$work/out"
		grep -qx "$words: 7" "$work/out" || cat "$work/out" "$work/talk"
	done
	"$probe" sys -engine bpf -rate 1 -save "$work/none" -- true 2>"$work/talk"
	[ $? = 125 ] || [ -s "$work/none" ] || cat "$work/talk"
}

test_bpf() {
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
	check "groups of a container" containers_are_rows
	check "addresses of a program" addresses_are_true -rate 5000
	check "seconds of the steps of a search" steps_have_their_own_time
	check "unfit options end no run" unfit_options_end_no_run
	check "status of commands without samples" commands_without_samples_have_their_status
	check "a program that ends before the first harvest" ended_programs_are_not_lost
	# shellcheck source=tests/native_stacks.sh
	. "$top/tests/native_stacks.sh"
	# shellcheck source=tests/native_events.sh
	. "$top/tests/native_events.sh"
	# shellcheck source=tests/native_agent.sh
	. "$top/tests/native_agent.sh"
}

if "$probe" doctor 2>&1 | grep -q '^ok *bpf:'; then
	test_bpf
else
	echo "skipped: $("$probe" doctor 2>&1 | sed -n 's/^[A-Za-z]* *bpf: //p')"
fi
# shellcheck source=tests/native_perf.sh
. "$top/tests/native_perf.sh"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
