#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sign.sh SERIES: `make sign` and its parts: the signature is made with the right key, and there is
# one; missing or mismatched files are reported in one line.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
kdir=$(cat "$top/build/kernels/$1/kdir")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

make_key() {	# make_key NAME FORM
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1/" \
		-keyout "$1.key" -outform "$2" -out "$1.cert" 2>/dev/null
}
refused() {	# refused PATTERN ARGUMENTS...
	local pattern=$1
	shift
	cp module.ko before.ko
	! "$top/kmod/sign.sh" "$@" 2>err || { echo "sign: must be refused: $*" >&2; exit 1; }
	head -n 1 err | grep -q "^sign: $pattern" || { cat err >&2; exit 1; }
	[ "$(grep -vc '^hint: ' err)" = 1 ] || { cat err >&2; exit 1; }
	cmp before.ko module.ko
}

make_key one PEM
make_key two DER
make -s -C "$top" module KDIR="$kdir" >/dev/null 2>&1
cp "$top/cpuprobe.ko" module.ko
cp module.ko plain.ko
"$top/kmod/sign.sh" "$kdir" one.key one.cert module.ko
[ "$(modinfo -F signer ./module.ko)" = one ]
"$top/kmod/sign.sh" "$kdir" two.key two.cert module.ko
[ "$(modinfo -F signer ./module.ko)" = two ]
[ "$(grep -c 'Module signature appended' -a module.ko)" = 1 ]
cmp -n "$(stat -c %s plain.ko)" plain.ko module.ko

refused 'no key and certificate given' "$kdir" '' '' module.ko
refused 'no key and certificate given' "$kdir" one.key '' module.ko
refused 'read the key none: no such file' "$kdir" none one.cert module.ko
refused 'read the certificate none: no such file' "$kdir" one.key none module.ko
refused 'read none.ko: no such file' "$kdir" one.key one.cert none.ko
refused "no kernel headers in '$work'" "$work" one.key one.cert module.ko
refused 'sign-file: key values mismatch' "$kdir" one.key two.cert module.ko
refused 'sign-file: .' "$kdir" one.cert one.cert module.ko
mkdir -p bare/include/config
echo 9.9.9-nowhere >bare/include/config/kernel.release
PATH=/bin:/usr/bin refused 'the headers of kernel 9.9.9-nowhere have no scripts/sign-file' \
	bare one.key one.cert module.ko

make -s -C "$top" sign KDIR="$kdir" KEY="$work/one.key" CERT="$work/one.cert" >/dev/null
[ "$(modinfo -F signer "$top/cpuprobe.ko")" = one ]
make -s -C "$top" install KDIR="$kdir" KEY="$work/two.key" CERT="$work/two.cert" DESTDIR="$work/root" >/dev/null
[ "$(modinfo -F signer "$(find root -name cpuprobe.ko)")" = two ]
rm "$top/cpuprobe.ko"
