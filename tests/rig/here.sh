#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# here.sh COMMAND...: run the command while `probe sys` measures this machine itself for five seconds, by BPF: nothing
# is loaded into its kernel. Then show the table, or one line that says why there is none.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
table=$(mktemp)
trap 'rm -f "$table"' EXIT

"$top/build/probe" sys -engine bpf -sec 5 -n 12 >"$table" 2>&1 &
measuring=$!
"$@"
status=$?
if wait $measuring; then
	printf 'This machine, while it built the module and its tests.\n\n$ probe sys -engine bpf -sec 5 -n 12\n'
	cat "$table"
	echo
else
	sed -n 's/^probe: /This machine itself is not measured: /p' "$table" | head -n 1
fi
exit $status
