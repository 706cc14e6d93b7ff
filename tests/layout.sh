#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# layout.sh [draw]: whether the rooms of cli/ are what cli/README.md says: no include leads up, and no two
# object files use each other, be it over others. Wants build/obj. draw: the picture in docs/layout.svg too.
set -u
shopt -s globstar
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# "ROOM lines N" for each room, "FILE ROOM INCLUDED-ROOM" for each include within cli/.
list_includes() {
	awk 'function room_of(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "." }
		BEGIN { for (i = 1; i < ARGC; i++) is_here[ARGV[i]] = 1 }
		{ file = substr(FILENAME, 5); lines[room_of(file)]++ }
		/^#include "/ { split($0, part, "\""); if ("cli/" part[2] in is_here)
			print file, room_of(file), room_of(part[2]) }
		END { for (room in lines) print room, "lines", lines[room] }' $(find cli -name '*.[ch]' ! -path 'cli/completions/*')
}

# Pairs "FILE FILE": the first uses a symbol of the second. tsort complains about circles.
list_uses() {
	local file
	for file in build/obj/cli/**/*.o; do
		nm "$file" | sed "s|^|${file#build/obj/cli/} |"
	done | awk 'NF == 3 && $2 == "U" { uses[$1, $3] = 1; next }
		$3 ~ /^[TDBR]$/ { home[$4] = $1 }
		END {
			for (pair in uses) {
				split(pair, part, SUBSEP)
				if (part[2] in home && home[part[2]] != part[1])
					print part[1], home[part[2]]
			}
		}'
}

list_includes >"$work/includes"
awk -f tests/layout.awk cli/README.md "$work/includes" >"$work/layout.svg" || status=1
list_uses >"$work/uses"
[ -s "$work/uses" ] || { echo "layout: no objects in build/obj: make tool" >&2; status=1; }
tsort "$work/uses" >/dev/null 2>"$work/circles" || { sed 's/^tsort: -: /layout: /' "$work/circles" >&2; status=1; }
[ "${1:-}" != draw ] || cp "$work/layout.svg" docs/layout.svg
names=$(find cli kmod symbolizer -name '*.h' -printf '%f\n' | sort | uniq -d)
[ -z "$names" ] || { echo "layout: headers of one name: ${names//$'\n'/ }" >&2; status=1; }
exit $status
