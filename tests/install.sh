#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# install.sh SERIES: `make install` into a folder: what is there, that it works, and that
# `make uninstall` leaves nothing of it, and what was there before.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
kdir=$(cat "$top/build/kernels/$1/kdir") kernel=$(cat "$top/build/kernels/$1/release")
mkdir -p "$root/lib/modules/$kernel/updates" "$root/usr/local/bin"
touch "$root/lib/modules/$kernel/updates/other.ko" "$root/usr/local/bin/other"
(cd "$root" && find . | sort) >"$root.before"
make -s -C "$top" install KDIR="$kdir" DESTDIR="$root" >/dev/null 2>&1
"$root/usr/local/bin/probe" version >/dev/null
modinfo -F license "$root/lib/modules/$kernel/updates/cpuprobe.ko" | grep -q '^GPL'
grep -q '^\.TH PROBE 1' "$root/usr/local/share/man/man1/probe.1"
pages=$(find "$top/docs/man" -name '*.1.in' | wc -l)
grep -q '^\.TH PROBE.*SYS 1' "$root/usr/local/share/man/man1/probe-sys.1"
[ "$(find "$root" -type f | wc -l)" = $((5 + pages)) ]
make -s -C "$top" uninstall DESTDIR="$root" >/dev/null
rmdir "$root"/usr/local/share/man "$root"/usr/local/share
(cd "$root" && find . | sort) | diff "$root.before" -
rm "$root.before"
