#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kernel-own.sh debug|kcsan|6.12-nmi-arm64: have a kernel that no distribution has, of linux-source-6.12 with
# tinyconfig and tests/rig/own/*.config, under build/kernels/NAME as kernel.sh has a stock one: two for x86 that
# watch themselves, and one for arm64 with NMIs.
# It takes 15 minutes on two processors, so it is kept in CPUPROBE_CACHE (~/.cache/cpuprobe),
# named by its version and all that it is made of. A build that was stopped goes on.
# Beside it: the key whose certificate it trusts, for modules to be signed with.
set -eu
series=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
configs=$top/tests/rig/own
dir=$top/build/kernels/$series
source=/usr/src/linux-source-6.12.tar.xz

"$top/tests/rig/packages.sh" debug
version=$(dpkg-query -W -f '${Version}' linux-source-6.12 2>/dev/null || cksum <"$source" | tr ' ' -)
image=arch/x86/boot/bzImage
cross=
case $series in
*-arm64)
	set -- "$configs/base.config" "$configs/$series.config"
	image=arch/arm64/boot/Image
	cross=$("$top/tests/rig/arm64-compiler.sh")
	PATH=${cross%/*}:$PATH ;;
*) set -- "$configs/base.config" "$configs/checks.config" "$configs/x86.config" "$configs/$series.config" ;;
esac
sum=$(cat "$@" "$0" | sha256sum | cut -c 1-12)
cache=${CPUPROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cpuprobe}/$series-$version-$sum
tree=$cache/linux
make_kernel() {
	make -s ${cross:+ARCH=arm64 CROSS_COMPILE="$cross" CC="${cross}gcc-12"} "$@"
}

give_up() {
	tail -n 30 "$cache/log" >&2
	echo "kernel-own: build failed, see $cache/log" >&2
	exit 1
}

configure() {	# configure CONFIG...: unpack the source and choose its options
	rm -rf "$cache"
	mkdir -p "$tree/certs"
	tar -C "$tree" --strip-components=1 -xf "$source"
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 36500 -subj /CN=cpuprobe-test/ \
		-keyout "$cache/key.pem" -out "$tree/certs/cpuprobe-test.pem" 2>/dev/null
	cp "$tree/certs/cpuprobe-test.pem" "$cache/cert.pem"
	cat "$@" >"$cache/wanted.config"
	(
		cd "$tree"
		make_kernel tinyconfig
		scripts/kconfig/merge_config.sh -m .config "$cache/wanted.config"
		make_kernel olddefconfig
	) >"$cache/log" 2>&1 || give_up
	touch "$cache/configured"
}

if [ ! -s "$cache/done" ]; then
	echo "building kernel $series of linux-source $version in $cache (15 minutes or so)" >&2
	[ -e "$cache/configured" ] || configure "$@"
	(
		cd "$tree"
		make_kernel -j "$(nproc)" "${image##*/}" modules
	) >>"$cache/log" 2>&1 || give_up
	# An option that its dependencies silently took away would be a test that cannot fail.
	grep '^CONFIG_.*=' "$cache/wanted.config" | grep -vxFf "$tree/.config" >"$cache/absent" || true
	if [ -s "$cache/absent" ]; then
		echo "kernel-own: options that the kernel did not take:" >&2
		cat "$cache/absent" >&2
		exit 1
	fi
	cp "$tree/$image" "$cache/vmlinuz"
	date +%F >"$cache/done"
fi
mkdir -p "$dir"
cp -u "$cache/vmlinuz" "$dir/vmlinuz"
cp "$cache/key.pem" "$cache/cert.pem" "$dir/"
make_kernel -C "$tree" kernelrelease >"$dir/release"
echo "$tree" >"$dir/kdir"
