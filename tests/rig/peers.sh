#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# peers.sh PAGE TEST SERIES...: put the test's latest figures of these kernels into the page, between
# the marks <!-- TEST --> and <!-- TEST end -->.
set -eu
page=$1
test=$2
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
for series; do
	echo
	cat "$top/build/figures/$series/$test"
done >"$page.figures"
echo >>"$page.figures"
awk -v figures="$page.figures" -v test="$test" '
	$0 == "<!-- " test " end -->" { skip = 0 }
	!skip { print }
	$0 == "<!-- " test " -->" { while ((getline line <figures) > 0) print line; skip = 1 }' \
	"$page" >"$page.new"
rm "$page.figures"
mv "$page.new" "$page"
