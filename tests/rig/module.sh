#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# module.sh SERIES: build cpuprobe.ko and the modules of the tests against that kernel's headers,
# without a warning of gcc or, if it is installed, of sparse. They are built in a copy of the sources,
# since kernels cannot share a directory of objects. cpuprobe-pattern.ko is the same module with the
# pattern 0xfe in every uninitialised local variable, which some kernels let the compiler zero.
# DEPTH=quick and ci omit the latter, which only a slow test loads, and for arm64 build cpuprobe.ko alone, without
# sparse; quick omits sparse for the modules of the tests.
set -eu
series=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$top/build/kernels/$series
mkdir -p "$dir"
# Copies sources only: another kernel's objects may be in the same directory.
copy_sources() {	# copy_sources DIRECTORY
	mkdir -p "$1"
	(cd "$top" && find Kbuild kmod -type f ! -name '.*' ! -name '*.o' ! -name '*.mod*' ! -name '*.gc*' -print0 |
		tar -c --null -T -) | tar -x -C "$1"
}
copy_sources "$dir/src"
log=$dir/module.log
options=()
depth=${DEPTH:-full}
is_alone=
case $depth,$series in quick,*-arm64 | ci,*-arm64) is_alone=yes ;; esac
check=()
[ -n "$is_alone" ] || ! command -v sparse >/dev/null || check=(C=2 CHECK='sparse -Wsparse-error')
cross=
case $series in
*-arm64)
	cross=$("$top/tests/rig/arm64-compiler.sh")
	PATH=${cross%/*}:$PATH
	options+=(ARCH=arm64 "CROSS_COMPILE=$cross" "CC=${cross}gcc-12") ;;
esac
# The debug kernel counts the lines that run, for coverage.sh.
[ "$series" != debug ] || options+=(GCOV_PROFILE=y)
build() {	# build DIRECTORY [FLAG]
	make -s -C "$(cat "$dir/kdir")" M="$1" W=1 KCFLAGS="-Werror ${2:-}" "${options[@]}" "${check[@]}" modules \
		>"$log" 2>&1 && return
	cat "$log" >&2
	exit 1
}
build "$dir/src"
cp "$dir/src/cpuprobe.ko" "$dir/cpuprobe.ko"
"${cross}strip" --strip-debug "$dir/cpuprobe.ko"
[ -z "$is_alone" ] || exit 0
if [ "$depth" = full ]; then
	copy_sources "$dir/src-pattern"
	build "$dir/src-pattern" -ftrivial-auto-var-init=pattern
	"${cross}strip" --strip-debug "$dir/src-pattern/cpuprobe.ko" -o "$dir/cpuprobe-pattern.ko"
fi
[ "$depth" != quick ] || check=()
for module in "$top"/tests/modules/*; do
	name=$(basename "$module")
	mkdir -p "$dir/$name"
	cp -Rpu "$module/." "$dir/$name/"
	build "$dir/$name"
done
# Tests make the kernels whose key we have accept signed modules only.
[ ! -e "$dir/key.pem" ] ||
	"$top/kmod/sign.sh" "$(cat "$dir/kdir")" "$dir/key.pem" "$dir/cert.pem" "$dir/cpuprobe.ko"
