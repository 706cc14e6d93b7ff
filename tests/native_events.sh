# SPDX-License-Identifier: GPL-2.0-only
# native_events.sh: part of native.sh: samples of events that the kernel counts itself, by BPF. A program
# touches a known number of pages; the kernel's own count of its page faults (getrusage) is the truth.
# shellcheck shell=bash disable=SC2154 # variables of native.sh

compile_faults() {
	cat >"$work/faults.c" <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/mman.h>
		#include <sys/resource.h>
		#include <unistd.h>
		__attribute__((noinline)) void touch(char *from, long nr)
		{
			for (; nr--; from += getpagesize())
				*(volatile char *)from = 1;
		}
		int main(int argc, char **argv)
		{
			long nr = atol(argv[1]);
			char *pages = mmap(NULL, nr * getpagesize(), PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			struct rusage use;

			madvise(pages, nr * getpagesize(), MADV_NOHUGEPAGE);
			touch(pages, nr);
			getrusage(RUSAGE_SELF, &use);
			fprintf(stderr, "faults %ld\n", use.ru_minflt + use.ru_majflt);
			return 0;
		}
	END
	cc -O1 -g -fno-omit-frame-pointer -o "$work/faults" "$work/faults.c"
}

# Reads the row of the program and the truth: $hits and $faults.
read_faults() {
	read -r _ faults <<<"$(grep '^faults [0-9]' "$work/talk")"
	hits=$(awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "faults" {
		print $at["user_hits"] + $at["kernel_hits"] }' "$work/out")
	[ -n "$faults" ] && [ -n "$hits" ] || cat "$work/out" "$work/talk"
}

# With a period of 1 each fault is a sample. Faults of the program before its exec go by the tool's name, and
# those after getrusage() count too.
each_fault_is_a_sample() {
	"$probe" sys -engine bpf -event page-faults -period 1 -rate 20000 -by comm -tsv -- \
		"$work/faults" 20000 >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	read_faults
	[ "$hits" -ge $((faults - 200)) ] && [ "$hits" -le $((faults + 200)) ] ||
		echo "$hits samples of $faults faults"
}

# The number of samples times the period is the number of faults, within six standard deviations.
samples_stand_for_faults() {
	"$probe" sys -engine bpf -event page-faults -period 53 -rate 20000 -by comm -tsv -- \
		"$work/faults" 100000 >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	read_faults
	awk -v n="$hits" -v faults="$faults" 'BEGIN { sigma = sqrt(n * 1.3)
		if ((n * 53 - faults) ^ 2 > (6 * 53 * sigma) ^ 2) print n " samples of " faults " faults" }'
}

# Stacks lead to the function that touches the pages; its events are about its faults.
functions_cause_faults() {
	"$probe" flat -engine bpf -event page-faults:u -rate 20000 -save "$work/run" -tsv -- "$work/faults" 100000 \
		>"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; if (at["seconds"]) print "a column of seconds" }
		$1 == "touch" { n = $at["samples"]; events = $at["events"] } END {
		sigma = events * sqrt(1.3 / (n ? n : 1))
		if (n < 500 || (events - 100000) ^ 2 > (6 * sigma + 1000) ^ 2) print n " samples, " events " events" }' \
		"$work/out"
	"$probe" verify "$work/run" >"$work/talk" 2>&1 || cat "$work/talk"
	"$probe" show "$work/run" 2>"$work/talk" | grep -q '^Counted page-faults:u with a period of 101$' || echo "no heading"
	"$probe" export "$work/run" -callgrind - | grep -q '^events: Samples Events$' || echo "no events in callgrind"
}

# The last seconds of a run in the background have no receipt; each report of them names the event.
last_seconds_name_their_event() {
	local report
	"$probe" start event_part -engine bpf -event page-faults -rate 20000 >"$work/talk" 2>&1 || { cat "$work/talk"; return 1; }
	"$work/faults" 20000 2>"$work/talk"
	sleep 1.2
	"$probe" dump event_part -last 60 -save "$work/part" >"$work/talk" 2>&1 || cat "$work/talk"
	"$probe" stop event_part >/dev/null 2>"$work/talk" || cat "$work/talk"
	for report in flat graph "graph -tree"; do
		# shellcheck disable=SC2086 # a command and its option
		"$probe" $report "$work/part" 2>"$work/talk" | grep -q '^Counted page-faults with a period of 101$' ||
			{ echo "no event in $report"; cat "$work/talk"; }
	done
}

# Each event is a sample or missed: with a period of 1 the account has one period for each event.
switches_are_counted() {
	"$probe" sys -engine bpf -event context-switches -period 1 -rate 20000 -sec 1 -json >"$work/out" 2>"$work/talk" ||
		{ cat "$work/talk"; return 1; }
	awk -F'[:,]' '/"counted":/ { for (i = 1; i < NF; i++) if ($i ~ /counted/) counted = $(i + 1) }
		/^  "expected":/ { expected = $2 } END {
		if (counted < 1 || counted != expected + 0) print counted " counted, " expected " expected" }' \
		"$work/out"
}

# The rate of two events, each with counters of its own, whose numbers the kernel tells too. Three margins are six
# standard deviations. Switches that are missed, such as those before the program begins, are no samples of any
# program: with a period of 1 the program's own are known by their samples.
rates_are_known() {
	cc -O1 -o "$work/paces" "$top/tests/workloads/paces.c"
	"$probe" sys -engine bpf -by comm -event page-faults,context-switches -period 53,1 -rate 20000 -tsv -- \
		sh -c "exec '$work/paces' 2000 20 >'$work/truth'" >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk -F'\t' 'FILENAME ~ /truth$/ { split($0, words, " "); truth[words[1]] = words[2]; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "paces" { found = 1; n = $at["hits2"]; taken = n / $at["events2"]
			rate = $at["rate2"] * taken; margin = $at["rate2_error"] * taken } END {
		wanted = 1000 * truth["switches"] / truth["faults"]
		if (!found || !(margin > 0) || (rate - wanted) ^ 2 > (3 * margin) ^ 2 || (n - truth["switches"]) ^ 2 > 10000)
			print rate " +-" margin ", in truth " wanted "; " n " switches of " truth["switches"] }' \
		"$work/truth" "$work/out"
}

# The table of a saved run is that of the run, and all sums of both events hold.
several_events_are_saved() {
	"$probe" sys -engine bpf -by comm -event page-faults,context-switches -period 53,1 -rate 20000 -save "$work/two" \
		-html "$work/two.html" -- "$work/paces" 2000 20 >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	grep -v '^faults\|^switches' "$work/out" >"$work/live"
	"$probe" show "$work/two" >"$work/out" 2>"$work/talk" || cat "$work/talk"
	cmp "$work/live" "$work/out"
	"$probe" verify "$work/two" >"$work/talk" 2>&1 || cat "$work/talk"
	grep -q '"name": "context-switches per 1000 page-faults"' "$work/two.html" || echo "no rates on the page"
	"$probe" diff -event context-switches "$work/two" "$work/two" 2>&1 | grep -q '^paces ' || echo "no switches compared"
	"$probe" diff "$work/two" "$work/two" 2>&1 |
		grep -q '^context-switches per 1000 page-faults: [0-9.]* in A, [0-9.]* in B. B / A: 1.$' || echo "no rates compared"
	"$probe" diff -event cs "$work/two" "$work/two" >"$work/talk" 2>&1
	grep -q "it has no event 'cs', but page-faults, context-switches\$" "$work/talk" || cat "$work/talk"
}

# Tables of -repeat have the events of their own time: each is in one of them. The program does not know the switches of
# its exit, which takes some time.
tables_repeat_events() {
	"$probe" sys -engine bpf -by comm -event page-faults,context-switches -period 53,1 -rate 20000 -repeat 0.4 -tsv \
		-o name,events,event_hits -- sh -c "exec '$work/paces' 20000 20 >'$work/truth'" >"$work/out" 2>"$work/talk" ||
		{ cat "$work/talk"; return 1; }
	awk -F'\t' 'FILENAME ~ /truth$/ { split($0, words, " "); truth[words[1]] = words[2]; next }
		$1 == "paces" { n++; faults += $2; switches += $4 } END {
		if (n < 1 || (faults / truth["faults"] - 1) ^ 2 > 0.01 ||
			(switches - truth["switches"]) ^ 2 > (100 + 0.02 * truth["switches"]) ^ 2)
			print faults " faults of " truth["faults"] "; " switches " switches of " truth["switches"] " in " n " tables" }' \
		"$work/truth" "$work/out"
}

# A pause counts nothing, of no event.
background_has_events() {
	"$probe" sys -background event_two -engine bpf -by comm -event page-faults,context-switches -period 53,1 -rate 20000 \
		>"$work/talk" 2>&1 || { cat "$work/talk"; return 1; }
	"$work/paces" 1000 20 >"$work/truth"
	"$probe" pause event_two || return 1
	"$work/paces" 1000 20 >/dev/null
	"$probe" resume event_two || return 1
	"$work/paces" 1000 20 >>"$work/truth"
	"$probe" status event_two | grep -c '^Event ' | grep -qx 2 || "$probe" status event_two
	"$probe" stop event_two -save "$work/both" >"$work/talk" 2>&1 || cat "$work/talk"
	"$probe" verify "$work/both" >"$work/talk" 2>&1 || cat "$work/talk"
	"$probe" show "$work/both" -tsv -o name,events,event_hits >"$work/out" 2>"$work/talk" || cat "$work/talk"
	awk -F'\t' 'FILENAME ~ /truth$/ { split($0, words, " "); truth[words[1]] += words[2]; next }
		$1 == "paces" { found = 1; if (($4 - truth["switches"]) ^ 2 > 40000 || ($2 / truth["faults"] - 1) ^ 2 > 0.025)
			print $2 " faults of " truth["faults"] ", " $4 " switches of " truth["switches"] }
		END { if (!found) print "no row of the program" }' "$work/truth" "$work/out"
	"$probe" merge "$work/two" "$work/both" -o "$work/merged" >"$work/talk" 2>&1
	grep -q 'runs of several events cannot be merged$' "$work/talk" || cat "$work/talk"
}

unlike_runs_are_refused() {
	"$probe" sys -engine bpf -sec 0.2 -save "$work/time" >"$work/talk" 2>&1 || cat "$work/talk"
	"$probe" sys -engine bpf -event cs -period 3 -sec 0.5 -save "$work/switches" >"$work/talk" 2>&1 || cat "$work/talk"
	if "$probe" diff "$work/time" "$work/switches" >"$work/talk" 2>&1; then echo "compared"; fi
	grep -q 'one sampled time, the other cs$' "$work/talk" || cat "$work/talk"
	if "$probe" merge "$work/time" "$work/switches" -o "$work/merged" >"$work/talk" 2>&1; then echo "merged"; fi
	grep -q 'they differ in -event' "$work/talk" || cat "$work/talk"
}

compile_faults
check "each page fault is a sample with a period of 1" each_fault_is_a_sample
check "samples of page faults stand for the faults" samples_stand_for_faults
check "functions have the events that they cause" functions_cause_faults
check "the last seconds name their event" last_seconds_name_their_event
check "the account counts the events" switches_are_counted
check "rates of two events are known" rates_are_known
check "runs of several events are saved" several_events_are_saved
check "tables repeat with the events of their time" tables_repeat_events
check "background runs have several events" background_has_events
check "runs of different events are not compared" unlike_runs_are_refused
