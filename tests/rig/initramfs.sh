#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# initramfs.sh SERIES OUT: pack a root file system for the guest: busybox, the module, the tool, the
# programs of build/guest-bin, a few real programs, tests/guest and the guest-* files of tests/rig; all but the module
# as far as they have been built.
set -eu
series=$1
out=$2
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
# Directories of the processor's programs and libraries, and of those that are made for it.
system='' cross='' build=$top/build
case $series in
*-arm64)
	cross=$("$top/tests/rig/arm64-compiler.sh")
	system=$("$top/tests/rig/arm64-sysroot.sh")
	build=$top/build/arm64 ;;
esac

# Prints the paths of the shared libraries that a program needs.
libraries_of() {	# libraries_of PATH
	if [ -z "$system" ]; then
		{ ldd "$1" 2>/dev/null || true; } | grep -o '/[^ ]*'
	else
		"$top/tests/rig/libraries.sh" "${cross}readelf" "$system" "$1"
	fi
}

# Adds a program to /bin, and the shared libraries that it needs at their own paths.
add_program() {
	local path=$1 name=$2 library
	cp -L "$path" "$root/bin/$name"
	libraries_of "$path" | while read -r library; do
		[ -e "$root$library" ] && continue
		mkdir -p "$root$(dirname "$library")"
		cp -L "$system$library" "$root$library"
	done
}

# Prints the path of one of the processor's programs, if there is one.
find_program() {	# find_program NAME
	if [ -z "$system" ]; then
		command -v "$1" || true
	else
		find "$system/bin" "$system/usr/bin" -name "$1" | head -n 1
	fi
}

mkdir -p "$root"/{bin,dev,etc,lib64,proc,root,run,sys,tmp,test,lib/modules}
ln -s bin "$root/sbin"
cp "$(find_program busybox)" "$root/bin/busybox"
for applet in $(busybox --list); do
	[ "$applet" = busybox ] || ln -sf busybox "$root/bin/$applet"
done
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'nobody:x:65534:65534:nobody:/tmp:/bin/sh' >>"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
cp "$top/build/kernels/$series/cpuprobe.ko" "$root/lib/modules/"
for module in "$top/build/kernels/$series/modules"/*.ko; do
	[ ! -e "$module" ] || cp "$module" "$root/lib/modules/"
done
for module in "$top"/tests/modules/* cpuprobe-pattern; do
	name=$(basename "$module")
	for file in "$top/build/kernels/$series/$name/$name.ko" "$top/build/kernels/$series/$name.ko"; do
		[ ! -e "$file" ] || cp "$file" "$root/test/"
	done
done
[ ! -e "$build/probe" ] || add_program "$build/probe" probe
# busybox's own shell would run its applets instead of the real gzip.
rm -f "$root/bin/sh"
add_program "$system/bin/dash" sh
for program in gzip openssl strace perf trace-cmd gprof tmux; do
	path=$(find_program "$program")
	[ -z "$path" ] || { rm -f "$root/bin/$program"; add_program "$path" "$program"; }
done
for path in "$build"/guest-bin/* ${GUEST_PROGRAMS:-}; do
	[ -f "$path" ] && [ -x "$path" ] && add_program "$path" "$(basename "$path")"
done
# Terminals with one, 8 and 256 colours, and the UTF-8 locale.
for name in d/dumb l/linux s/screen s/screen-256color v/vt100 x/xterm x/xterm-256color; do
	for folder in /lib/terminfo /usr/share/terminfo /etc/terminfo; do
		[ -e "$folder/$name" ] || continue
		mkdir -p "$root/lib/terminfo/${name%/*}"
		cp -L "$folder/$name" "$root/lib/terminfo/$name"
	done
done
if [ -d /usr/lib/locale/C.utf8 ]; then
	mkdir -p "$root/usr/lib/locale"
	cp -rL /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
fi
[ ! -d "$build/guest-data" ] || cp "$build"/guest-data/* "$root/test/"
cp "$top"/tests/guest/* "$top"/tests/rig/guest-* "$root/test/"
for name in proportions five interpreter; do
	[ ! -e "$build/guest-bin/$name" ] || "${cross}nm" "$build/guest-bin/$name" >"$root/test/$name.sym"
done
cp "$top/tests/rig/init" "$root/init"
chmod 755 "$root/init" "$root"/test/*.sh
(cd "$root" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >"$out.new"
mv "$out.new" "$out"
