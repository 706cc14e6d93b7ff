#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh SERIES...: all tests: the unit tests in build/unit, then the guest tests.
# The last line is "N passed, M failed"; the exit status is 1 when M is not 0.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
passed=0 failed=0

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

first=${1:-}
"$top/tests/rig/kernel.sh" "$first" && output=$("$top/tests/install.sh" "$first" 2>&1)
if [ $? = 0 ]; then
	echo "ok   install"
	passed=$((passed + 1))
else
	echo "FAIL install"
	echo "$output"
	failed=$((failed + 1))
fi

exec 3>&1
last=$("$top/tests/rig/guest-tests.sh" "$@" | tee >(grep -a --line-buffered -v '^[0-9]* passed, [0-9]* failed$' >&3) |
	tail -n 1)
if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
	passed=$((passed + BASH_REMATCH[1]))
	failed=$((failed + BASH_REMATCH[2]))
else
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
