# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Sourced: the guest tests that have passed with a clean log of the kernel, in the file $passed. A line for each is
# HASH RELEASE SERIES KIND NAME: a hash of its sources (see guest-tests.sh), the kernel's release, and the words of its
# verdict. Lines of a test's head that only choose when it runs are not hashed; races.awk judges logs of kcsan alone.
# Other lines of the file are kept. The variables top and passed are the sourcing script's.

shared_sources=$("$top/tests/rows.sh" guests)
# The programs abi* that a test names.
programs_of() {	# programs_of NAME
	local program
	grep -o '\<abi[a-z_]*' "$top/tests/guest/$1.sh" | sort -u | while read -r program; do
		cat "$top/tests/workloads/$program.c" 2>/dev/null
	done
}
sources_of() {	# sources_of SERIES NAME
	{
		echo "$shared_sources"
		grep -v '^# rig: \(quick\|ci\)=' "$top/tests/guest/$2.sh"
		programs_of "$2"
		[ "$1" != kcsan ] || cat "$top/tests/rig/races.awk"
	} | sha256sum | cut -c 1-12
}

release_of() { cat "$top/build/kernels/$1/release" 2>/dev/null; }
note_of() {	# note_of "SERIES KIND NAME"
	echo "$(sources_of "${1%% *}" "${1##* }") $(release_of "${1%% *}") $1"
}

# Without any note, as in short runs, there is nothing to hash.
has_passed() { [ -s "$passed" ] && grep -qxF "$(note_of "$1")" "$passed"; }
note_passed() { note_of "$1" >>"$passed"; }

# The lines of a series, without those of tests that are gone.
notes_of() {	# notes_of SERIES
	local note
	grep "^[^ ]* [^ ]* $1 " "$passed" | sort -u | while read -r note; do
		[ ! -e "$top/tests/guest/${note##* }.sh" ] || echo "$note"
	done
}

show_passed() {	# show_passed SERIES
	local note
	notes_of "$1" | while read -r note; do
		[ "$note" != "$(note_of "${note#* * }")" ] || echo "ok   ${note#* * }"
	done
}

# Keep the last note of each test on each kernel, in order.
tidy_passed() {
	[ -f "$passed" ] || return 0
	{
		grep '^#' "$passed"
		grep -v '^#' "$passed" | tac | awk '!seen[$3, $5]++' | LC_ALL=C sort -k 3,3 -k 5,5
	} >"$passed.new" && mv "$passed.new" "$passed"
}

# How many tests of a series have passed with these sources, and how many with others.
count_passed() {	# count_passed SERIES
	local hash name now=0 before=0
	while read -r hash _ _ _ name; do
		if [ "$hash" = "$(sources_of "$1" "$name")" ]; then now=$((now + 1)); else before=$((before + 1)); fi
	done < <(notes_of "$1")
	echo "$now with these sources, $before with others"
}
