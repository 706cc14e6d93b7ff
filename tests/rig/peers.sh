#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# peers.sh PAGE SERIES...: put the figures that the test `peers` has just left for these kernels
# between the marks of the page.
set -eu
page=$1
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
for series; do
	echo
	tr -d '\r' <"$top/build/logs/$series-icount.tests" | sed -n 's/^= //p'
done >"$page.figures"
echo >>"$page.figures"
awk -v figures="$page.figures" '
	/^<!-- figures end -->$/ { skip = 0 }
	!skip { print }
	/^<!-- figures -->$/ { while ((getline line <figures) > 0) print line; skip = 1 }' \
	"$page" >"$page.new"
rm "$page.figures"
mv "$page.new" "$page"
