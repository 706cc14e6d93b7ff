#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# build-arm64.sh PROGRAM: make the package of the tool for arm64 in build/arm64/deb, beside a copy of the module's
# package, which is of all processors. PROGRAM is the tool, compiled for arm64. All other files and the dependencies
# are those of this machine's package: it is an error if the tool needs other libraries here.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
program=$1
out=$top/build/arm64/deb
# Not with the ARCH=arm64 of a make that runs this.
env -u MAKEFLAGS -u MFLAGS -u ARCH "$top/debian/build.sh" >/dev/null
rm -rf "$out"
mkdir -p "$out"
cp "$top"/build/deb/cpuprobe-dkms_*_all.deb "$out/"
package=$(echo "$top"/build/deb/probe_*_"$(dpkg --print-architecture)".deb)
dpkg-deb -R "$package" "$out/root"

libraries() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | grep -v '^ld-linux' | sort; }
if [ "$(libraries "$program")" != "$(libraries "$out/root/usr/bin/probe")" ]; then
	echo "deb: the tool for arm64 needs other libraries than this machine's" >&2
	exit 1
fi
others=$(find "$out/root/usr" -type f ! -path '*/bin/probe' -exec sh -c 'head -c 4 "$0" | grep -q ELF && echo "$0"' {} \;)
if [ -n "$others" ]; then
	echo "deb: not only the tool is compiled: $others" >&2
	exit 1
fi

install -m 755 "$program" "$out/root/usr/bin/probe"
sed -i -e 's/^Architecture: .*/Architecture: arm64/' \
	-e "s/^Installed-Size: .*/Installed-Size: $(du -k -s --apparent-size "$out/root/usr" | cut -f 1)/" \
	"$out/root/DEBIAN/control"
(cd "$out/root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
name=$(basename "$package")
dpkg-deb --root-owner-group -b "$out/root" "$out/${name%_*}_arm64.deb" >/dev/null
rm -rf "$out/root"
ls "$out"/*.deb
