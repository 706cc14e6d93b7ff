#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# new-test.sh NAME: create the guest test tests/guest/NAME.sh from the example of CONTRIBUTING.md.
set -eu
cd "$(dirname "$0")/.."
file=tests/guest/$1.sh
case $1 in
*[!abcdefghijklmnopqrstuvwxyz0123456789_]* | [!a-z]* | '')
	echo "new-test: '$1' is not a valid test name: lower-case letters, digits and '_', a letter first" >&2
	exit 1 ;;
esac
if [ -e "$file" ]; then
	echo "new-test: $file exists" >&2
	exit 1
fi
# The example is the block that begins with the license.
awk '/^    # SPDX/ { inside = 1 } inside && !/^    / { exit } inside { print substr($0, 5) }' CONTRIBUTING.md >"$file"
echo "$file: run it with TESTS=$1 GUESTS=6.12 make guest-check"
