#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# browser.sh [WORD]: pages of probe in a headless Chromium: clicks, numbers, looks. Pages and
# pictures of them are left in build/browser. WORD chooses tests with it in their names,
# BROWSER=PROGRAM another Chromium.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/browser
export BROWSER=${BROWSER:-/usr/bin/chromium} NODE_LIBRARY=$top/build/npm/node_modules
library=playwright-core@1.65.1

"$top/tests/rig/packages.sh" browser
if ! grep -qs '"version": "'"${library#*@}"'"' "$NODE_LIBRARY/playwright-core/package.json"; then
	mkdir -p "$top/build/npm"
	npm install --silent --no-save --no-audit --no-fund --ignore-scripts \
		--prefix "$top/build/npm" "$library" >&2
fi
make -s --no-print-directory -C "$top" build/probe build/make_run build/make_page build/make_report

page() {	# page NAME: from a profile as text on standard input
	cat >"$out/$1.txt"
	"$top/build/make_run" "$out/$1.txt" "$out/$1.run"
	"$top/build/make_page" "$out/$1.run" "$out/$1.html"
}
report() {	# report NAME TEXT OPTION...: the page and the numbers of a run of probe proc or sys
	local name=$1 text=$2
	shift 2
	"$top/build/make_report" "$text" "$out/$name.run"
	"$top/build/probe" show "$out/$name.run" -html "$out/$name.html" -tsv "$@" \
		>"$out/$name.tsv" 2>"$out/$name.err"
}
mkdir -p "$out"
page known <"$top/tests/browser/known.txt"
echo '# nothing' | page empty
echo 'IDLE 0 kernel [idle] 100' | page idle
awk -v stacks=20000 -f "$top/tests/browser/large.awk" | page large
report proc "$top/tests/browser/proc.txt"
report proc-wide "$top/tests/browser/proc-wide.txt"
report proc-plain "$top/tests/browser/proc.txt" -plain -all
printf 'task none\nrange 0x1000 0x1100\nelsewhere 10 0 0 40\n' >"$out/proc-empty.txt"
report proc-empty "$out/proc-empty.txt"
printf 'task one\nrange 0x1000 0x1100\nat 0x1000 1\nobject 1 one\n' >"$out/proc-one.txt"
report proc-one "$out/proc-one.txt" -ci paper
report sys "$top/tests/browser/sys.txt"
report sys-cpu "$top/tests/browser/sys.txt" -of cpu -ci paper -percpu -sort name

# What the command writes is the same, but for the receipt, which that run has not.
"$top/build/probe" export -html "$out/export.html" "$out/known.run"
diff <(grep -v '^"receipt"' "$out/known.html") <(grep -v '^"receipt"' "$out/export.html")
node "$top/tests/browser/main.js" "$out" "$@"
