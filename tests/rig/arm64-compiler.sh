#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arm64-compiler.sh: get Debian's compiler for arm64 and print the beginning of its programs' names, as
# CROSS_COMPILE= takes it. It is in build/arm64/tools, and not installed, because its package and gcc-multilib,
# which other tests need, exclude each other.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
tools=$top/build/arm64/tools
if [ ! -x "$tools/usr/bin/aarch64-linux-gnu-g++-12" ]; then
	"$top/tests/rig/packages.sh" arm64
	rm -rf "$tools"
	echo "fetching a compiler for arm64" >&2
	"$top/tests/rig/arm64-packages.sh" fetch "$tools" gcc-12-aarch64-linux-gnu:amd64 \
		g++-12-aarch64-linux-gnu:amd64 cpp-12-aarch64-linux-gnu:amd64 binutils-aarch64-linux-gnu:amd64 \
		libgcc-12-dev-arm64-cross:all libstdc++-12-dev-arm64-cross:all >&2
fi
echo "$tools/usr/bin/aarch64-linux-gnu-"
