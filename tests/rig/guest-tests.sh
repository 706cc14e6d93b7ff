#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest-tests.sh SERIES...: run tests/guest/*.sh in kernels, as many boots at a time as there
# are processors. Lines in a test's head:
#   # rig: paced          one CPU, an instruction takes 8 ns exactly; 1 ns on kernels that watch
#                         themselves, where an interrupt takes a hundred times as many
#   # rig: icount         one CPU, an instruction takes a nanosecond exactly (else free: 2 CPUs, and
#                         the clock of the host)
#   # rig: timed          free, and about time: for `make stress-tests`
#   # rig: alone          changes the kernel for good, or wants a boot of its own
#   # rig: boot=WORDS     with alone: more words on the kernel's command line
#   # rig: smp=N          with alone: so many CPUs
#   # rig: shift=N        with alone and icount: an instruction takes 2^N nanoseconds; 1 ns on kernels
#                         that watch themselves
#   # rig: full           takes long: for DEPTH=full only, and there for kernels in $long_guests
#   # rig: quick=SERIES   takes a while: with DEPTH=quick for this kernel only
#   # rig: only=SERIES    for these kernels only, separated by commas
#   # rig: not=SERIES     not for these
#   # rig: expect=REGEX  with alone: a defect on purpose; the kernel's log must hold this
#   # rig: timeout=SEC    its limit in the guest's time (90); several times that in a free boot
#   # rig: module X=Y     parameters of the module
# Tests of one kind share boots, each boot tests whose limits are BOOT_SECONDS together. The
# kernel's log of each boot is a test too. Boots with the most to do begin first.
# DEPTH=quick leaves the long ones out (default: full). TESTS="name ..." chooses.
# PASSED=FILE: what has passed is noted there, and what is there already is not run again.
# Prints a line per test, then "N passed, M failed".
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
jobs_begin

head_of() {	# head_of FILE KEY: the value in the test's head, "yes" for a bare word
	sed -n "s/^# rig: $2=//p; s/^# rig: $2\$/yes/p" "$1"
}

is_for() {	# is_for FILE SERIES: whether the test is to run there
	local name only quick
	name=$(basename "$1" .sh)
	only=$(head_of "$1" only)
	[ -z "$only" ] || [[ ",$only," = *",$2,"* ]] || return
	[[ ",$(head_of "$1" not)," != *",$2,"* ]] || return
	if [ -n "${TESTS:-}" ]; then
		[[ " $TESTS " = *" $name "* ]]
	elif [[ " $long_guests " != *" $2 "* ]] && [ -n "$(head_of "$1" full)" ]; then
		return 1
	elif [ "${DEPTH:-full}" = quick ]; then
		quick=$(head_of "$1" quick)
		[ -z "$(head_of "$1" full)" ] && [ "${quick:-$2}" = "$2" ]
	fi
}

kind_of() {	# kind_of FILE: free, paced, icount or alone
	local kind=free
	[ -z "$(head_of "$1" paced)" ] || kind=paced
	[ -z "$(head_of "$1" icount)" ] || kind=icount
	[ -z "$(head_of "$1" alone)" ] || kind=alone
	echo $kind
}

# Tests of a series that are to run: "KIND LIMIT NAME".
list_tests() {	# list_tests SERIES
	local file kind name
	for file in "$top"/tests/guest/*.sh; do
		is_for "$file" "$1" || continue
		kind=$(kind_of "$file") name=$(basename "$file" .sh)
		has_passed "$1 $kind $name" && continue
		echo "$kind $(head_of "$file" timeout | grep . || echo 90) $name"
	done
}

# Boots of a series: "SECONDS SERIES KIND NAME...".
list_boots() {	# list_boots SERIES
	list_tests "$1" | sort -s -k 1,1 | awk -v series="$1" -v most="${BOOT_SECONDS:-1200}" '
		function boot() { if (names != "") print seconds, series, kind names; names = ""; seconds = 0 }
		$1 != kind || $1 == "alone" || seconds + $2 > most { boot(); kind = $1 }
		{ names = names " " $3; seconds += $2 }
		END { boot() }'
}

# A test that has passed is remembered by the kernel's release and the words of its verdict.
release_of() { cat "$top/build/kernels/$1/release" 2>/dev/null; }
has_passed() { grep -qxF "$(release_of "${1%% *}") $1" "$passed"; }
note_passed() { echo "$(release_of "${1%% *}") $1" >>"$passed"; }

# Verdicts are counted when all is done.
verdict() {	# verdict STATUS NAME
	if [ "$1" = 0 ]; then echo "ok   $2"; else echo "FAIL $2"; fi
}

boot_options() {	# boot_options SERIES KIND NAME: one to a line
	local file=$top/tests/guest/$3.sh
	case $2 in
	free) printf '%s\n' --smp 2 ;;
	paced)
		printf '%s\n' --icount
		[[ $1 = debug || $1 = kcsan ]] || printf '%s\n' --shift 3 ;;
	icount) printf '%s\n' --icount ;;
	alone)
		printf '%s\n' --smp "$(head_of "$file" smp | grep . || echo 2)" --append "$(head_of "$file" boot)"
		[ -z "$(head_of "$file" icount)" ] || printf '%s\n' --icount
		[[ $1 = debug || $1 = kcsan ]] || [ -z "$(head_of "$file" shift)" ] ||
			printf '%s\n' --shift "$(head_of "$file" shift)" ;;
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
	# A kernel that ends before its first program does so without the module: the debug kernels may be
	# interrupted before they are ready for it.
	for _ in 1 2 3; do
		"$rig/boot.sh" "${options[@]}" --kernel "$series" --initrd "$own/initrd" \
			--run /test/guest-tests-run.sh --log "$log" --channel "$channel" \
			--timeout "${BOOT_TIMEOUT:-7200}" </dev/null
		! grep -aq 'rig: test ' "$log" || break
		echo "# $series: the kernel ended before its first program: booted again"
	done
	rm -rf "$own"
	tr -d '\r' <"$channel" >"$channel.text"
	# At 2^N ns an instruction, and on kernels that watch themselves, an interrupt that takes long is
	# nothing to be surprised at.
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
	[ "$is_clean" != 0 ] || note_passed "$series $kind $1.. kernel-log"
	keep_coverage "$base" <"$channel.text"
	rm -f "$channel.text"
}

# Figures that a test leaves for the documentation: lines "= TEXT" before its verdict.
keep_figures() {	# keep_figures SERIES NAME CHANNEL
	mkdir -p "$top/build/figures/$1"
	awk -v test="$2" '
		/^= / { figures = figures substr($0, 3) "\n" }
		/^(not )?ok / { if ($NF == test) printf "%s", figures; figures = "" }' "$3" >"$top/build/figures/$1/$2"
}

# Counts of lines that ran, where the kernel has them; see coverage.sh.
keep_coverage() {	# keep_coverage BASE
	rm -rf "$1.gcda"
	sed -n 's/^+ //p' >"$1.gcda.base64"
	if [ -s "$1.gcda.base64" ]; then
		mkdir -p "$1.gcda" && base64 -d "$1.gcda.base64" | tar -xz -C "$1.gcda"
	fi
	rm -f "$1.gcda.base64"
}

# A module with a defect on purpose: the kernel must say so, and the check of its log must mind.
boot_planted() {	# boot_planted SERIES NAME
	local log=$logs/$1-alone-$2.log wanted
	wanted=$(head_of "$top/tests/guest/$2.sh" expect)
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

# Everybody's lines, each boot's together.
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
			sed -n "s/^$(release_of "$series") $series /ok   $series /p" "$passed" | tee -a "$work/verdicts"
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
		if [ "$kind" = alone ] && [ -n "$(head_of "$top/tests/guest/$names.sh" expect)" ]; then
			job report boot_planted "$series" "$names"
		else
			job report boot_tests "$series" "$kind" $names
		fi
	done < <(cat "$work"/boots.* 2>/dev/null | sort -s -n -r -k 1,1)
	wait
	nr_passed=$(grep -ac '^ok   ' "$work/verdicts")
	nr_failed=$(grep -ac '^FAIL ' "$work/verdicts")
	echo "$nr_passed passed, $nr_failed failed"
	[ "$nr_failed" = 0 ] && [ "$nr_passed" != 0 ]
}

# One line, so that a run does not see it when this file is changed.
main "$@"; exit
