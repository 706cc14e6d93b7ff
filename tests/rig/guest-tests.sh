#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest-tests.sh SERIES...: run tests/guest/*.sh in these kernels, one boot at a time per processor.
# Lines in a test's head:
#   # rig: paced          one CPU, an instruction takes exactly 8 ns; 1 ns on debug kernels, where an
#                         interrupt takes a hundred times as many instructions
#   # rig: icount         one CPU, an instruction takes exactly 1 ns (else free: 2 CPUs and the clock
#                         of the host)
#   # rig: timed          free, and sensitive to time: for `make stress-tests`
#   # rig: alone          changes the kernel for good, or needs a boot of its own
#   # rig: boot=WORDS     with alone: more words on the kernel's command line
#   # rig: smp=N          with alone: N CPUs (2, with icount 1). 6.1 does not boot with several and icount
#   # rig: shift=N        with alone and icount: an instruction takes 2^N ns; 1 ns on debug kernels
#   # rig: cpu=NAME       with alone, on arm64: this processor, as QEMU names it, instead of one that has everything
#   # rig: machine=WORDS  with alone: properties of the emulated board, as QEMU names them
#   # rig: full           slow: with DEPTH=full only, and only on kernels in $long_guests
#   # rig: quick=SERIES   with DEPTH=quick or ci on these kernels only
#   # rig: ci=SERIES      rather slow: with DEPTH=ci on these kernels only; with DEPTH=quick on those of a line
#                         quick=, on none without it
#   # rig: only=SERIES    on these kernels only, separated by commas
#   # rig: not=SERIES     not on these kernels
#   # rig: arch=x86       on this processor only (or arm64); a comment says why. The series of arm64 (6.12-arm64) is that of its
#                         name's beginning in the other lines
#   # rig: arm64=quick    with DEPTH=quick or ci on arm64 too, where no other tests run then: it does without the tool and
#                         modules of tests, which make check does not build for arm64
#   # rig: expect=REGEX   with alone: a planted defect; the kernel's log must match
#   # rig: timeout=SEC    limit in the guest's time (90); several times that in a free boot
#   # rig: module X=Y     parameters of the module
# Debug kernels are debug and kcsan. Tests of one kind share boots; the limits of a boot's tests sum up
# to at most BOOT_SECONDS. The kernel's log of each boot is a test too. The longest boots begin first.
# DEPTH=quick leaves the slow tests out, DEPTH=ci fewer of them (default: full). TESTS="name ..." chooses tests.
# PASSED=FILE: tests that pass are noted in FILE; tests noted there for the same sources are not run
# again. The sources of a test are its own file, the programs abi* that it names, and what `tests/rows.sh guests` hashes:
# all files but the documents that no guest test uses, the other guest tests and such programs, the unit tests, their
# mutants and fuzzers, the other tests of the tool (tests/*.sh and their directories), the rules about sources, the
# bench's and the rig's scripts that no guest test uses, and packaging.
# Prints a line for each test, then "N passed, M failed". Processor seconds of this machine that each test has taken are
# in build/results/guests.costs, the most expensive first; a boot's own time is part of its first test.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/tests/rig
logs=$top/build/logs
passed=${PASSED:-/dev/null}
mkdir -p "$logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/rig/jobs.sh
. "$rig/jobs.sh"
# shellcheck source=tests/rig/matrix.sh
. "$rig/matrix.sh"
# shellcheck source=tests/rig/passed.sh
. "$rig/passed.sh"
jobs_begin

# The lines "# rig:" of all tests: head["NAME KEY"] is the value, "yes" for a bare word.
declare -A head
while IFS=$'\t' read -r key value; do head[$key]=$value; done < <(awk '
	FNR == 1 { name = FILENAME; sub(".*/", "", name); sub("[.]sh$", "", name) }
	/^# rig: [a-z0-9]+(=|$)/ {
		line = substr($0, 8)
		at = index(line, "=")
		print name " " (at ? substr(line, 1, at - 1) "\t" substr(line, at + 1) : line "\tyes")
	}' "$top"/tests/guest/*.sh)

is_for() {	# is_for NAME SERIES: succeed if the test is to run on this kernel
	local chosen arch=x86 series=${2%-arm64}
	local only=${head[$1 only]:-} ci=${head[$1 ci]:-}
	[ "$series" = "$2" ] || arch=arm64
	[ "${head[$1 arch]:-$arch}" = $arch ] || return
	[ -z "$only" ] || [[ ",$only," = *",$series,"* ]] || return
	[[ ",${head[$1 not]:-}," != *",$series,"* ]] || return
	if [ -n "${TESTS:-}" ]; then
		[[ " $TESTS " = *" $1 "* ]]
	elif [[ " $long_guests " != *" $series "* ]] && [ -n "${head[$1 full]:-}" ]; then
		return 1
	elif [ "${DEPTH:-full}" != full ]; then
		[ -z "${head[$1 full]:-}" ] || return
		[ $arch = x86 ] || { [ "${head[$1 arm64]:-}" = quick ]; return; }
		chosen=${head[$1 quick]:-}
		[ "$DEPTH" = quick ] && [ -n "$ci" ] && chosen=${chosen:-none}
		[ "$DEPTH" = quick ] || chosen=${ci:-$chosen}
		[[ ",${chosen:-$series}," = *",$series,"* ]]
	fi
}

# Prints the tests to run on a series, as "KIND LIMIT NAME".
list_tests() {	# list_tests SERIES
	local file kind key name
	for file in "$top"/tests/guest/*.sh; do
		name=${file##*/} name=${name%.sh} kind=free
		is_for "$name" "$1" || continue
		for key in paced icount alone; do [ -z "${head[$name $key]:-}" ] || kind=$key; done
		has_passed "$1 $kind $name" && continue
		echo "$kind ${head[$name timeout]:-90} $name"
	done
}

# Prints the boots of a series, as "SECONDS SERIES KIND NAME...".
list_boots() {	# list_boots SERIES
	list_tests "$1" | sort -s -k 1,1 | awk -v series="$1" -v most="${BOOT_SECONDS:-1200}" '
		function boot() { if (names != "") print seconds, series, kind names; names = ""; seconds = 0 }
		$1 != kind || $1 == "alone" || seconds + $2 > most { boot(); kind = $1 }
		{ names = names " " $3; seconds += $2 }
		END { boot() }'
}

# main() counts the verdicts at the end.
verdict() {	# verdict STATUS NAME
	if [ "$1" = 0 ]; then echo "ok   $2"; else echo "FAIL $2"; fi
}

boot_options() {	# boot_options SERIES KIND NAME: print boot.sh's options, one on a line
	local key
	case $2 in
	free) printf '%s\n' --smp 2 ;;
	paced)
		printf '%s\n' --icount
		[[ $1 = debug || $1 = kcsan ]] || printf '%s\n' --shift 3 ;;
	icount) printf '%s\n' --icount ;;
	alone)
		printf '%s\n' --append "${head[$3 boot]:-}"
		for key in smp cpu machine shift; do
			[[ $key = shift && ($1 = debug || $1 = kcsan) ]] || [ -z "${head[$3 $key]:-}" ] ||
				printf '%s\n' "--$key" "${head[$3 $key]}"
		done
		[ -z "${head[$3 icount]:-}" ] || printf '%s\n' --icount ;;
	esac
}

boot_tests() {	# boot_tests SERIES KIND NAME...
	local series=$1 kind=$2 base=$logs/$1-$2-$3 name options exact='' is_clean
	local log=$base.log channel=$base.tests own
	shift 2
	own=$(mktemp -d "$work/boot.XXXXXX")
	mapfile -t options < <(boot_options "$series" "$kind" "$1")
	mkdir -p "$own/extra/test"
	printf '%s\n' "$@" >"$own/extra/test/list"
	cp "$work/$series/initrd" "$own/initrd"
	(cd "$own/extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$own/initrd"
	# A kernel that ends before its first program has not loaded the module: an interrupt may come
	# before the debug kernels are ready for it.
	for _ in 1 2 3; do
		"$rig/boot.sh" "${options[@]}" --kernel "$series" --initrd "$own/initrd" \
			--run /test/guest-tests-run.sh --log "$log" --channel "$channel" \
			--timeout "${BOOT_TIMEOUT:-7200}" </dev/null
		! grep -aq 'rig: test ' "$log" || break
		echo "# $series: the kernel ended before its first program: booted again"
	done
	rm -rf "$own"
	keep_costs "$series" "$kind" "$log"
	tr -d '\r' <"$channel" >"$channel.text"
	# At 2^N ns per instruction, and on debug kernels, interrupts may take long.
	[[ " ${options[*]} " != *" --icount "* ]] || [[ $series = debug || $series = kcsan ]] || [[ " ${options[*]} " = *" --shift "[1-9]* ]] ||
		exact=--icount
	"$rig/logcheck.sh" "$log" "$exact" && grep -q '^done$' "$channel.text"
	is_clean=$?
	for name; do
		keep_figures "$series" "$name" "$channel.text"
		if grep -q "^ok $name\$" "$channel.text"; then
			verdict 0 "$series $kind $name"
			[ "$is_clean" != 0 ] || note_passed "$series $kind $name"
		else
			verdict 1 "$series $kind $name"
		fi
	done
	grep -av '^ok \|^[=+] \|^rig: \|^done$' "$channel.text"
	verdict "$is_clean" "$series $kind $1.. kernel-log"
	keep_coverage "$base" <"$channel.text"
	rm -f "$channel.text"
}

# Keeps a test's figures for the documentation: lines "= TEXT" before its verdict.
keep_figures() {	# keep_figures SERIES NAME CHANNEL
	mkdir -p "$top/build/figures/$1"
	awk -v test="$2" '
		/^= / { figures = figures substr($0, 3) "\n" }
		/^(not )?ok / { if ($NF == test) printf "%s", figures; figures = "" }' "$3" >"$top/build/figures/$1/$2"
}

# Notes what each test of a boot has cost, from the times at which they ended.
keep_costs() {	# keep_costs SERIES KIND LOG
	[ ! -e "$3.costs" ] || awk -v boot="$1 $2" '{ printf "%6.1f %s %s\n", $2 - before, boot, $1; before = $2 }' \
		"$3.costs" >>"$work/costs"
}

# Keeps the line counts of the module, if the kernel has them; see coverage.sh.
keep_coverage() {	# keep_coverage BASE
	rm -rf "$1.gcda"
	sed -n 's/^+ //p' >"$1.gcda.base64"
	if [ -s "$1.gcda.base64" ]; then
		mkdir -p "$1.gcda" && base64 -d "$1.gcda.base64" | tar -xz -C "$1.gcda"
	fi
	rm -f "$1.gcda.base64"
}

# Boots a test with a planted defect: the kernel must report it, and logcheck.sh must fail.
boot_planted() {	# boot_planted SERIES NAME
	local log=$logs/$1-alone-$2.log wanted
	wanted=${head[$2 expect]:-}
	passed=/dev/null boot_tests "$1" alone "$2" >/dev/null 2>&1
	if tr -d '\r' <"$log" | grep -aE '^\[ *[0-9]+\.[0-9]+\]' | grep -qaE "$wanted" &&
		! "$rig/logcheck.sh" "$log" 2>/dev/null; then
		note_passed "$1 alone $2"
		verdict 0 "$1 alone $2"
	else
		verdict 1 "$1 alone $2"
	fi
}

build() {	# build SERIES: the module and the guest's files
	mkdir -p "$work/$1"
	"$rig/module.sh" "$1" && "$rig/initramfs.sh" "$1" "$work/$1/initrd"
	verdict $? "$1 build"
}

# Prints the lines of a command together, when it has ended.
report() {	# report COMMAND...
	local lines
	lines=$("$@" 2>&1 </dev/null)
	echo "$lines" >>"$work/verdicts"
	[ -z "$lines" ] || echo "$lines"
}

main() {
	local series kind names nr_passed nr_failed
	for series; do
		if "$rig/kernel.sh" "$series"; then
			show_passed "$series" | tee -a "$work/verdicts"
			list_boots "$series" >"$work/boots.$series"
			[ ! -s "$work/boots.$series" ] || job report build "$series"
		else
			verdict 1 "$series kernel" | tee -a "$work/verdicts"
		fi
	done
	wait
	while read -r _ series kind names; do
		[ -e "$work/$series/initrd" ] || continue
		# shellcheck disable=SC2086 # names of tests
		if [ "$kind" = alone ] && [ -n "${head[$names expect]:-}" ]; then
			job report boot_planted "$series" "$names"
		else
			job report boot_tests "$series" "$kind" $names
		fi
	done < <(cat "$work"/boots.* 2>/dev/null | sort -s -n -r -k 1,1)
	wait
	tidy_passed
	mkdir -p "$top/build/results"
	[ ! -e "$work/costs" ] || sort -rn "$work/costs" >"$top/build/results/guests.costs"
	nr_passed=$(grep -ac '^ok   ' "$work/verdicts")
	nr_failed=$(grep -ac '^FAIL ' "$work/verdicts")
	echo "$nr_passed passed, $nr_failed failed"
	[ "$nr_failed" = 0 ] && [ "$nr_passed" != 0 ]
}

# On one line, so that bash does not read on here in a file that has changed during the run.
main "$@"; exit
