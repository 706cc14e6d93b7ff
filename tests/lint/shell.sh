#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shell.sh: shellcheck finds nothing in any script; .shellcheckrc lists the checks that are off. A script
# without a first line "#!" runs in the guest, whose shell is busybox: the dialect closest to it is dash.
# Scripts inside of scripts, as quoted here-documents, are checked too.
set -u
work=build/lint/shell
rm -rf "$work"
mkdir -p "$work"
mapfile -t scripts < <({ grep -rlE '^#!/bin/(ba)?sh' --exclude-dir={build,.git,corpus} .
	find . -path ./build -prune -o -name '*.sh' -print; } | sed 's|^\./||' | LC_ALL=C sort -u)
cp --parents "${scripts[@]}" "$work"
cp build/completions/probe.bash "$work/" || exit 1
cd "$work" || exit 1

# The guest's directory /test is two directories here.
sed -i 's|^\. /test/guest-|. tests/rig/guest-|; s|^\. /test/|. tests/guest/|' tests/*/*.sh
awk 'FNR == 1 || $0 ~ "^\t*" end "$" { out = "" }
	out { sub(/^\t*/, ""); print >out }
	/<<-?\047[A-Z]+\047/ { end = $0; sub(/.*<<-?\047/, "", end); sub(/\047.*/, "", end); out = FILENAME "." FNR }' \
	"${scripts[@]}"
mapfile -t inner < <(grep -lE '^#!/bin/(ba)?sh' -- *.sh.* */*.sh.* 2>/dev/null)

mapfile -t host < <(grep -lE -m 1 '^#!|^# shellcheck shell=' "${scripts[@]}")
mapfile -t guest < <(grep -LE -m 1 '^#!|^# shellcheck shell=' "${scripts[@]}")
status=0
shellcheck -f gcc -x "${host[@]}" "${inner[@]}" || status=1
shellcheck -f gcc -x -s bash probe.bash || status=1
# The guest's shell has local variables.
shellcheck -f gcc -x -s dash -e SC3043 "${guest[@]}" || status=1
exit $status
