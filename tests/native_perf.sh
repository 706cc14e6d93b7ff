# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # variables of native.sh
# native_perf.sh: `-engine perf` on this machine itself, a part of native.sh. It runs as a user without any right, if
# native.sh runs as root, and tests nothing, and says so, if this user may not open perf events. Bounds
# are six standard deviations of independent samples, or lower bounds on counts: a busy machine makes
# the tool miss periods, but not count time that nothing used.

# A user of this run alone, so that what is measured is all that he runs.
uid_of_run=$((100000 + $$))
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=$uid_of_run --regid=$uid_of_run --clear-groups --inh-caps=-all --bounding-set=-all "$@"
	else
		"$@"
	fi
}

own() {	# own COMMAND OPTION...: its output in $work/out, the receipt and errors in $work/talk
	as_user "$work/probe" "$1" -engine perf "${@:2}" >"$work/out" 2>"$work/talk" || {
		echo "status $?"
		cat "$work/talk"
		return 1
	}
}

number() {	# number KEY FILE: of JSON
	sed -n "s/.*\"$1\": \\([0-9.]*\\).*/\\1/p" "$2" | head -n 1
}

# Seconds that the receipt calls not covered: a busy machine lets the tool see new threads late.
late_seconds() {
	tr '\n' ' ' <"$work/talk" | sed -n 's/.*Not covered: \([0-9.]*\) \([a-z]*\) of CPU time.*/\1 \2/p' |
		awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }'
}

# The parts of the programs' time are those of their samples, except for the time that is not covered. The filler is left
# out if others leave it hardly any of the CPU: its exit, in the kernel, takes most of its time then.
own_shares_are_true() {	# own_shares_are_true CYCLE:BUSY...
	local name truth n all late
	own sys -by comm -tsv -- "$work/duty" "$cpu" 5 "$@" || return 1
	[ "$(grep -cE '^(duty[0-9]+|filler) [0-9.]+$' "$work/out")" = $(($# + 1)) ] || cat "$work/out"
	awk 'NF == 2 && (/^duty[0-9]+ / || (/^filler / && $2 > 0.5))' "$work/out" >"$work/truth"
	grep -E '^(name|duty[0-9]+|filler)	' "$work/out" >"$work/rows"
	n=$(awk '{ print $1 }' "$work/truth" | while read -r name; do hits_of "$name"; done |
		awk '{ n += $1 } END { print n + 0 }')
	all=$(awk '{ sum += $2 } END { print sum }' "$work/truth")
	late=$(late_seconds)
	[ -n "$late" ] || cat "$work/talk"
	while read -r name truth; do
		within "$name" "$(awk -v hits="$(hits_of "$name")" -v n="$n" 'BEGIN { print hits / (n ? n : 1) }')" \
			"$(awk "BEGIN { print $truth / $all }")" "$n" "$(awk "BEGIN { print ${late:-0} / $all }")"
	done <"$work/truth"
}

# Two functions with the same loop, one three times as long, in turn. A turn of the loop waits for the one before.
make_loops() {
	cat >"$work/turns.c" <<-'END'
		#include <stdlib.h>
		volatile unsigned long sum;
		__attribute__((noinline)) void once(long m) { unsigned long x = sum; for (long i = 0; i < m; i++) x = 3 * x + i; sum = x; }
		__attribute__((noinline)) void thrice(long m) { unsigned long x = sum; for (long i = 0; i < 3 * m; i++) x = 3 * x + i; sum = x; }
		int main(int argc, char **argv)
		{
			long m = atol(argv[1]), n = atol(argv[2]) / m;
			while (n--) { once(m); thrice(m); }
			return 0;
		}
	END
	cat >"$work/sleepers.c" <<-'END'
		#include <pthread.h>
		#include <stdlib.h>
		#include <unistd.h>
		static void *sleep_long(void *nothing) { sleep(60); return nothing; }
		int main(int argc, char **argv)
		{
			pthread_t thread;
			for (int n = atoi(argv[1]); n--;) pthread_create(&thread, NULL, sleep_long, NULL);
			sleep_long(NULL);
			return 0;
		}
	END
	cat >"$work/becomes.c" <<-'END'
		#include <pthread.h>
		#include <time.h>
		#include <unistd.h>
		static char **program;
		static void *become(void *nothing)
		{
			/* 0.3 s of CPU time, whatever else the machine does */
			while (clock() < CLOCKS_PER_SEC * 3 / 10) usleep(10000);
			execv(program[0], program);
			return nothing;
		}
		int main(int argc, char **argv)
		{
			pthread_t thread;
			program = argv + 1;
			pthread_create(&thread, NULL, become, NULL);
			for (volatile long i = 0;; i++) ;
		}
	END
	for name in turns sleepers becomes; do
		cc -O1 "${aligned[@]}" -g -pthread -o "$work/$name" "$work/$name.c" || return 1
	done
}

# own_addresses LENGTH OPTION...: the share of the shorter function, in loops, and the samples of both
own_addresses() {
	local once thrice
	own proc "${@:2}" -tsv "$work/turns" -- "$work/turns" "$1" "$nr_loops" || return 1
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n[$at["name"]] += $at["hits"] } END { print n["once"], n["thrice"] }' "$work/out" >"$work/hits"
	read -r once thrice <"$work/hits"
	awk "BEGIN { print $once / ($once + $thrice), $once + $thrice }"
}

own_addresses_are_true() {	# own_addresses_are_true LENGTH OPTION...
	local found nr_loops=2500000000
	found=$(own_addresses "$@") || { echo "$found"; return 1; }
	within once "${found% *}" 0.25 "${found#* }"
}

# A fixed period may be in step with one length of a cycle, which nobody knows in ns: the median of three counts.
own_fixed_period_is_true() {
	local found nr_loops=1000000000
	found=$(for length in 1777 1913 2221; do own_addresses "$length" -jitter none || exit 1; done) ||
		{ echo "$found"; return 1; }
	found=$(sort -n <<<"$found" | sed -n 2p)
	within once "${found% *}" 0.25 "${found#* }"
}

# Ten programs, one after the other: their time is sampled, or in the receipt as not covered.
new_processes_are_covered() {
	local user hits
	own sys -by comm -json -- bash -c "for i in 1 2 3 4 5 6 7 8 9 10; do $work/turns 1000 500000000; done; times" ||
		return 1
	user=$(sed -n '/^[0-9]*m[0-9.]*s/p' "$work/out" | awk -F '[ms ]' 'END { print ($1 * 60 + $2) * 1000 }')
	hits=$(number samples "$work/out")
	awk -v user="$user" -v hits="$hits" -v late="$(number late_ns "$work/out")" \
		-v missed="$(number missed "$work/out")" 'BEGIN { covered = hits + missed + late / 1e6
		if (user < 100 || covered < 0.9 * user)
			print user " ms used, " hits " samples, " missed " missed, " late " ns not covered" }'
}

# A program that starts during the run, when all descriptors are in use, gets one of a thread that sleeps.
threads_that_run_come_first() {
	local sleepers
	as_user "$work/sleepers" 200 &
	sleepers=$!
	sleep 0.3
	(sleep 1; as_user "$work/turns" 1000 8000000000) &
	(ulimit -n 100 && own sys -by comm -sec 4.5 -json)
	kill "$sleepers"
	wait
	grep -q '"name": "turns"' "$work/out" || cat "$work/out"
	[ "$(number threads "$work/out")" -lt 60 ] || echo "more threads than descriptors: $(cat "$work/out")"
	[ "$(number late_ns "$work/out")" -gt 0 ] || echo "nothing is not covered"
}

an_exec_by_a_thread_is_followed() {
	own sys -by exe -tsv -- timeout 60 "$work/becomes" "$work/turns" 1000 2000000000 || return 1
	cp "$work/out" "$work/rows"
	[ "$(hits_of becomes)" -gt 50 ] && [ "$(hits_of turns)" -gt 50 ] || cat "$work/out"
}

# A reset in the background: threads that are gone, and time before they had an event, are of the past.
a_reset_restarts_coverage() {
	local before after
	mkdir -m 777 "$work/runtime"
	export XDG_RUNTIME_DIR=$work/runtime
	own sys -background own -sec 60 || return 1
	as_user bash -c "echo \$\$; exec $work/turns 1000 100000000000" >"$work/busy" 2>/dev/null &
	as_user bash -c "sleep 2; for i in 1 2 3 4 5; do $work/turns 1000 100000000; done"
	{ as_user "$work/probe" dump own -json >"$work/before" && as_user "$work/probe" reset own && sleep 1 &&
		as_user "$work/probe" dump own -json >"$work/after"; } 2>"$work/talk" || cat "$work/talk"
	as_user "$work/probe" stop own >"$work/talk" 2>&1 || cat "$work/talk"
	unset XDG_RUNTIME_DIR
	kill "$(cat "$work/busy")"
	{ wait; } 2>/dev/null
	before=$(number late_ns "$work/before") after=$(number late_ns "$work/after")
	[ "$before" -gt 0 ] && [ "$after" -lt "$before" ] || echo "$before ns not covered before, $after after"
	before=$(number threads "$work/before") after=$(number threads "$work/after")
	[ $((before - after)) -ge 4 ] || echo "$before threads before, $after after"
}

refusals_are_said() {
	local options
	for options in late flat "sys -by cgroup" "sys -cpu 0" "sys -percpu" "sys -o name,cpus" "sys -jitter poisson" "sys -idle sleep"; do
		# shellcheck disable=SC2086 # words
		as_user "$work/probe" $options -engine perf -sec 1 >"$work/out" 2>&1 && echo "$options: not refused"
		grep -q 'this needs the module' "$work/out" && ! grep -q 'loading' "$work/out" || cat "$work/out"
	done
	for options in cgroup container; do
		as_user "$work/probe" sys -by "$options" -engine perf -sec 1 >"$work/out" 2>&1
		grep -q "perf: -by $options: this needs the module or -engine bpf$" "$work/out" || cat "$work/out"
	done
	mkdir -m 777 "$work/kept"
	as_user "$work/probe" sys -engine perf -sec 1 -save "$work/kept/run" -- "$work/turns" 1000 1000000000 \
		>"$work/out" 2>&1 || cat "$work/out"
	as_user "$work/probe" show -percpu "$work/kept/run" >"$work/out" 2>&1 && echo "show -percpu: not refused"
	grep -q 'show -percpu: the run was measured with -engine perf, which does not tell CPUs' "$work/out" ||
		cat "$work/out"
}

# Without a choice the module and BPF come first: one line says what is missing.
fallback_is_said() {
	as_user "$work/probe" sys -sec 2 -- "$work/turns" 1000 1000000000 >"$work/out" 2>"$work/talk" || cat "$work/talk"
	[ "$(grep -c '; without it: .*measuring your own processes with perf events, in user mode only$' \
		"$work/talk")" = 1 ] || cat "$work/talk"
	grep -q '(own processes, user mode only)$' "$work/out" || cat "$work/out"
}

chmod 755 "$work"
cp "$probe" "$work/probe"
if as_user "$work/probe" doctor 2>&1 | grep -q '^ok *perf:'; then
	make_loops || exit 1
	check "own: shares of programs in cycles" own_shares_are_true 10000:2000 7000:1000 100000:30000
	check "own: addresses of a program" own_addresses_are_true 1000
	check "own: addresses in step with the period" own_addresses_are_true 1100000
	check "own: addresses of a fixed period" own_fixed_period_is_true
	check "own: new processes" new_processes_are_covered
	check "own: more threads than descriptors" threads_that_run_come_first
	check "own: a thread that executes a program" an_exec_by_a_thread_is_followed
	check "own: a reset in the background" a_reset_restarts_coverage
	check "own: sessions that this engine cannot serve" refusals_are_said
	[ "$(id -u)" != 0 ] || check "own: the engine is chosen, and said" fallback_is_said
else
	echo "skipped: $(as_user "$work/probe" doctor 2>&1 | sed -n 's/^[A-Za-z]* *perf: //p')"
fi
