#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# words.sh: no sentence uses a word of tests/lint/words, and none begins with What, Who, Where or Of unless it is
# a question or a title. Sentences are comments, documents, the manual, and strings of C: see sentences.awk.
set -u
are_c_checked=yes	# no: leaves out comments and strings of C, JavaScript and style sheets
sentences=$(mktemp)
trap 'rm -f "$sentences"' EXIT
status=0

patterns='.*\.(sh|awk|mk|md|[1-8]|in|inc)|\./Makefile|\./\.ci/run|\./debian/rules|.*/init'
[ $are_c_checked = no ] || patterns+='|.*\.(c|h|cc|js|mjs|css)'
find . \( -path ./build -o -path ./.git -o -path ./tests/fuzz/corpus -o -name '*.mod.c' \) -prune -o \
	-type f -regextype posix-extended -regex "$patterns" -print | sed 's|^\./||' | LC_ALL=C sort |
	xargs awk -f tests/lint/sentences.awk >"$sentences"

find_hits() {	# find_hits REMEDY PATTERN: of a whole line of $sentences
	grep -P "$2" "$sentences" | sed "s|^[^ ]* |&[$1] |" | grep . && status=1
}

while IFS=$'\t' read -r pattern remedy; do
	find_hits "$remedy" "(?i)^[^ ]* .*\b(?:$pattern)\b"
done < <(grep -v '^#' tests/lint/words)
find_hits "begin with the subject" '^[^ ]* (?:What|Who|Whom|Whose|Where|Of)\b.*[^?]$'
exit $status
