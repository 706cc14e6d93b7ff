#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernel-arm64.sh SERIES: fetch a stock arm64 kernel of a series (6.1-arm64, 6.12-arm64, 6.12-rt-arm64; 6.12-16k-arm64
# has pages of 16 KiB) to build/kernels/SERIES, with the same files as kernel.sh. The image, its headers and the
# programs of this machine that build modules are all unpacked there, and not installed.
set -eu
series=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$top/build/kernels/$series
packages=$top/tests/rig/arm64-packages.sh
"$top/tests/rig/arm64-compiler.sh" >/dev/null
if [ -s "$dir/vmlinuz" ] && [ -d "$dir/modules" ] && [ -d "$(cat "$dir/kdir" 2>/dev/null)" ]; then
	exit 0
fi

number=${series%%-*}
flavour=${series#"$number"}
common=${flavour%-arm64}
# Debian names the size of pages last, and these kernels share the headers of those with pages of 4 KiB.
case $flavour in -16k-arm64) flavour=-arm64-16k common='' ;; esac
# The newest that is complete: Debian signs an image hours after it has published the headers.
release=$("$packages" list "^linux-(headers|image)-${number//./\\.}\.[0-9.-]*[0-9](\+deb[0-9]+)?(-[0-9]+)?$flavour\$" |
	sed 's/^linux-[a-z]*-//' | sort -V | uniq -d | tail -n 1)
if [ -z "$release" ]; then
	echo "kernel: the package archive has no kernel of series $series" >&2
	exit 1
fi
echo "fetching kernel $release" >&2
version=${release%"$flavour"}
# Kernels of the stable release share the programs of their series.
kbuild=linux-kbuild-$version
case $number in 6.1) kbuild=linux-kbuild-$number ;; esac
rm -rf "$dir/root"
"$packages" fetch "$dir/root" "linux-image-$release" "linux-headers-$release" \
	"linux-headers-$version-common$common" "$kbuild:amd64"
# The headers contain an absolute path.
kdir=$dir/root/usr/src/linux-headers-$release
sed -i "s|/usr/src/|$dir/root/usr/src/|" "$kdir/Makefile"
echo "$release" >"$dir/release"
echo "$kdir" >"$dir/kdir"
mv "$dir/root/boot/vmlinuz-$release" "$dir/vmlinuz"
"$top/tests/rig/modules.sh" "$dir/root/lib/modules" "$dir/modules"
rm -rf "$dir/root/lib/modules" "$dir/root/boot"
