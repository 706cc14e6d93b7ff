#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh quick|ci|full [PART...]: run all tests, or these parts:
#   unit      the unit tests in build/unit
#   layout    the directories of the tool: no include leads up, no circles; their picture
#   lint      the rules of tests/lint about the sources
#   man       the manual pages and -help
#   native    measuring this machine itself without the module, where BPF is allowed
#   manners   widths, names, pipes, terminals and locales
#   install   make install and uninstall (ci, full)
#   release   the version, equal wherever it appears; rows and slips that fit the sources
#   completions  in bash, zsh and fish (ci, full)
#   sign      signing the module (ci, full)
#   exports   what `probe export` writes, read by speedscope, pprof and callgrind_annotate
#   push      what `probe push` delivers to a stub that misbehaves; killed 10 times (quick), 200 times (full)
#   fleet     metrics in Prometheus, VictoriaMetrics and node_exporter, by the queries of the dashboard (full)
#   browser   the page of `probe export -html` in a browser
#   unwind    stacks of real programs by the tool's tables and by libdw: 1,500 stops (quick), 10,000 (full)
#   fuzz      hostile files: a minute (quick), half an hour of two processors (full)
#   guests    the guest tests, in the kernels GUESTS="6.1 ..." or in the defaults of the depth; ci has more than quick
#   coverage  the lines of the module executed by the guest tests (full)
#   newer     some guest tests on the newest kernel available (full)
#   dkms      the module built and signed by DKMS (full)
#   configs   the module compiled for kernels without its optional features (full)
#   packages  Debian packages, in clean Debian guests of both processors (full)
#   rpm       RPM packages (full)
# As many jobs run at a time as there are processors; the output of parts is printed in their order,
# then the time that each took. A full run writes its results into docs/testing.md, a row for each
# part that was run, and remembers which parts of these sources have passed in build/full, and which guest
# tests in docs/passed.txt: the next run continues from there. The last line is "N passed, M failed"; the exit
# status is 1 when M is not 0.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
depth=$1
shift
results=$top/build/results
mkdir -p "$results"
export DEPTH=$depth
# shellcheck source=tests/rig/jobs.sh
. "$top/tests/rig/jobs.sh"
# shellcheck source=tests/rig/matrix.sh
. "$top/tests/rig/matrix.sh"
if [ "$depth" = full ]; then
	guests=${GUESTS:-$full_guests}
	parts=${*:-$full_parts}
	full=$top/build/full/$("$top/tests/rows.sh" tree)
	mkdir -p "$full"
	export PASSED=$top/docs/passed.txt BOOT_TIMEOUT=21600 FUZZ_SECONDS=${FUZZ_SECONDS:-1800}
else
	guests=$short_guests depth_parts=$short_parts
	[ "$depth" = quick ] || guests=$ci_guests depth_parts="$short_parts $ci_parts"
	[ -n "${GUESTS:-}" ] || ! "$top/tests/rig/arm64-packages.sh" list '^libc6$' >/dev/null 2>&1 ||
		guests="$guests 6.12-arm64"
	guests=${GUESTS:-$guests}
	parts=${*:-$depth_parts}
fi
jobs_begin

# Each part ends with "N passed, M failed".
unit_program() {	# unit_program PROGRAM: its output and its status, in files
	# The limit is in processor time, so that a busy machine does not fail the tests.
	(ulimit -t 300 && timeout 3600 "$1") >"$results/unit.d/${1##*/}" 2>&1
	echo $? >"$results/unit.d/${1##*/}.status"
}

part_unit() {
	local program name output status count broken passed=0 failed=0
	mkdir -p "$results/unit.d"
	for program in "$top"/build/unit/test_*; do
		case $program in *.d) ;; *) job unit_program "$program" ;; esac
	done
	wait
	for program in "$top"/build/unit/test_*; do
		case $program in *.d) continue ;; esac
		name=$(basename "$program")
		output=$(cat "$results/unit.d/$name")
		status=$(cat "$results/unit.d/$name.status")
		count=$(grep -c '^\[       OK \]' <<<"$output")
		# Each is there twice, when it fails and in the list at the end.
		broken=$(grep '^\[  FAILED  \] [a-z]' <<<"$output" | sort -u | wc -l)
		# A program killed by a sanitizer or a signal has failed, whatever its counts so
		# far.
		if [ "$status" != 0 ] && [ "$broken" = 0 ]; then broken=1; fi
		if [ $((count + broken)) = 0 ]; then broken=1; fi
		if [ "$broken" = 0 ]; then
			echo "ok   $name ($count tests)"
		else
			echo "FAIL $name"
			echo "$output"
		fi
		passed=$((passed + count))
		failed=$((failed + broken))
	done
	echo "$passed passed, $failed failed"
}

# A script that succeeds or fails as a whole.
single() {	# single NAME COMMAND...
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		printf 'ok   %s\n%s\n1 passed, 0 failed\n' "$name" "$output"
	else
		printf 'FAIL %s\n%s\n0 passed, 1 failed\n' "$name" "$output"
	fi
}

# A script in this directory that succeeds or fails as a whole, on the first kernel's headers.
part_script() {	# part_script NAME
	local first=${guests%% *}
	"$top/tests/rig/kernel.sh" "$first" && single "$1" "$top/tests/$1.sh" "$first"
}

# Scripts that build the module in its source directory: one at a time.
part_in_tree() {	# part_in_tree NAME
	exec {lock}>"$top/build/.tree"
	flock "$lock"
	part_script "$1"
}

part_layout() { single layout "$top/tests/layout.sh"; }
part_lint() {
	local kdir=
	# sparse sees the module when it is built for guests. A row of the full run says what lint itself has seen.
	if [[ $depth = full || " $parts " != *" guests "* ]]; then
		kdir=$(cat "$top/build/kernels/${guests%% *}/kdir")
	fi
	KDIR=$kdir "$top/tests/lint.sh"
}
part_man() { "$top/tests/man.sh"; }
part_native() { "$top/tests/native.sh"; }
part_manners() { "$top/tests/manners.sh"; }
part_install() { part_in_tree install; }
part_sign() { part_in_tree sign; }
part_dkms() { part_script dkms; }
part_configs() { single configs "$top/tests/configs.sh"; }
part_release() {
	# The rows of the last full run have the right form, though they may be for older sources.
	single release sh -c '"$0/tests/release.sh" && "$0/tests/rows.sh" check && "$0/tests/mutants.sh" -check' "$top"
}
part_completions() { make -s -C "$top" completions && single completions "$top/tests/completions.sh"; }
part_packages() {
	# On the newer of the stock kernels, of both processors.
	"$top/tests/rig/kernel.sh" 6.12 && "$top/tests/rig/kernel.sh" 6.12-arm64 &&
		single packages sh -c '"$0" 6.12 && "$0" 6.12-arm64' "$top/tests/packages.sh"
}
part_rpm() { single rpm "$top/tests/rpm.sh"; }
part_exports() { single exports "$top/tests/exports.sh"; }
part_push() { "$top/tests/push.sh" "$([ "$depth" = full ] && echo 200 || echo 10)"; }
part_fleet() { single fleet "$top/tests/fleet.sh"; }
part_browser() { "$top/tests/browser.sh"; }
part_unwind() { "$top/tests/unwind.sh" "$([ "$depth" = full ] && echo 2000 || echo 300)"; }
part_fuzz() { "$top/tests/fuzz/run.sh" "${FUZZ_SECONDS:-60}"; }
part_coverage() { single coverage "$top/tests/rig/coverage.sh"; }
part_newer() { make -s --no-print-directory -C "$top" check-newer; }
# shellcheck disable=SC2086 # a list of kernels
part_guests() { "$top/tests/rig/guest-tests.sh" $guests; }

# A row is written at the end of each part, even if the part has passed before.
count_guests() {	# count_guests PATTERN: "N passed, M failed" of verdicts that begin with PATTERN
	echo "$(grep -ac "^ok   $1" "$results/guests") passed, $(grep -ac "^FAIL $1" "$results/guests") failed"
}

row_date=$(date +%F)
write_row() { "$top/tests/rows.sh" write "$1" "$2" "$row_date" "$3"; }

write_rows() {	# write_rows PART COUNTS
	local series
	case $1 in
	guests)
		[ -z "${TESTS:-}" ] || return
		for series in $guests; do
			write_row "kernel $series" "$(cat "$top/build/kernels/$series/release")" \
				"$(count_guests "$series ")"
		done ;;
	fuzz) write_row fuzz "$(clang --version | sed -n 's/.*\(clang version [0-9.]*\).*/\1/p'), $FUZZ_SECONDS s" "$2" ;;
	newer) write_row newer "$(cat "$top/build/kernels/newer/release")" "$2" ;;
	coverage) write_row coverage "$(sed -n 's/^all *\(.*\)/\1/p' "$results/coverage")" "$2" ;;
	*) write_row "$1" "gcc $(gcc -dumpfullversion)" "$2" ;;
	esac
}

counts_of() {	# counts_of PART: its last line, or one failure if there is no such line
	local counts
	counts=$(tail -n 1 "$results/$1")
	[[ $counts =~ ^[0-9]+\ passed,\ [0-9]+\ failed$ ]] || counts="0 passed, 1 failed"
	echo "$counts"
}

# Run one part: its output goes to results/PART, its time to PART.time; PART.ended marks the end.
run_part() {	# run_part PART
	local TIMEFORMAT='%0R %0U %0S' counts
	if [ "$depth" = full ] && [ -e "$full/$1" ]; then
		row_date=$(date -r "$full/$1" +%F)
		{ echo "# $1 has passed before, on $row_date:"; cat "$full/$1"; } >"$results/$1"
	else
		{ time "part_$1" >"$results/$1" 2>&1 </dev/null; } 2>"$results/$1.time"
	fi
	counts=$(counts_of "$1")
	if [ "$depth" = full ]; then
		( flock 8; write_rows "$1" "$counts" ) 8>"$results/.rows"
		# Guests remember each test individually.
		[[ $1 = guests || $1 = newer || $counts != *" 0 failed" || -e $full/$1 ]] || cp "$results/$1" "$full/$1"
	fi
	: >"$results/$1.ended"
}

# Parts that start jobs of their own are not jobs; coverage needs the results of the guests.
start_parts() {
	local part
	case " $parts " in *" guests "*) run_part guests & ;; esac
	for part in $parts; do
		case $part in
		guests) ;;
		unit | fuzz | newer) run_part "$part" & ;;
		coverage)
			wait
			run_part coverage ;;
		*) job run_part "$part" ;;
		esac
	done
	wait
}

show_part() {	# show_part PART: print its output while it runs, except its counts
	local shown=0 nr is_running
	while :; do
		[ -e "$results/$1.ended" ]
		is_running=$?
		nr=$(wc -l <"$results/$1")
		[ "$nr" = "$shown" ] || sed -n "$((shown + 1)),${nr}p" "$results/$1" |
			grep -a -v '^[0-9]* passed, [0-9]* failed$'
		shown=$nr
		[ $is_running != 0 ] || break
		sleep 1
	done
}

main() {
	local series part counts passed=0 failed=0
	# Kernels and packages are fetched one after the other: apt locks its directories.
	for series in $guests; do "$top/tests/rig/kernel.sh" "$series"; done 2>&1 | sed 's/^/# /'
	for part in $parts; do
		rm -f "$results/$part".{time,ended}
		: >"$results/$part"
	done
	start_parts &
	for part in $parts; do
		show_part "$part"
		counts=$(counts_of "$part")
		passed=$((passed + ${counts%% *}))
		counts=${counts#*, }
		failed=$((failed + ${counts%% *}))
		[ "${counts%% *}" = 0 ] || echo "FAIL $part"
	done
	wait
	if [ "$depth" = full ] && [ "$parts" = "$full_parts" ] && [ "$guests" = "$full_guests" ]; then
		if "$top/tests/rows.sh" fresh; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
	fi
	echo
	for part in $parts; do
		[ ! -e "$results/$part.time" ] || awk -v part="$part" \
			'{ printf "%-12s %6d s, %6d s of a processor\n", part, $1, $2 + $3 }' "$results/$part.time"
	done
	echo "all          $(printf %6d $SECONDS) s"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}

# Both commands on one line, so that bash reads no more of a file that changes during the run.
main; exit
