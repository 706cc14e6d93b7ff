#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# pictures.sh DIRECTORY SERIES: draw the screens that the test `pictures` has saved on this kernel.
set -eu
out=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"

draw() {	# draw NAME TITLE
	sed -n "s/^$1| //p" "$top/build/figures/$series/pictures" |
		awk -v title="$2" -f "$top/tests/rig/pictures.awk" >"$out/$1.svg"
}

series=$2
draw top "probe top: a machine at work, each share with its 95% interval"
draw instructions "probe top: the instructions of the hot range, beside their samples"
draw histogram "probe proc: the histogram of a program of three functions"
