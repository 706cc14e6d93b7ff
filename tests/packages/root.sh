#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# root.sh SERIES: have a clean Debian for guests as build/debian/SERIES.cpio: its smallest system, the
# headers of that kernel, and what the packages in build/deb depend on and recommend, but not them.
# It is kept until something else is wanted in it.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$top/build/debian/$1
kernel=$(cat "$top/build/kernels/$1/release")
mkdir -p "$top/build/debian"

# "a (>= 1) | b, c" is a and c here; ours are not.
wanted="linux-headers-$kernel udev kmod man-db bash-completion busybox-static
	$(for package in "$top"/build/deb/*.deb; do dpkg-deb -f "$package" Depends; done |
		tr ',' '\n' | sed 's/[(|].*//; s/^ *//; /^probe/d; /^cpuprobe/d')"
# dkms needs these to build for a kernel and to sign; a machine with dkms has them.
# shellcheck disable=SC2086 # words
wanted=$(printf '%s\n' $wanted libc6-dev openssl | sort -u | paste -sd ,)
[ ! -s "$out.cpio" ] || [ "$wanted" != "$(cat "$out.wanted" 2>/dev/null)" ] || exit 0

echo "making a Debian for the guest" >&2
apt-get indextargets --format '$(LABEL) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
	sed -n 's/^Debian[^ ]* /deb /p' >"$out.list"
suite=$(sed -n 's/^deb [^ ]* \([^ ]*\) .*/\1/p' "$out.list" | head -n 1)
mmdebstrap --quiet --variant=minbase --format=tar --include="$wanted" \
	--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	"$suite" "$out.tar" "$out.list" >"$out.log" 2>&1 || { tail -n 20 "$out.log" >&2; exit 1; }
# The archive's devices are devtmpfs's affair.
bsdtar --format=newc -cf "$out.cpio" --exclude './dev/*' "@$out.tar"
rm "$out.tar"
echo "$wanted" >"$out.wanted"
