#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lint.sh [RULE...]: check the rules of tests/lint about the sources, all or some. A rule is a
# script that prints violations, FILE:LINE first, and then fails; the comment at its top states the
# rule. A rule that cannot be checked here prints "skipped: REASON". Prints a line for each rule,
# then "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
passed=0 failed=0
[ $# != 0 ] || set -- tests/lint/*.sh
for rule; do
	rule=$(basename "$rule" .sh)
	if output=$("tests/lint/$rule.sh" 2>&1); then
		echo "ok   lint $rule${output:+ ($output)}"
		passed=$((passed + 1))
	else
		printf 'FAIL lint %s\n%s\n' "$rule" "$output"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
