#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest-tests.sh SERIES...: run tests/guest/*.sh in kernels, as many kernels at a time as there
# are processors. Lines in a test's head:
#   # rig: icount         one CPU, an instruction takes a nanosecond exactly (else: 2 CPUs, free)
#   # rig: alone          changes the kernel for good, or wants a boot of its own
#   # rig: boot=WORDS     with alone: more words on the kernel's command line
#   # rig: smp=N          with alone: so many CPUs
#   # rig: shift=N        with alone and icount: an instruction takes 2^N nanoseconds
#   # rig: full           takes long: for DEPTH=full only
#   # rig: quick=SERIES   takes a while: with DEPTH=quick for this kernel only
#   # rig: only=SERIES    for these kernels only, separated by commas
#   # rig: not=SERIES     not for these
#   # rig: expect=REGEX  with alone: a defect on purpose; the kernel's log must hold this
#   # rig: timeout=SEC    its limit in the guest's time (90)
#   # rig: module X=Y     parameters of the module
# All other tests of one kind share a boot. The kernel's log of each boot is a test too.
# DEPTH=quick leaves the long ones out (default: full). TESTS="name ..." chooses.
# Prints a line per test, then "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/tests/rig
logs=$top/build/logs
mkdir -p "$logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
	elif [ "${DEPTH:-full}" = quick ]; then
		quick=$(head_of "$1" quick)
		[ -z "$(head_of "$1" full)" ] && [ "${quick:-$2}" = "$2" ]
	fi
}

list_tests() {	# list_tests SERIES icount|free|alone
	local file kind
	for file in "$top"/tests/guest/*.sh; do
		is_for "$file" "$1" || continue
		kind=free
		[ -z "$(head_of "$file" icount)" ] || kind=icount
		[ -z "$(head_of "$file" alone)" ] || kind=alone
		[ "$kind" != "$2" ] || basename "$file" .sh
	done
}

# Verdicts of one kernel; they are counted when it is done.
verdict() {	# verdict STATUS NAME
	if [ "$1" = 0 ]; then echo "ok   $2"; else echo "FAIL $2"; fi
}

boot_tests() {	# boot_tests SERIES icount|free|alone [NAME]
	local series=$1 kind=$2 base=$logs/$1-$2${3:+-$3} name options=(--smp 2) file exact=
	local log=$base.log channel=$base.tests list=$work/$series/list initrd=$work/$series/initrd
	if [ -n "${3:-}" ]; then echo "$3"; else list_tests "$series" "$kind"; fi >"$list"
	[ -s "$list" ] || return 0
	if [ "$kind" = alone ]; then
		file=$top/tests/guest/$3.sh
		options=(--smp "$(head_of "$file" smp | grep . || echo 2)" --append "$(head_of "$file" boot)")
		[ -z "$(head_of "$file" icount)" ] ||
			options+=(--icount --shift "$(head_of "$file" shift | grep . || echo 0)")
	fi
	[ "$kind" != icount ] || options=(--icount)
	rm -rf "$work/$series/extra" && mkdir -p "$work/$series/extra/test"
	cp "$list" "$work/$series/extra/test/list"
	cp "$initrd" "$initrd.$kind"
	(cd "$work/$series/extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$initrd.$kind"
	"$rig/boot.sh" "${options[@]}" --kernel "$series" --initrd "$initrd.$kind" \
		--run /test/guest-tests-run.sh --log "$log" --channel "$channel" \
		--timeout "${BOOT_TIMEOUT:-3000}" </dev/null
	tr -d '\r' <"$channel" >"$channel.text"
	while read -r name; do
		grep -q "^ok $name\$" "$channel.text"
		verdict $? "$series $kind $name"
	done <"$list"
	grep -av '^ok \|^[=+] \|^rig: \|^done$' "$channel.text"
	# At 2^N ns an instruction, and on kernels that watch themselves, an interrupt that takes long is
	# nothing to be surprised at.
	[[ " ${options[*]} " != *" --icount "* ]] || [[ $series = debug || $series = kcsan ]] || [[ " ${options[*]} " = *" --shift "[1-9]* ]] ||
		exact=--icount
	"$rig/logcheck.sh" "$log" $exact &&
		grep -q '^done$' "$channel.text"
	verdict $? "$series $kind ${3:+$3 }kernel-log"
	keep_coverage "$base" <"$channel.text"
	rm -f "$channel.text"
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
	boot_tests "$1" alone "$2" >/dev/null 2>&1
	tr -d '\r' <"$log" | grep -aE '^\[ *[0-9]+\.[0-9]+\]' | grep -qaE "$wanted" &&
		! "$rig/logcheck.sh" "$log" 2>/dev/null
	verdict $? "$1 alone $2"
}

series_tests() {	# series_tests SERIES
	local name
	mkdir -p "$work/$1"
	if ! "$rig/module.sh" "$1" || ! "$rig/initramfs.sh" "$1" "$work/$1/initrd"; then
		verdict 1 "$1 build"
		return
	fi
	verdict 0 "$1 build"
	boot_tests "$1" free
	boot_tests "$1" icount
	for name in $(list_tests "$1" alone); do
		if [ -n "$(head_of "$top/tests/guest/$name.sh" expect)" ]; then
			boot_planted "$1" "$name"
		else
			boot_tests "$1" alone "$name"
		fi
	done
}

for series; do
	"$rig/kernel.sh" "$series" || { verdict 1 "$series kernel" | tee -a "$work/verdicts"; continue; }
	while [ "$(jobs -r -p | wc -l)" -ge "$(nproc)" ]; do wait -n; done
	# Each kernel's lines come as they are made: the series stands in each.
	series_tests "$series" 2>&1 </dev/null | tee -a "$work/verdicts" &
done
wait
passed=$(grep -ac '^ok   ' "$work/verdicts")
failed=$(grep -ac '^FAIL ' "$work/verdicts")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
