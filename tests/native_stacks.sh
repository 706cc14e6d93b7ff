# SPDX-License-Identifier: GPL-2.0-only
# native_stacks.sh: part of native.sh: stacks by BPF, of programs with known shares of calls.
# shellcheck shell=bash disable=SC2154 # variables of native.sh

# The same loop with two callers, one of which pays three times as much. Each turn waits for the one before, in a
# register, as in native.sh: its time does not depend on the caller. In turns the loop has no frame, and one instruction
# calls both callers: only the word that led into the loop tells them apart.
compile_callers() {
	cat >"$work/callers.c" <<-'END'
		#include <stdlib.h>
		volatile unsigned long sum;
		__attribute__((noinline LOOP)) void loop(int n)
		{
			unsigned long x = sum;
			for (int i = 0; i < n; i++)
				x = 3 * x + i;
			sum = x;
		}
		__attribute__((noinline)) void cheap(void) { loop(1000); sum++; }
		__attribute__((noinline)) void dear(void) { loop(3000); sum++; }
		static void (*volatile work[2])(void) = { cheap, dear };
		__attribute__((noinline)) void pair(long n) { PAIR; sum++; }
		int main(int argc, char **argv)
		{
			for (long n = argc > 1 ? atol(argv[1]) : 1000000; n--;)
				pair(n);
			return 0;
		}
	END
	local options=("${aligned[@]}" -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls "$work/callers.c")
	cc "${options[@]}" -DLOOP= "-DPAIR=cheap(); dear()" -o "$work/callers" &&
		cc "${options[@]}" '-DLOOP=, optimize("omit-frame-pointer")' \
			"-DPAIR=work[n & 1]()" -o "$work/turns"
}

# Folded stacks of callers: the part below dear, of both callers. In the kernel the loop has no known caller.
callers_are_true() {	# callers_are_true FILE
	awk '!/^(callers|turns);/ { next } /;pair;dear;loop / { dear += $NF }
		/;pair;cheap;loop / { cheap += $NF } /;pair;loop / { lost += $NF } END {
		if (dear + cheap < 1000) print "only " dear + cheap " samples of the callers"
		if (lost) print lost " samples without the caller"
		print "share", dear / (dear + cheap), dear + cheap }' "$1" >"$work/judged"
	grep -v '^share' "$work/judged"
	read -r _ share n <<<"$(grep '^share' "$work/judged")"
	within dear "$share" 0.75 "$n"
}

stacks_are_true() {	# stacks_are_true PROGRAM OPTION...
	local program=$1
	shift
	"$probe" flat -engine bpf -cpu "$cpu" "$@" -save "$work/run" -folded "$work/folded" -- \
		taskset -c "$cpu" "$work/$program" >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	grep -q '^User stacks (frame pointers only)' "$work/out" || cat "$work/out"
	callers_are_true "$work/folded"
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
				unsigned long x = sum;
				for (int i = 0; i < rounds; i++)
					x = 3 * x + i;
				sum = x;
			}
			sum++;
		}
		__attribute__((noinline)) void left(int depth) { both(depth, 10000); }
		__attribute__((noinline)) void right(int depth) { both(depth, 30000); }
		int main(void) { for (int n = 0; n < 400; n++) left(9); return 0; }
	END
	cc -O1 "${aligned[@]}" -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$work/tree" "$work/tree.c" || return 1
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
		callers_are_true "$work/folded"
	done
}

# A client that stops a run and ends before it has the counts: the next one gets them.
stopped_runs_keep_counts() {
	cat >"$work/quitter.c" <<-'END'
		#include <string.h>
		#include <sys/socket.h>
		#include <sys/un.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			struct sockaddr_un address = { .sun_family = AF_UNIX };
			int fd = socket(AF_UNIX, SOCK_STREAM, 0);
			strncpy(address.sun_path, argv[1], sizeof(address.sun_path) - 1);
			return connect(fd, (struct sockaddr *)&address, sizeof(address)) || write(fd, "stop\n", 5) != 5;
		}
	END
	mkdir -p "$work/unread"
	local socket=$work/unread/cpuprobe/kept-$$.sock
	[ "$(id -u)" != 0 ] || socket=/run/cpuprobe/kept-$$.sock
	cc -o "$work/quitter" "$work/quitter.c" || return 1
	(
		export XDG_RUNTIME_DIR=$work/unread
		"$probe" sys -background kept-$$ -engine bpf >"$work/out" 2>&1 || cat "$work/out"
		sleep 0.5
		"$work/quitter" "$socket" || echo "no run at $socket"
		"$probe" status kept-$$ >"$work/out" 2>&1
		grep -q ' ended ' "$work/out" || cat "$work/out"
		"$probe" stop kept-$$ -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
		"$probe" verify "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
		for _ in {1..100}; do
			[ -e "$socket" ] || break
			sleep 0.1
		done
		[ ! -e "$socket" ] || echo "the run has not ended"
	)
}

# A program of some milliseconds, gone at the harvest, has its functions by the kernel's events.
short_programs_have_names() {
	"$probe" flat -engine bpf -cpu "$cpu" -rate 5000 -folded "$work/folded" -- taskset -c "$cpu" sh -c \
		"i=0; while [ \$i -lt 200 ]; do $work/callers 3000; i=\$((i+1)); done" >"$work/out" 2>"$work/talk" ||
		{ cat "$work/talk"; return 1; }
	callers_are_true "$work/folded"
}

# A shell becomes a program that runs ten times as long. In the same turn, and without frames of user mode, only
# their names tell them apart.
programs_that_become_others() {
	cat >"$work/becomes.c" <<-'END'
		volatile unsigned long sum;
		int main(void)
		{
			unsigned long x = sum;
			for (long i = 0; i < 100000000; i++)
				x = 3 * x + i;
			sum = x;
			return 0;
		}
	END
	cc -O1 -o "$work/becomes" "$work/becomes.c" || return 1
	"$probe" flat -kernel -engine bpf -cpu "$cpu" -rate 4000 -by program -tsv -o name,samples -- taskset -c "$cpu" sh -c \
		"i=0; while [ \$i -lt 20 ]; do dash -c 'j=0; while [ \$j -lt 3000 ]; do j=\$((j+1)); done; exec $work/becomes'
			i=\$((i+1)); done" >"$work/out" 2>"$work/talk" || { cat "$work/talk"; return 1; }
	awk '$1 == "becomes" { new += $2 } $1 ~ /^(dash|sh)$/ { old += $2 } END {
		if (new < 1000 || new < 3 * old) print new " samples of the program, " old " of the shell" }' "$work/out"
}

tables_need_the_module() {
	"$probe" flat -engine bpf -unwind tables -sec 1 >"$work/out" 2>"$work/talk" && echo "status 0"
	grep -qx 'probe: measure with -engine bpf: -unwind tables: this needs the module' "$work/talk" ||
		cat "$work/talk"
}

check "a program with two callers" compile_callers
check "stacks of a program" stacks_are_true callers -rate 4000
check "stacks of its user code at 5 kHz" stacks_are_true callers -rate 5000 -user -task "$work/callers"
check "stacks that one word tells apart" stacks_are_true turns -rate 5000 -user -task "$work/turns"
check "more stacks than places for them" many_stacks_are_counted
check "stacks in the background" background_runs_are_true
check "counts of a run whose client has ended" stopped_runs_keep_counts
check "stacks of programs that are gone" short_programs_have_names
check "programs that become others" programs_that_become_others
check "unwinding by tables needs the module" tables_need_the_module
