#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# libraries.sh READELF ROOT PROGRAM: print the paths under ROOT of the shared libraries that a program of another
# processor needs, and of its dynamic linker, as ldd does for this machine's.
set -eu
readelf=$1 root=$2
declare -A seen=()

find_library() {	# find_library NAME
	local at
	for at in "$root"/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu "$root"/lib; do
		[ -e "$at/$1" ] && echo "${at#"$root"}/$1" && return
	done
	return 1
}

visit() {	# visit FILE
	local name path
	for name in $("$readelf" -d "$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
		[ -z "${seen[$name]:-}" ] || continue
		seen[$name]=yes
		path=$(find_library "$name") || continue
		echo "$path"
		visit "$root$path"
	done
}

"$readelf" -l "$3" 2>/dev/null | sed -n 's/.*program interpreter: \(.*\)\]/\1/p'
visit "$3"
