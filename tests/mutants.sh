#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mutants.sh [LIST...]: do the unit tests notice slips? Each slip in tests/mutants/LIST.txt is put
# into a copy of the sources by itself; the slip is noticed when an assertion of a unit test fails.
# Called by `make mutants`, which builds the unit tests without slips first.
# mutants.sh -check [LIST...]: check that each list fits the sources. Builds and writes nothing.
#
# A list consists of blocks, separated by empty lines:
#   @ FILE         the file of the slips below
#   - BEFORE       text that is in the file exactly once, over as many lines as necessary
#   + AFTER        the text that replaces it, over any number of lines
#   = REASON       why no test can notice the slip; only for slips that none notices
# BEFORE begins after the "- " and ends with the last character of its last line: it may be a part
# of a line. Lines that begin with # are comments.
#
# The verdicts are saved in build/mutants/verdicts, by the sources that they depend on: an
# interrupted run continues where it stopped. JOBS slips are tried at a time. FIRST=N runs only the
# N likeliest unit tests on each slip: faster, but the others may notice slips that these miss.
set -u
shopt -s inherit_errexit
top=$(cd "$(dirname "$0")/.." && pwd)
checked=$top/build/check
programs=$top/build/unit
made=$top/build/mutants
jobs=${JOBS:-$(nproc)}
least_percent=95
cd "$top" || exit 1

fail() {
	echo "mutants: $*" >&2
	exit 1
}

# A hash of everything that a verdict depends on, except the slip.
sources_hash() {
	find kmod cli symbolizer tests/unit -type f \( -name '*.[ch]' -o -path 'cli/page/assets/*' \) -print0 |
		LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-32
}

# Slips of the lists, read by tests/mutants/slips.awk.
read_slips() {	# read_slips [-v VARIABLE=VALUE] LIST...
	LC_ALL=C awk -f tests/mutants/slips.awk "$@"
}

# Unit tests, the most likely to notice a slip in FILE first: the test with the file's name, then
# tests whose name is a prefix of the file's or the reverse, then those that call its functions most
# often, then the fastest.
order_tests() {	# order_tests FILE
	local noun functions
	noun=$(basename "$1" | sed 's/\.[ch]$//')
	functions=$(sed -n 's/^[a-z][a-z0-9_ *]*[ *]\([a-z0-9_]*\)(.*/\1/p' "$1")
	(
		cd tests/unit || exit 1
		grep -owF "$functions" test_*.c | sed 's/\.c:.*/ 1/'
		grep -l "\"\(.*/\)\?$noun\.h\"" test_*.c | sed 's/\.c$/ 1000/'
	) | awk -v noun="$noun" '
		FILENAME == "-" { score[$1] += $2; next }
		{
			name = substr($1, length("test_") + 1)
			if (name == noun) score[$1] += 100000
			else if (index(noun, name "_") == 1) score[$1] += 1000
			else if (index(name, noun "_") == 1) score[$1] += 10000
			print score[$1] + 0, $2, $1
		}' - "$made/seconds" | sort -k 1,1nr -k 2,2n | cut -d ' ' -f 3 | head -n "${FIRST:-1000}"
}

# Run one unit test in a directory with its input files. A slip may loop, or allocate all memory.
run_test() {	# run_test TREE PROGRAM
	(
		cd "$1" || exit 1
		ulimit -t 60
		ulimit -c 0
		LD_LIBRARY_PATH=$1/lib TMPDIR=$1/tmp \
			ASAN_OPTIONS=hard_rss_limit_mb=3000 timeout -s KILL 300 "$2" 2>&1
	) </dev/null
}

# Rebuild the files of the tree that depend on FILE, which contains a slip. All other objects are
# those without slips.
# shellcheck disable=SC2086 # lists of words
rebuild() {	# rebuild TREE FILE
	local tree=$1 depending object source program file="[ /]${2//./\\.}"
	mkdir -p "$tree/lib" "$tree/unit"
	rm -rf "$tree/obj"
	depending=$(cd "$checked" && grep -rl --include='*.d' "$file" . | sed 's,^\./,,; s,\.d$,,')
	for object in $depending; do
		source=$object.c
		mkdir -p "$tree/obj/$(dirname "$object")"
		(cd "$tree" && $COMPILE -c -o "obj/$object.o" "$source") || return 1
	done
	(cd "$checked" && find cli kmod symbolizer -name '*.o') | while read -r object; do
		if [ -f "$tree/obj/$object" ]; then echo "$tree/obj/$object"; else echo "$checked/$object"; fi
	done >"$tree/objects"
	$COMPILE -shared -Wl,-soname,libunit.so -o "$tree/lib/libunit.so" "@$tree/objects" $LIBRARIES || return 1
	rm -f "$tree"/unit/*
	for program in $(cd "$programs" && grep -l "$file" -- *.d | sed 's,\.d$,,'); do
		(cd "$tree" && $COMPILE -g -o "unit/$program" "tests/unit/$program.c" lib/libunit.so \
			$LIBRARIES -lcmocka) || return 1
	done
}

ordered_file=	# the file of the tests that the list below has in order
ordered=
latest=	# the test that noticed the latest slip

# Put a test first: slips near each other are often noticed by one test.
put_first() {	# put_first PROGRAM
	[ -z "$1" ] || ordered=$(printf '%s\n' "$1"; grep -vxF -- "$1" <<<"$ordered")
}

# Prints "noticed PROGRAM TEST", "crash PROGRAM" (no assertion failed, but the program died), "time
# PROGRAM" (only a timeout), "missed", or "error WHY".
try() {	# try TREE SLIP
	local tree=$1 file program output status verdict=missed
	file=$(<"$2/file")
	if ! rebuild "$tree" "$file" >"$tree/log" 2>&1; then
		echo "error it does not compile"
		return
	fi
	if [ "$file" != "$ordered_file" ]; then
		ordered=$(order_tests "$file")
		ordered_file=$file
		put_first "$latest"
	fi
	for program in $ordered; do
		output=$(run_test "$tree" "$([ -x "$tree/unit/$program" ] && echo "$tree/unit" || echo "$programs")/$program")
		status=$?
		if grep -q ': error: Failure!$' <<<"$output"; then
			latest=$program
			put_first "$latest"
			echo "noticed $program $(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' <<<"$output" | head -1)"
			return
		fi
		[ $status = 0 ] || [ "$verdict" != missed ] || verdict="crash $program"
		[ $status != 137 ] && [ $status != 152 ] || verdict="time $program"
	done
	echo "$verdict"
}

# Take slips that no other worker has taken, and try each in a copy of the sources.
work() {	# work NUMBER
	local tree=$made/tree.$1 slip key file
	rm -rf "$tree"
	mkdir -p "$tree/tests" "$tree/tmp"
	cp -a kmod cli symbolizer "$tree"
	cp -a tests/unit "$tree/tests"
	for slip in "$made"/slips/*/; do
		slip=${slip%/}
		key=$(<"$slip/key")
		[ ! -s "$made/verdicts/$key" ] || continue
		mkdir "$slip/taken" 2>/dev/null || continue
		file=$(<"$slip/file")
		if [ -f "$slip/mutant" ]; then
			cp "$slip/mutant" "$tree/$file"
			try "$tree" "$slip" >"$tree/verdict"
			cp -p "$file" "$tree/$file"
		else
			echo "error what it replaces is not there exactly once" >"$tree/verdict"
		fi
		printf '%s %s: %s\n' "$(basename "$slip")" "$file" "$(<"$tree/verdict")"
		mv "$tree/verdict" "$made/verdicts/$key"
	done
	rm -rf "$tree"
}

# The time of each unit test on the unchanged sources, on which none may fail.
time_tests() {
	local program before after
	[ ! -s "$made/seconds" ] || [ -n "$(find "$programs" "$checked/lib" -newer "$made/seconds")" ] ||
		return 0
	mkdir -p "$made/tree.0/tmp"
	cp -a kmod cli symbolizer "$made/tree.0"
	mkdir -p "$made/tree.0/tests" && cp -a tests/unit "$made/tree.0/tests"
	for program in "$programs"/test_*; do
		[ "${program%.d}" = "$program" ] || continue
		before=$(date +%s%N)
		run_test "$made/tree.0" "$program" >"$made/log" ||
			{ cat "$made/log" >&2; fail "$(basename "$program") fails without any slip"; }
		after=$(date +%s%N)
		echo "$(basename "$program") $(((after - before) / 1000000))"
	done >"$made/seconds.new" || exit 1
	mv "$made/seconds.new" "$made/seconds"
	rm -rf "$made/tree.0"
}

report() {
	local slip verdict reason nr=0 noticed=0 errors=0 unargued=0 percent
	for slip in "$made"/slips/*/; do
		slip=${slip%/}
		verdict=$(cat "$made/verdicts/$(<"$slip/key")")
		reason=$(<"$slip/reason")
		nr=$((nr + 1))
		case $verdict in
		noticed*)
			noticed=$((noticed + 1))
			[ -z "$reason" ] || { echo "$(basename "$slip"): noticed, though it says why not"; unargued=$((unargued + 1)); }
			continue
			;;
		error*) errors=$((errors + 1)) ;;
		*) [ -n "$reason" ] || unargued=$((unargued + 1)) ;;
		esac
		printf '\n%s, %s: %s\n' "$(basename "$slip")" "$(<"$slip/file")" "$verdict"
		sed 's/^/- /' "$slip/before" && echo && sed 's/^/+ /' "$slip/after" && echo
		[ -z "$reason" ] || echo "= $reason"
	done
	percent=$((nr ? 100 * noticed / nr : 0))
	printf '\n%d slips, %d noticed (%d%%), %d not and without a reason, %d errors\n' \
		"$nr" "$noticed" "$percent" "$unargued" "$errors"
	[ "$percent" -ge "$least_percent" ] && [ "$unargued" = 0 ] && [ "$errors" = 0 ]
}

is_check=
[ "${1:-}" != -check ] || { is_check=yes; shift; }
if [ $# = 0 ]; then
	set -- tests/mutants/*.txt
else
	set -- "${@/#/tests/mutants/}"
	set -- "${@/%/.txt}"
fi
if [ -n "$is_check" ]; then
	read_slips "$@"
	exit
fi
: "${COMPILE:?make mutants sets it}" "${LIBRARIES:?}"
sources=$(sources_hash)
rm -rf "$made/slips"
mkdir -p "$made/verdicts" "$made/slips"
read_slips -v slips="$made/slips" "$@" || exit 1
for slip in "$made"/slips/*/; do
	echo "$sources.${FIRST:+$FIRST.}$(cat "$slip"/{file,before,after} | sha256sum | cut -c 1-32)" >"$slip/key"
done
time_tests
for ((worker = 1; worker <= jobs; worker++)); do
	work "$worker" &
done
wait
report
