#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arm64-sysroot.sh: get Debian's libraries for arm64 with what the tool is built from, and the programs that a guest
# has, and print their directory: build/arm64/sysroot. Nothing is installed.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$top/build/arm64/sysroot
if [ ! -e "$root/.complete" ]; then
	rm -rf "$root"
	echo "fetching libraries for arm64" >&2
	"$top/tests/rig/arm64-packages.sh" fetch "$root" -with-dependencies libelf-dev libdw-dev libcapstone-dev \
		liblzma-dev zlib1g-dev libiberty-dev libncurses-dev liblua5.4-dev libcurl4-openssl-dev \
		libmicrohttpd-dev libc6-dev libstdc++-12-dev busybox-static dash gzip openssl strace >&2
	: >"$root/.complete"
fi
echo "$root"
