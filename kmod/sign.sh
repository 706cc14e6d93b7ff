#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# sign.sh KDIR KEY CERT MODULE: sign a module for kernels that load only signed modules, with the
# sign-file of the kernel whose headers are in KDIR. KEY: a private key in PEM, or pkcs11:...;
# CERT: its X.509 certificate, in PEM or DER. An existing signature is replaced.
set -eu
kdir=$1 key=$2 cert=$3 module=$4

fail() {
	echo "sign: $1" >&2
	[ -z "${2:-}" ] || echo "hint: $2" >&2
	exit 1
}

[ -n "$key" ] && [ -n "$cert" ] ||
	fail "no key and certificate given" "make sign KEY=private.pem CERT=certificate.der"
case $key in
pkcs11:*) ;;
*) [ -r "$key" ] || fail "read the key $key: $([ -e "$key" ] && echo not allowed || echo no such file)" ;;
esac
[ -r "$cert" ] ||
	fail "read the certificate $cert: $([ -e "$cert" ] && echo not allowed || echo no such file)"
[ -r "$module" ] || fail "read $module: no such file" "make module"

release=$(cat "$kdir/include/config/kernel.release" 2>/dev/null) ||
	fail "no kernel headers in '$kdir'" "KDIR=DIRECTORY selects them"
tool=
for tool in "$kdir/scripts/sign-file" "/usr/lib/linux-kbuild-${release%-*}/scripts/sign-file" \
	"$(command -v kmodsign || true)"; do
	[ ! -x "$tool" ] || break
	tool=
done
[ -n "$tool" ] || fail "the headers of kernel $release have no scripts/sign-file" \
	"install linux-kbuild (Debian), or the kernel's own headers"
hash=$(sed -n 's/^CONFIG_MODULE_SIG_HASH="\(.*\)"$/\1/p' "$kdir/include/config/auto.conf" \
	"$kdir/.config" 2>/dev/null | head -n 1)

# Size without the signature. A signed module ends with the signature, 12 bytes whose last four are
# the signature's length, and the marker.
unsigned_size() {
	tail -c 32 "$1" | head -c 4 | od -An -tu1 | {
		read -r a b c d
		echo $(($(stat -c %s "$1") - 40 - (((a * 256 + b) * 256 + c) * 256 + d)))
	}
}

cp "$module" "$module.new"
trap 'rm -f "$module.new" "$module.said"' EXIT
[ "$(tail -c 28 "$module" | tr -d '\0')" != '~Module signature appended~' ] ||
	truncate -s "$(unsigned_size "$module")" "$module.new"
if ! "$tool" "${hash:-sha512}" "$key" "$cert" "$module.new" 2>"$module.said"; then
	# "- SSL error:NUMBER:library:function:reason:file:line"
	reason=$(sed -n 's/^- SSL error:[^:]*:[^:]*:[^:]*:\([^:]*\):.*/\1/p' "$module.said" | head -n 1)
	fail "$(basename "$tool"): ${reason:-$(head -n 1 "$module.said")}" \
		"KEY must be a private key in PEM, and CERT the certificate of that key"
fi
mv "$module.new" "$module"
