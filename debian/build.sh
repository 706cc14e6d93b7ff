#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# build.sh: make the Debian packages, source and binary, in build/deb, from the files that git tracks
# in this tree, or without git from all files. Unit tests run if DEB_BUILD_OPTIONS is set without
# nocheck.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
version=$(dpkg-parsechangelog -l "$top/debian/changelog" -S Version)
name=cpuprobe-${version%-*}
out=$top/build/deb
rm -rf "$out"
mkdir -p "$out/$name"
cd "$top"
# The fuzzer's corpus is left out: malformed binaries without source.
if git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files -z ':!tests/fuzz/corpus' | tar -c --null -T -
else
	tar -c --exclude=./build --exclude=./tests/fuzz/corpus .
fi | tar -x -C "$out/$name"
cd "$out"
tar -c --exclude="$name/debian" --sort=name --owner=0 --group=0 --numeric-owner -J \
	-f "cpuprobe_${version%-*}.orig.tar.xz" "$name"
cd "$name"
DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-nocheck} dpkg-buildpackage -us -uc >../log 2>&1 || {
	tail -n 40 ../log >&2
	exit 1
}
cd ..
rm -rf "$name"
ls ./*.deb
