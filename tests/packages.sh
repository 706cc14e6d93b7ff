#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# packages.sh SERIES: build the Debian packages, check them with lintian, and install, use and
# remove them in a clean Debian guest with that kernel, without a network. On arm64 (6.12-arm64) this is the tool's
# package, with the rig's module: an emulated compiler would take hours to build it by DKMS.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
log=$top/build/logs/packages-$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$top/build/logs"

"$top/tests/rig/packages.sh" deb
case $1 in
*-arm64)
	"$top/tests/rig/kernel.sh" "$1" && DEPTH=quick "$top/tests/rig/module.sh" "$1"
	make -s -C "$top" deb ARCH=arm64
	packages=$top/build/arm64/deb guest=guest-arm64.sh checked=("$packages"/probe_*_arm64.deb)
	needed=("${checked[@]}" "$top/build/kernels/$1/cpuprobe.ko") ;;
*)
	make -s -C "$top" deb
	packages=$top/build/deb guest=guest.sh checked=("$packages"/*.changes)
	needed=("$packages"/*.deb) ;;
esac
echo "lintian"
lintian --allow-root --fail-on error,warning "${checked[@]}"
"$top/tests/packages/root.sh" "$1"

# One more archive after the first: the kernel unpacks both.
mkdir -p "$work/more/rig"
cp "$top/tests/packages/init" "$work/more/"
cp "$top/tests/packages/$guest" "$work/more/rig/guest.sh"
cp "${needed[@]}" "$work/more/rig/"
rm -f "$work"/more/rig/*-dbgsym_*
chmod 755 "$work/more/init"
sed -n 's/^#define CPUPROBE_RELEASE "\(.*\)"/\1/p' "$top/kmod/release.h" >"$work/more/rig/release"
cp "$top/build/debian/$1.cpio" "$work/initrd"
(cd "$work/more" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$work/initrd"
status=0
"$top/tests/rig/boot.sh" --kernel "$1" --initrd "$work/initrd" --memory 4G --run /rig/guest.sh \
	--log "$log.log" --channel "$log.said" --timeout 21600 || status=$?
cat "$log.said"
"$top/tests/rig/logcheck.sh" "$log.log"
exit $status
