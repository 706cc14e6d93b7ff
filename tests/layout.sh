#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# layout.sh: check the rooms of cli/ against cli/README.md: no include leads to a higher room, no
# two object files use each other, directly or indirectly, and docs/layout.svg shows the actual
# arrows. layout.sh draw: also draw docs/layout.svg again. Both read the objects of `make tool`.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t sources < <(find cli -name '*.[ch]' ! -path 'cli/completions/*' | LC_ALL=C sort)
status=0

complain() {
	echo "layout: $*" >&2
	status=1
}

# "ROOM files N" for each room, "FILE ROOM INCLUDED-ROOM" for each include within cli/.
list_includes() {
	awk 'function room_of(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "." }
		BEGIN { for (i = 1; i < ARGC; i++) is_here[ARGV[i]] = 1 }
		FNR == 1 { file = substr(FILENAME, 5); files[room_of(file)]++ }
		/^#include "/ { split($0, part, "\""); if ("cli/" part[2] in is_here)
			print file, room_of(file), room_of(part[2]) }
		END { for (room in files) print room, "files", files[room] }' "${sources[@]}"
}

# Pairs "FILE FILE": the first uses a symbol of the second.
list_uses() {
	printf '%s\n' "${sources[@]}" | sed -n 's|\(.*\)\.c$|build/obj/\1.o|p' | xargs nm -A |
		sed 's|^build/obj/cli/\([^:]*\):|\1 |' | awk '
		$2 == "U" { uses[$1, $3] = 1; next }
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
[ "${1:-}" != draw ] || cp "$work/layout.svg" docs/layout.svg
cmp -s "$work/layout.svg" docs/layout.svg || complain "docs/layout.svg does not match the sources: run make layout"
list_uses >"$work/uses" 2>"$work/missing"
[ ! -s "$work/missing" ] || complain "build/obj lacks objects of these sources: run make tool"
# Files that use each other in a circle have no order.
tsort "$work/uses" >/dev/null 2>"$work/circles" ||
	complain "files that use each other: $(sed '1d; /contains a loop/,$d; s/^tsort: //' "$work/circles" | paste -s -d ' ')"
names=$(find cli kmod symbolizer -name '*.h' -printf '%f\n' | sort | uniq -d | paste -s -d ' ')
[ -z "$names" ] || complain "headers with equal names: $names"
exit $status
