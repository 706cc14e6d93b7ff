#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# browser.sh [WORD]: pages of probe in a headless Chromium: clicks, numbers, looks. The pages and
# pictures of them are left in build/browser. WORD selects tests by a part of their names,
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
make -s --no-print-directory -C "$top" build/probe build/make_run build/make_page build/make_report build/make_trace

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
program() {	# program: print the path of the program of asm.txt, whose source file's name contains HTML
	local source='<img src=x onerror=alert(5)>.c'
	cp "$top/tests/browser/asm.c" "$out/$source"
	(cd "$out" && cc -g -O1 -ffreestanding -nostdlib -static -no-pie -Wl,-Ttext=0x401000 \
		-o asm.program "$source")
	echo "$out/asm.program"
}
slide() {	# slide: a report of 1008 nops and a jump, in slots of 2 bytes
	echo 'task slide'
	echo 'range 0x1000 0x1400'
	echo 'symbol 0x1000 0x3f2 slide'
	echo "code 0x1000 $(printf '90%.0s' {1..1008})ebfe"
	printf 'at 0x%x %d\n' 0x1010 300 0x1012 40 0x1200 5 0x1300 2 0x13f0 11
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
{ echo "program $(program)"; cat "$top/tests/browser/asm.txt"; } >"$out/asm.txt"
report asm "$out/asm.txt" -asm
slide >"$out/asm-wide.txt"
report asm-wide "$out/asm-wide.txt" -asm -ci paper
report asm-all "$out/asm-wide.txt" -asm -all
report sys "$top/tests/browser/sys.txt"
report sys-cpu "$top/tests/browser/sys.txt" -of cpu -ci paper -percpu -sort name

# A run saved without code has no page of instructions; the error equals the one for text.
rm -f "$out/none.html"
if "$top/build/probe" show -asm -html "$out/none.html" "$out/proc.run" >"$out/none.txt" 2>&1; then
	echo "browser: a run without code gave a page of instructions" >&2
	exit 1
fi
grep -q 'list the instructions of this run: its code was not saved' "$out/none.txt"
test ! -e "$out/none.html"

# Timelines of traces: a small one, a part of it, and more calls than a page has.
"$top/build/make_trace" "$top/tests/exports/trace.txt" "$out/trace.run" 3000000 2
"$top/build/probe" export -html "$out/trace.html" "$out/trace.run"
"$top/build/probe" export -html "$out/trace-part.html" -from 1400us -to 2200us -task 7 "$out/trace.run"
echo '0 0 r 7 7' >"$out/trace.txt"
"$top/build/make_trace" "$out/trace.txt" "$out/trace-large.run" 600000000 1 500000
"$top/build/probe" export -html "$out/trace-large.html" "$out/trace-large.run"

# The command writes an equal page, except for the receipt, which that run does not have.
"$top/build/probe" export -html "$out/export.html" "$out/known.run"
diff <(grep -v '^"receipt"' "$out/known.html") <(grep -v '^"receipt"' "$out/export.html")
node "$top/tests/browser/main.js" "$out" "$@"
