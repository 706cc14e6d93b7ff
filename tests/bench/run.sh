#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh SERIES...: measure in stock kernels under --icount, where an instruction takes a
# nanosecond. Raw results go to build/bench/SERIES.raw. All parts together make docs/bench.md,
# docs/overhead.svg and the table in the README; BENCH="part ..." measures some parts. The parts
# graph, symbols, unwind and traced need no kernel: they are the tool's own time on this machine. The part compile
# takes ten minutes of guest time in which an instruction takes eight nanoseconds, or COMPILE_SECONDS=N, then one
# minute in which it takes one; its results are in build/bench/compile.SERIES and compile_fast.SERIES.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/tests/rig
bench=$top/tests/bench
out=$top/build/bench
all="graph symbols unwind traced compile sample stacks busy idle sessions slowdown calls times trace"
parts=${BENCH:-$all}
guest_parts=$(tr ' ' '\n' <<<"$parts" | grep -vx -e graph -e symbols -e unwind -e traced -e compile | tr '\n' ' ')
mkdir -p "$out" "$top/build/logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_modules() {	# build_modules SERIES: the bench's modules, built as the rig builds ours
	local dir=$top/build/kernels/$1 name
	for name in empty idle deep; do
		mkdir -p "$dir/$name"
		cp -pu "$bench/$name"/* "$dir/$name/"
		make -s -C "$(cat "$dir/kdir")" M="$dir/$name" KCFLAGS="-I$top/kmod" modules \
			>"$dir/$name.log" 2>&1 || { cat "$dir/$name.log" >&2; return 1; }
	done
}

pack() {	# pack SERIES: the rig's root file system, followed by the benchmark's files
	local extra=$work/extra.$1
	GUEST_PROGRAMS="$(echo "$out"/bin/*) $(command -v perf) $(command -v bpftrace) $(command -v strace)" \
		"$rig/initramfs.sh" "$1" "$work/initrd.$1" || return
	rm -rf "$extra" && mkdir -p "$extra/bench"
	cp "$bench"/*.sh "$top/build/kernels/$1"/{empty/empty,idle/idle,deep/deep}.ko "$extra/bench/"
	# Sources for tar to pack.
	mkdir "$extra/bench/tree" && cp -r "$top"/{cli,kmod,symbolizer,tests} "$extra/bench/tree/"
	echo "parts='$guest_parts'" >"$extra/bench/parts"
	objdump -d --no-show-raw-insn "$extra/bench/empty.ko" | awk '/<empty_fire>:/ { inside = 1; next }
		/^$/ { inside = 0 } inside { n++ } END { print "handler", n }' >"$extra/bench/handler"
	(cd "$extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$work/initrd.$1"
}

guest() {	# guest SERIES: one boot, all parts
	local log=$top/build/logs/$1-bench.log self
	echo "bench: building for kernel $1"
	"$rig/kernel.sh" "$1" && "$rig/module.sh" "$1" && build_modules "$1" && pack "$1" || return
	echo "bench: measuring in kernel $(cat "$top/build/kernels/$1/release"): $parts"
	: >"$out/$1.raw"
	self=$BASHPID
	tail -f -n +1 --pid=$self "$out/$1.raw" 2>/dev/null | sed -u -n "s/^# /  $1: /p" &
	"$rig/boot.sh" --icount --kernel "$1" --initrd "$work/initrd.$1" --run /bench/guest-bench.sh \
		--log "$log" --channel "$out/$1.raw" --timeout 3000 </dev/null
	"$rig/logcheck.sh" "$log" && grep -q '^done' "$out/$1.raw"
}

# A compiling machine: the losses of its stacks, and their causes.
compile() {	# compile SERIES NAME SHIFT SECONDS: one boot, in which an instruction takes 2^SHIFT ns
	local log=$top/build/logs/$1-$2.log extra=$work/$2.$1 result=$out/$2.$1
	"$rig/kernel.sh" "$1" && "$rig/module.sh" "$1" &&
		"$rig/initramfs.sh" "$1" "$work/initrd.$1" || return
	mkdir -p "$extra/bench" && "$bench/compiler.sh" "$extra" || return
	cp "$bench/guest-compile.sh" "$extra/bench/"
	echo "$4" >"$extra/bench/seconds"
	(cd "$extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$work/initrd.$1"
	rm -rf "$extra"
	echo "bench: compiling in kernel $(cat "$top/build/kernels/$1/release")"
	"$rig/boot.sh" --icount --shift "$3" --kernel "$1" --initrd "$work/initrd.$1" --run /bench/guest-compile.sh \
		--log "$log" --channel "$result.raw" --timeout 7200 </dev/null
	tr -d '\r' <"$result.raw" | tee "$result" | sed -n 's/^# /  /p'
	"$rig/logcheck.sh" "$log" && grep -q '^done' "$result"
}

if [[ " $parts " = *" graph "* ]]; then
	echo "bench: probe graph on 100,000 stacks"
	"$out/graph" "$top/build/probe" >"$out/graph.txt"
	status=$?
	cat "$out/graph.txt"
	[ $status = 0 ] || { echo "bench: probe graph failed, or took 2 seconds or 150 MB" >&2; exit 1; }
fi
if [[ " $parts " =~ " trace "|" traced " ]]; then
	echo "bench: probe trace on a trace of ten million events"
	"$out/traced" "$top/build/probe" >"$out/traced.txt"
	status=$?
	awk -f "$bench/report.awk" "$out/traced.txt" | tee "$out/traced.md"
	[ $status = 0 ] || { echo "bench: probe trace took 3 seconds, 0.5 for a second of the code path, or 256 MB" >&2; exit 1; }
fi
if [[ " $parts " = *" symbols "* ]]; then
	echo "bench: symbols of large files"
	: >"$out/symbols.txt"
	status=0
	for file in /usr/lib/x86_64-linux-gnu/libLLVM-*.so.1 /usr/bin/node; do
		[ -h "$file" ] || [ ! -f "$file" ] || "$out/symbols" "$file" >>"$out/symbols.txt" || status=$?
	done
	awk -f "$bench/report.awk" "$out/symbols.txt" | tee "$out/symbols.md"
	[ $status = 0 ] || { echo "bench: reading symbols failed, or took more than 0.6 times nm" >&2; exit 1; }
fi
if [[ " $parts " = *" unwind "* ]]; then
	echo "bench: compiling call frame information"
	files=()
	for file in /lib/x86_64-linux-gnu/libc.so.6 /usr/bin/python3.?? /usr/lib/x86_64-linux-gnu/lib{stdc++.so.6,crypto.so.?} \
			"$(gcc -print-prog-name=cc1)" /usr/bin/node /usr/lib/x86_64-linux-gnu/libclang-cpp.so.*; do
		[ ! -f "$file" ] || files+=("$file")
	done
	"$out/unwind" "${files[@]}" >"$out/unwind.txt"
	status=$?
	awk -f "$bench/report.awk" "$out/unwind.txt" | tee "$out/unwind.md"
	[ $status = 0 ] || { echo "bench: a table took too long, or too much memory" >&2; exit 1; }
fi
if [[ " $parts " = *" compile "* ]]; then
	: >"$out/compile.txt"
	for run in "compile 3 ${COMPILE_SECONDS:-600}" "compile_fast 0 60"; do
		read -r name shift seconds <<<"$run"
		results=() pids=
		for series; do
			compile "$series" "$name" "$shift" "$seconds" &
			pids="$pids $!"
			results+=("$out/$name.$series")
		done
		for pid in $pids; do
			wait "$pid" || { echo "bench: a compile failed" >&2; exit 1; }
		done
		pids=
		awk -v ns=$((1 << shift)) -f "$bench/compile.awk" "${results[@]}" >"$out/$name.md"
		status=$?
		tee -a "$out/compile.txt" <"$out/$name.md"
		[ $status = 0 ] ||
			{ echo "bench: a limit in tests/bench/compile.awk is passed, or nothing was compiled" >&2; exit 1; }
	done
fi
[ -n "$guest_parts" ] || exit 0

# Both kernels at once: the figures are counts of instructions.
for series; do
	guest "$series" &
	pids="${pids:-} $!"
done
failed=0
for pid in $pids; do
	wait "$pid" || failed=1
done
[ $failed = 0 ] || exit 1
raw=()
for series; do raw+=("$out/$series.raw"); done
if [[ " $parts " =~ " calls "|" times "|" trace " ]]; then
	awk -f "$bench/calls.awk" "${raw[@]}" >"$out/calls.md"
	status=$?
	cat "$out/calls.md"
	[ $status = 0 ] || { echo "bench: a call costs too much, or was not counted by all" >&2; exit 1; }
fi
if [[ " $parts " = *" stacks "* ]]; then
	awk -v only=stacks -f "$bench/report.awk" "${raw[@]}" ||
		{ echo "bench: stacks cost more than the limits in tests/bench/report.awk" >&2; exit 1; }
fi
[ "$parts" = "$all" ] || { echo "bench: raw results are in $out; docs/ is made of all parts"; exit; }

awk -v svg="$out/overhead.svg" -f "$bench/report.awk" "${raw[@]}" "$out/symbols.txt" "$out/graph.txt" "$out/unwind.txt" \
	"$out/traced.txt" \
	>"$out/bench.md" &&
	cat "$out/calls.md" "$out/compile.txt" >>"$out/bench.md" &&
	mv "$out/bench.md" "$top/docs/bench.md" && mv "$out/overhead.svg" "$top/docs/overhead.svg" &&
	"$bench/readme.sh" "$top/README.md" "$top/docs/bench.md" && cat "$top/docs/bench.md"
