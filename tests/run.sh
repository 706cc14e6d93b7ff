#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh quick [PART...], run.sh full [PART...]: all tests, or those parts of them:
#   unit      the unit tests in build/unit
#   man       the manual pages and -help
#   manners   widths, names, pipes, terminals and locales
#   install   make install and uninstall
#   release   the version, the same wherever it is written
#   completions  of bash, zsh and fish
#   sign      the module signed
#   exports   what `probe export` writes, read by speedscope, pprof and callgrind_annotate
#   browser   the page of `probe export -html` in a browser
#   fuzz      hostile files: a minute (quick), half an hour of two processors (full)
#   guests    the guest tests in kernels, GUESTS="6.1 ..." or else as DEPTH has them
#   coverage  the lines of the module that they ran (full)
#   newer     some of them on the newest kernel that can be had (full)
#   dkms      the module built and signed by DKMS (full)
#   packages  Debian packages, in a clean Debian guest (full)
#   rpm       RPM packages (full)
# A full run writes its results into docs/testing.md, a row for each part that was run.
# The last line is "N passed, M failed"; the exit status is 1 when M is not 0.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
depth=$1
shift
results=$top/build/results
mkdir -p "$results"
export DEPTH=$depth
if [ "$depth" = full ]; then
	guests=${GUESTS:-6.1 6.12 6.1-rt 6.1-cloud 6.12-rt debug kcsan}
	parts=${*:-unit man manners install release completions sign exports browser dkms packages rpm newer fuzz guests coverage}
	export BOOT_TIMEOUT=10800 FUZZ_SECONDS=${FUZZ_SECONDS:-1800}
else
	guests=${GUESTS:-6.1 6.12}
	parts=${*:-unit man manners install release completions sign fuzz guests}
fi

# Each part ends with "N passed, M failed".
part_unit() {
	local program name output status count broken passed=0 failed=0
	for program in "$top"/build/unit/test_*; do
		case $program in *.d) continue ;; esac
		name=$(basename "$program")
		output=$(timeout 300 "$program" 2>&1)
		status=$?
		count=$(grep -c '^\[       OK \]' <<<"$output")
		broken=$(grep -c '^\[  FAILED  \] [a-z]' <<<"$output")
		# A program that died, by a sanitizer or a signal, has failed whatever it had counted.
		if [ $status != 0 ] && [ "$broken" = 0 ]; then broken=1; fi
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

# A script beside this one that succeeds or fails as a whole, on the first kernel's headers.
part_script() {	# part_script NAME
	local first=${guests%% *}
	"$top/tests/rig/kernel.sh" "$first" && single "$1" "$top/tests/$1.sh" "$first"
}

part_man() { "$top/tests/man.sh"; }
part_manners() { "$top/tests/manners.sh"; }
part_install() { part_script install; }
part_sign() { part_script sign; }
part_dkms() { part_script dkms; }
part_release() { single release "$top/tests/release.sh"; }
part_completions() { make -s -C "$top" completions && single completions "$top/tests/completions.sh"; }
part_packages() {
	# On the newer of the stock kernels.
	"$top/tests/rig/kernel.sh" 6.12 && single packages "$top/tests/packages.sh" 6.12
}
part_rpm() { single rpm "$top/tests/rpm.sh"; }
part_exports() { single exports "$top/tests/exports.sh"; }
part_browser() { "$top/tests/browser.sh"; }
part_fuzz() { make -s --no-print-directory -C "$top" fuzz; }
part_coverage() { single coverage "$top/tests/rig/coverage.sh"; }
part_newer() { make -s --no-print-directory -C "$top" check-newer; }
# shellcheck disable=SC2086 # a list of kernels
part_guests() { "$top/tests/rig/guest-tests.sh" $guests; }

# The row of a part in the table of docs/testing.md takes the place of an older one.
write_row() {	# write_row PART VERSION COUNTS
	local page=$top/docs/testing.md row
	row="| $1 | $2 | $(date +%F) | $(git -C "$top" rev-parse --short HEAD 2>/dev/null) | $3 |"
	awk -v part="| $1 |" -v row="$row" '
		/^<!-- full run -->$/ { inside = 1 }
		inside && index($0, part) == 1 { print row; is_written = 1; next }
		/^<!-- full run end -->$/ { if (!is_written) print row; inside = 0 }
		{ print }' "$page" >"$page.new" && mv "$page.new" "$page"
}

count_lines() {	# count_lines LOG PREFIX: "N passed, M failed" of the lines of one kernel
	echo "$(grep -ac "^ok   $2 " "$1") passed, $(grep -ac "^FAIL $2 " "$1") failed"
}

write_rows() {	# write_rows PART COUNTS
	local series
	case $1 in
	guests)
		for series in $guests; do
			write_row "kernel $series" "$(cat "$top/build/kernels/$series/release")" \
				"$(count_lines "$results/guests" "$series")"
		done ;;
	fuzz) write_row fuzz "$(clang --version | sed -n 's/.*\(clang version [0-9.]*\).*/\1/p'), $FUZZ_SECONDS s" "$2" ;;
	newer) write_row newer "$(cat "$top/build/kernels/newer/release")" "$2" ;;
	coverage) write_row coverage "$(sed -n 's/^all *\(.*\)/\1/p' "$results/coverage")" "$2" ;;
	*) write_row "$1" "gcc $(gcc -dumpfullversion)" "$2" ;;
	esac
}

passed=0 failed=0
for part in $parts; do
	"part_$part" 2>&1 </dev/null | tee "$results/$part" |
		grep -a --line-buffered -v '^[0-9]* passed, [0-9]* failed$'
	counts=$(tail -n 1 "$results/$part")
	if ! [[ $counts =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		echo "FAIL $part: ended without a count"
		counts="0 passed, 1 failed"
	fi
	[ "$depth" != full ] || write_rows "$part" "$counts"
	passed=$((passed + ${counts%% *}))
	counts=${counts#*, }
	failed=$((failed + ${counts%% *}))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
