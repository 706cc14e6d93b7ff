#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kernel.sh SERIES: fetch a stock kernel of a series (6.1, 6.12, 6.1-rt, 6.12-cloud ...) to
# build/kernels/SERIES: vmlinuz, release, kdir (path of its headers), modules (those of KVM and overlayfs). The image is
# unpacked there and not installed; the headers, which contain absolute paths, are installed. If KERNEL=IMAGE
# and KDIR=HEADERS are both given, they are used instead, without modules. debug, kcsan and 6.12-nmi-arm64 are built; newer is the newest
# kernel available. Those whose name ends in -arm64 are for that processor.
set -eu
series=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$top/build/kernels/$series
mkdir -p "$dir"

case $series in
debug | kcsan | 6.12-nmi-arm64) exec "$top/tests/rig/kernel-own.sh" "$series" ;;
newer) exec "$top/tests/rig/kernel-newer.sh" ;;
*-arm64) exec "$top/tests/rig/kernel-arm64.sh" "$series" ;;
esac
if [ -n "${KERNEL:-}" ]; then
	if [ ! -r "$KERNEL" ] || [ ! -r "${KDIR:-}/include/config/kernel.release" ]; then
		echo "kernel: KERNEL= must name a kernel image and KDIR= its headers" >&2
		exit 1
	fi
	cp "$KERNEL" "$dir/vmlinuz"
	cp "$KDIR/include/config/kernel.release" "$dir/release"
	echo "$KDIR" >"$dir/kdir"
	exit 0
fi
if [ -s "$dir/vmlinuz" ] && [ -e "$dir/modules/overlay.ko" ] && [ -d "$(cat "$dir/kdir" 2>/dev/null)" ]; then
	exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
	echo "kernel: no Debian packages here: give KERNEL=IMAGE and KDIR=HEADERS" >&2
	exit 1
fi

number=${series%%-*}
flavour=$(echo "$series" | sed -n 's/^[^-]*\(-.*\)/\1/p')
newest() {
	# Versions change; take the archive's newest of this series and flavour.
	apt-cache pkgnames "linux-image-$number." |
		grep -E "^linux-image-$number\.[0-9.-]*[0-9](\+deb[0-9]+)?(-[0-9]+)?$flavour-amd64\$" |
		sort -V | tail -n 1
}
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
# Only one script at a time may use apt.
exec 9>"${TMPDIR:-/tmp}/cpuprobe-apt.$(id -u)"
flock 9
image=$(newest)
[ -n "$image" ] || { $as_root apt-get update -qq >&2; image=$(newest); }
if [ -z "$image" ]; then
	echo "kernel: the package archive has no kernel of series $series" >&2
	echo "hint: give KERNEL=IMAGE and KDIR=HEADERS" >&2
	exit 1
fi
release=${image#linux-image-}
echo "fetching kernel $release" >&2
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends \
	"linux-headers-$release" >/dev/null
rm -rf "$dir/unpacked"
(cd "$dir" && apt-get download -qq -o APT::Sandbox::User="$(id -un)" "$image" >/dev/null && dpkg-deb -x linux-image-*.deb unpacked &&
	rm -f linux-image-*.deb)
cp "$dir/unpacked/boot/vmlinuz-$release" "$dir/vmlinuz.new"
"$top/tests/rig/modules.sh" "$dir/unpacked" "$dir/modules"
rm -rf "$dir/unpacked"
echo "$release" >"$dir/release"
echo "/usr/src/linux-headers-$release" >"$dir/kdir"
mv "$dir/vmlinuz.new" "$dir/vmlinuz"
