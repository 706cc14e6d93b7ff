#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# root.sh SERIES: have a clean Debian for guests as build/debian/SERIES.cpio: its smallest system, the
# headers of that kernel, and what the packages in build/deb depend on and recommend, but not them.
# It is kept until something else is wanted in it. On arm64 it is what the tool's package depends on, and dpkg.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$top/build/debian/$1
kernel=$(cat "$top/build/kernels/$1/release")
mkdir -p "$top/build/debian"

# "a (>= 1) | b, c" is a and c here; ours are not.
dependencies() {	# dependencies PACKAGE...
	for package; do dpkg-deb -f "$package" Depends; done |
		tr ',' '\n' | sed 's/[(|].*//; s/^ *//; /^probe/d; /^cpuprobe/d'
}

# Programs of another processor do not run here: its packages are unpacked, and none of their scripts runs.
make_arm64() {
	local root=$out.root name
	wanted=$(dependencies "$top"/build/arm64/deb/probe_*_arm64.deb | paste -sd ' ')
	wanted="$wanted base-files base-passwd bash busybox-static coreutils dash debianutils diffutils dpkg findutils grep
		gzip kmod libc-bin mawk mount ncurses-base perl-base sed tar util-linux"
	[ ! -s "$out.cpio" ] || [ "$wanted" != "$(cat "$out.wanted" 2>/dev/null)" ] || return 0
	echo "making a Debian of arm64 for the guest" >&2
	rm -rf "$root"
	for name in bin sbin lib; do
		mkdir -p "$root/usr/$name"
		ln -s "usr/$name" "$root/$name"
	done
	# shellcheck disable=SC2086 # words
	"$top/tests/rig/arm64-packages.sh" system "$root" $wanted
	cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
	cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
	ln -sf mawk "$root/usr/bin/awk"
	mkdir -p "$root"/{rig,proc,sys,dev,tmp} "$root/lib/modules/$kernel"
	(cd "$root" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >"$out.cpio"
	rm -rf "$root"
	echo "$wanted" >"$out.wanted"
}
case $1 in *-arm64) make_arm64; exit ;; esac

wanted="linux-headers-$kernel udev kmod man-db bash-completion busybox-static
	$(dependencies "$top"/build/deb/*.deb)"
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
