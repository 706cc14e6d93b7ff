#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# figures.sh [-measure]: make the tables of docs/fleet.md anew. With -measure, the sizes of windows too:
# see sizes.sh.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"
if [ "${1-}" = -measure ]; then
	tests/fleet/sizes.sh >"$work/sizes"
	mv "$work/sizes" docs/fleet.tsv
fi
cp docs/fleet.md "$work/page"
for table in rates knows hosts series bytes; do
	build/fleet_figures $table docs/fleet.tsv >"$work/table"
	awk -v begin="<!-- $table -->" -v end="<!-- $table end -->" -v table="$work/table" '
		$0 == end { inside = 0 }
		!inside
		$0 == begin { inside = 1; while ((getline line <table) > 0) print line }
	' "$work/page" >"$work/next"
	mv "$work/next" "$work/page"
done
cat "$work/page" >docs/fleet.md
