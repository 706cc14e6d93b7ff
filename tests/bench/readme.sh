#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# readme.sh README BENCH: put the first table of BENCH between the README's bench marks.
set -eu
awk '/^[|]/ { print; found = 1; next } found { exit }' "$2" >"$1.table"
awk -v table="$1.table" '
	/^<!-- bench -->$/ { print; while ((getline line <table) > 0) print line; skip = 1 }
	/^<!-- bench end -->$/ { skip = 0 }
	!skip { print }' "$1" | awk '!(/^<!-- bench -->$/ && seen++)' >"$1.new"
rm "$1.table"
mv "$1.new" "$1"
