#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tutorial.sh PAGE SERIES: put the output of the test `tutorial` on this kernel into the page: the
# step NAME replaces the block after "<!-- NAME -->".
set -eu
page=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
cp "$top/build/figures/$2/tutorial" "$page.steps"
awk -v steps="$page.steps" '
	BEGIN {
		while ((getline line <steps) > 0) {
			name = line
			sub(/\| .*|\|$/, "", name)
			sub(/^[a-z]*\| ?/, "", line)
			shown[name] = shown[name] (line == "" ? "" : "    ") line "\n"
		}
	}
	/^<!-- end -->$/ { skip = 0 }
	!skip { print }
	/^<!-- [a-z]* -->$/ && $2 != "end" { printf "\n%s\n", shown[$2]; skip = 1 }' "$page" >"$page.new"
rm "$page.steps"
mv "$page.new" "$page"
