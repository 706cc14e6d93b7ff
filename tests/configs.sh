#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# configs.sh: the module compiles without warnings for kernels that lack optional features: control
# groups, tracepoints, hooks of either kind, the unwinder of stock kernels. From linux-source-6.12 with tinyconfig;
# nothing is run.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$top/tests/rig/packages.sh" debug
mkdir "$work/linux" "$work/module"
tar -C "$work/linux" --strip-components=1 -xf /usr/src/linux-source-6.12.tar.xz
(cd "$top" && find Kbuild kmod -name '*.[ch]' -o -name Kbuild) | tar -C "$top" -c -T - | tar -x -C "$work/module"
all="64BIT SMP MODULES MODULE_UNLOAD PRINTK HIGH_RES_TIMERS PROC_FS SYSFS PERF_EVENTS MULTIUSER"

# Whether the configuration has each option before -- and none after.
is_as_wanted() {	# is_as_wanted OPTION... -- OPTION...
	local option wanted=y
	for option; do
		[ "$option" != -- ] || { wanted=n; continue; }
		if grep -q "^CONFIG_$option=y" "$work/linux/.config"; then found=y; else found=n; fi
		[ $found = $wanted ] || { echo "$option is $found"; return 1; }
	done
}

configure() {	# configure OPTION... -- OPTION...
	local option set=-e
	make -s -C "$work/linux" tinyconfig || return
	for option; do
		[ "$option" != -- ] || { set=-d; continue; }
		"$work/linux/scripts/config" --file "$work/linux/.config" $set "$option" || return
	done
	make -s -C "$work/linux" olddefconfig && is_as_wanted "$@" &&
		make -s -C "$work/linux" -j "$(nproc)" modules_prepare
}

compile() {
	find "$work/module" -name '*.o' -delete
	make -s -C "$work/linux" M="$work/module" W=1 KCFLAGS=-Werror KBUILD_MODPOST_WARN=1 modules
}

run() {	# run NAME OPTION... -- OPTION...
	local name=$1
	shift
	# shellcheck disable=SC2086 # words
	if { configure $all "$@" && compile; } >"$work/log" 2>&1; then
		echo "ok   configs $name"
	else
		cat "$work/log"
		echo "FAIL configs $name"
		status=1
	fi
}

status=0

run "no control groups" -- CGROUPS TRACEPOINTS
run "frame pointers" UNWINDER_FRAME_POINTER CGROUPS -- UNWINDER_ORC UNWINDER_GUESS
run "function tracer without kprobes" FTRACE FUNCTION_TRACER DYNAMIC_FTRACE -- KPROBES
run "kprobes without function tracer" KPROBES KRETPROBES -- FUNCTION_TRACER
run "no unwinder" UNWINDER_GUESS -- UNWINDER_ORC UNWINDER_FRAME_POINTER
exit $status
