#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arm64-sysroot.sh [PACKAGE]: get Debian's libraries for arm64 with what the tool is built from, and the programs that a guest
# has, and one more package that is asked for, and print their directory: build/arm64/sysroot. Nothing is installed.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$top/build/arm64/sysroot
packages="libelf-dev libdw-dev libcapstone-dev liblzma-dev zlib1g-dev libiberty-dev libncurses-dev liblua5.4-dev
	libcurl4-openssl-dev libmicrohttpd-dev libc6-dev libstdc++-12-dev busybox-static dash gzip openssl strace
	linux-perf trace-cmd tmux binutils"

# A link to this machine's root would make the linker take the static library instead.
bend_links() {
	find "$root" -type l -lname '/*' | while read -r link; do
		ln -sfnr "$root$(readlink "$link")" "$link"
	done
}

if [ "$(cat "$root/.complete" 2>/dev/null)" != "$packages" ]; then
	rm -rf "$root"
	echo "fetching libraries for arm64" >&2
	# shellcheck disable=SC2086 # a list of packages
	"$top/tests/rig/arm64-packages.sh" fetch "$root" -with-dependencies $packages >&2
	bend_links
	echo "$packages" >"$root/.complete"
fi
if [ -n "${1:-}" ] && [ ! -e "$root/.has-$1" ]; then
	echo "fetching $1 for arm64" >&2
	"$top/tests/rig/arm64-packages.sh" fetch "$root" -with-dependencies "$1" >&2
	bend_links
	: >"$root/.has-$1"
fi
echo "$root"
