#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# rows.sh: the table of the last full run in docs/testing.md, with a row for each part of the run.
#   rows.sh tree [COMMIT]    a hash of the tested files: all files that git knows, in the working
#                            tree or in a commit, except documents
#   rows.sh guests           a hash of what all guest tests depend on
#   rows.sh write "PART" "VERSIONS" DATE "RESULT"   replace the part's row, for the working tree
#   rows.sh show             each row, and whether it is valid for the working tree; and the guest tests that have passed
#   rows.sh check            each row has the right form, and matches its commit if that is known
#   rows.sh fresh            as check, and each part has a row without failures for this tree
# The hash decides, since a commit may get another name before it lands.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
page=${ROWS_PAGE:-$top/docs/testing.md}
# shellcheck source=tests/rig/matrix.sh
. "$top/tests/rig/matrix.sh"
cd "$top" || exit 1
status=0

# Lines "blob path", in git's order.
without_documents() { grep -v ' docs/[^ ]*$\|\.md$'; }
# Guest tests are built from these, or compare the module with them.
documents_of_guests() { grep ' docs/\(tutorial/[^ ]*\|man/cpuprobe\.4\|privilege\.md\)$'; }
# Other guest tests with their programs abi*, and what no guest has to do with: other parts of the tests, packaging,
# tools of the sources, and what fetches kernels, since a note of a passed test names the kernel.
without_other_tests() {
	grep -v " tests/\(guest/[^ ]*\.sh\|workloads/abi[^/ ]*\.c\|fuzz/[^/ ]*\|[^/ ]*\.\(sh\|awk\|zsh\)\)$" |
		grep -v ' tests/\(browser\|calibrate\|exports\|fleet\|fuzz/corpus\|lint\|manners\|mutants\|packages\|unit\|unwind\)/' |
		grep -v ' tests/bench/[^/ ]*\.\(sh\|awk\)$' |
		grep -v ' tests/rig/\(coverage\|jobs\|matrix\|packages\|passed\|peers\|pictures\|races\|tutorial\)[^/ ]*$' |
		grep -v ' tests/rig/\(arm64-packages\|kernel\(-arm64\|-newer\)\?\)\.sh$' |
		grep -v ' \(debian/\|\.\|cpuprobe\.spec\|dkms\.conf\|LICENSE\)'
}

files_of() {	# files_of [COMMIT]
	if [ $# = 1 ]; then
		git -c core.quotepath=off ls-tree -r "$1" | awk -F '\t' '{ split($1, f, " "); print f[3], $2 }'
	else
		git -c core.quotepath=off ls-files | while read -r path; do [ ! -e "$path" ] || echo "$path"; done >"$work"
		# shellcheck disable=SC2094 # both read it
		git hash-object --stdin-paths <"$work" | paste -d ' ' - "$work"
	fi
}

tree_of() {	# tree_of [COMMIT]
	git rev-parse HEAD >/dev/null 2>&1 || { echo unknown; return; }
	files_of "$@" | without_documents | sha256sum | cut -c 1-12
}

rows() { sed -n '/^<!-- full run -->$/,/^<!-- full run end -->$/p' "$page" | grep '^| ' | sed '1,2d'; }
field() { cut -d '|' -f "$1" <<<"$row" | sed 's/^ *//; s/ *$//'; }

write() {	# write PART VERSIONS DATE RESULT
	local row tree commit=
	tree=$(tree_of)
	# The hash includes changes that are not committed yet.
	[ "$(tree_of HEAD)" != "$tree" ] || commit=$(git rev-parse --short HEAD)
	row="| $1 | $2 | $3 | ${commit:-none} | $tree | $4 |"
	awk -v part="| $1 |" -v row="$row" '
		/^<!-- full run -->$/ { inside = 1 }
		inside && index($0, part) == 1 { print row; is_written = 1; next }
		/^<!-- full run end -->$/ { if (!is_written) print row; inside = 0 }
		{ print }' "$page" >"$page.new" && mv "$page.new" "$page"
}

complain() {
	echo "rows: $*" >&2
	status=1
}

check() {
	local row commit tree
	while read -r row; do
		commit=$(field 5) tree=$(field 6)
		[[ $row =~ ^\|\ [^|]+\ \|\ [^|]+\ \|\ [0-9-]{10}\ \|\ ([0-9a-f]{7,}|none)\ \|\ [0-9a-f]{12}\ \|\ [^|]+\ \|$ ]] ||
			complain "not a row: $row"
		git cat-file -e "$commit^{commit}" 2>/dev/null || continue
		[ "$(tree_of "$commit")" = "$tree" ] ||
			complain "row '$(field 2)' says $tree, its commit $commit is of $(tree_of "$commit")"
	done < <(rows)
}

show() {
	local row tree series passed=$top/docs/passed.txt
	tree=$(tree_of)
	echo "this tree: $tree"
	while read -r row; do
		if [ "$(field 6)" = "$tree" ]; then echo "valid  $(field 2): $(field 7)"
		else echo "stale  $(field 2): of $(field 6), $(field 4)"; fi
	done < <(rows)
	# shellcheck source=tests/rig/passed.sh
	. "$top/tests/rig/passed.sh"
	for series in $full_guests; do echo "tests that have passed on $series: $(count_passed "$series")"; done
}

fresh() {
	local part row tree
	tree=$(tree_of)
	while read -r part; do
		row=$(rows | grep -F "| $part |")
		if [ -z "$row" ]; then complain "no row '$part': run make check-full"
		elif [ "$(field 6)" != "$tree" ]; then complain "row '$part' is for other sources: $(field 6), not $tree"
		elif ! [[ $(field 7) =~ [0-9]+\ passed,\ 0\ failed ]]; then complain "row '$part': $(field 7)"; fi
	done < <(full_rows)
}

work=$(mktemp)
trap 'rm -f "$work"' EXIT
case ${1:-show} in
tree) shift; tree_of "$@" ;;
guests)
	{ files_of | without_documents | without_other_tests; files_of | documents_of_guests; } |
		sha256sum | cut -c 1-12 ;;
write) shift; write "$@" ;;
show) show ;;
check) check ;;
fresh) check; fresh ;;
*) echo "rows: unknown command '$1'" >&2; exit 2 ;;
esac
exit $status
