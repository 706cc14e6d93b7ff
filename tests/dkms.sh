#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dkms.sh SERIES: DKMS builds and signs the module from its sources, in directories of its own, and
# refuses a kernel that is too old. This machine's modules and keys are not touched.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
kdir=$(cat "$top/build/kernels/$1/kdir") kernel=$(cat "$top/build/kernels/$1/release")
release=$(sed -n 's/^#define CPUPROBE_RELEASE "\(.*\)"/\1/p' "$top/kmod/release.h")
arch=$(uname -m)

mkdir -p "$root/sources" "$root/lib/modules" "$root/tree" "$root/usr"
cp -R "$top/Kbuild" "$top/dkms.conf" "$top/kmod" "$root/sources/"
find "$root/sources" -name '*.o' -delete -o -name '.*.cmd' -delete
openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=cpuprobe-dkms-test/ \
	-keyout "$root/key.pem" -outform DER -out "$root/cert.der" 2>/dev/null

# DKMS takes these from its environment unless /etc/dkms sets them.
export mok_signing_key=$root/key.pem mok_certificate=$root/cert.der sign_file=$kdir/scripts/sign-file
run() {
	dkms "$@" --dkmstree "$root/tree" --sourcetree "$root/usr" --installtree "$root/lib/modules" \
		--no-depmod >"$root/log" 2>&1
}
failed() {
	cat "$root/log" "$root/tree/cpuprobe/$release/build/make.log" 2>/dev/null || true
	echo "dkms: $1" >&2
	exit 1
}

run add "$root/sources" || failed "the sources are not accepted"
run build "cpuprobe/$release" -k "$kernel" -a "$arch" --kernelsourcedir "$kdir" || failed "build"
module=$(find "$root/tree/cpuprobe/$release/$kernel" -name 'cpuprobe.ko*')
[ "$(modinfo -F version "$module")" = "$release" ] || failed "version"
[ "$(modinfo -F vermagic "$module" | cut -d ' ' -f 1)" = "$kernel" ] || failed "for another kernel"
[ "$(modinfo -F signer "$module")" = cpuprobe-dkms-test ] || failed "not signed"
run build "cpuprobe/$release" -k 5.10.0-1-amd64 -a "$arch" --kernelsourcedir "$kdir" && failed "builds for 5.10"
grep -q 'BUILD_EXCLUSIVE' "$root/log" || failed "5.10 is refused for another reason"
run remove "cpuprobe/$release" --all || failed "remove"
[ ! -e "$root/tree/cpuprobe/$release" ] || failed "something is left"
