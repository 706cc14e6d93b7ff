#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# coverage.sh: prints the line coverage of kmod/ by the guest tests on the debug kernel, all boots
# together: a line for each file, then the lines that never ran. Fails below 90% of all lines, and
# if a line of the timer handlers never ran that is not listed in coverage-unreached.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
objects=$top/build/kernels/debug/src/kmod
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/sum"
for boot in "$top"/build/logs/debug-*.gcda; do
	# Counts of an older module belong to other lines.
	[ -d "$boot" ] && [ "$boot" -nt "$objects/../cpuprobe.ko" ] || continue
	if [ -z "$(ls "$work/sum")" ]; then
		cp "$boot"/*.gcda "$work/sum/"
	else
		gcov-tool merge -o "$work/next" "$work/sum" "$boot" >/dev/null
		rm -r "$work/sum" && mv "$work/next" "$work/sum"
	fi
done
[ -n "$(ls "$work/sum")" ] || {
	echo "coverage: no counts; run the guest tests on the debug kernel" >&2
	exit 1
}
cp "$objects"/*.gcno "$work/sum/"
(cd "$work/sum" && gcov -p ./*.gcda >/dev/null 2>&1)
for file in "$work"/sum/*kmod#*.gcov; do
	name=${file##*kmod#}
	sed "s|^|${name%.gcov}:|" "$file"
done | awk -F: -v unreached="$top/tests/rig/coverage-unreached" '
	BEGIN {
		while ((getline line <unreached) > 0)
			if (line !~ /^#/ && line != "") excused[line] = 1
	}
	$3 + 0 == 0 || $2 ~ /-/ { next }	# no code, or no line of the file
	{
		file = $1; hit = $2 !~ /[#=]/
		lines[file]++; nr++; ran[file] += hit; nr_ran += hit
		if (hit) next
		text = $0; sub(/^[^:]*:[^:]*:[^:]*:/, "", text); gsub(/^[ \t]+|[ \t]+$/, "", text)
		# These files have the code of the handlers, except for grid.c: harvests slow a grid down.
		is_hot = file ~ /^(sample|kind_.*|identity|caller|unwind|stacks|table|slots|late|areas)\.[ch]$/ ||
			file == "grid.h"
		missing = missing sprintf("%s:%d: %s%s\n", file, $3, text, \
			is_hot && !((file ": " text) in excused) ? "   <- in a handler" : "")
		hot += is_hot && !((file ": " text) in excused)
	}
	END {
		for (file in lines)
			printf "%-16s %4d of %4d lines %6.1f%%\n", file, ran[file], lines[file], \
				100 * ran[file] / lines[file] | "sort"
		close("sort")
		printf "%-16s %4d of %4d lines %6.1f%%\n\nnever run:\n%s", "all", nr_ran, nr, 100 * nr_ran / nr, missing
		exit nr_ran < 0.9 * nr || hot
	}'
