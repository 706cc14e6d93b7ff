#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernel-newer.sh: fetch the newest kernel in Debian's suites NEWER (trixie and its backports) to
# build/kernels/newer, with the same files as kernel.sh: to find changes of the kernel early. Nothing
# is installed: packages are listed, fetched and unpacked there, and its tools that need a newer C
# library than ours get it. A fetched kernel is not looked for again; `make clean` removes it.
# Exit status 3: no newer kernel can be obtained here.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$top/build/kernels/newer
root=$dir/root
[ ! -s "$dir/vmlinuz" ] || exit 0

absent() {
	echo "newer: no newer kernel can be obtained here: $1" >&2
	exit 3
}

command -v apt-get >/dev/null 2>&1 || absent "this is not Debian"
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
	sed -n 's/^Debian //p' | head -n 1)
[ -n "$mirror" ] || absent "apt knows no archive of Debian"

rm -rf "$dir"
mkdir -p "$dir"/apt/{lists/partial,archives/partial,sources} "$root"
cat >"$dir/apt/sources/newer.sources" <<-END
	Types: deb
	URIs: $mirror
	Suites: ${NEWER:-trixie trixie-backports}
	Components: main
	Architectures: amd64
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
cat >"$dir/apt/conf" <<-END
	Dir::Etc::SourceList "/dev/null";
	Dir::Etc::SourceParts "$dir/apt/sources";
	Dir::State::Lists "$dir/apt/lists";
	Dir::State::Status "/dev/null";
	Dir::Cache "$dir/apt";
	Acquire::Languages "none";
	APT::Sandbox::User "$(id -un)";
END
export APT_CONFIG=$dir/apt/conf
apt-get update -qq 2>"$dir/log" || absent "$(tail -n 1 "$dir/log")"
release=$(apt-cache search --names-only '^linux-headers-[0-9][0-9.]*[+0-9a-z]*-amd64$' |
	sed -n 's/^linux-headers-\([^ ]*\) .*/\1/p' | sort -V | tail -n 1)
[ -n "$release" ] || absent "the archive has no headers"
version=${release%-amd64}
echo "fetching kernel $release" >&2
# The image is in the package linux-binary, if there is one.
image=$(apt-cache search --names-only "^linux-binary-${release//+/\\+}\$" | cut -d ' ' -f 1)
(cd "$dir/apt" && apt-get download -qq "linux-headers-$release" "linux-headers-$version-common" \
	"linux-kbuild-$version" "${image:-linux-image-$release}" \
	libc6 libelf1t64 libssl3t64 zlib1g libzstd1) >>"$dir/log" 2>&1 || absent "$(tail -n 1 "$dir/log")"
for package in "$dir"/apt/*.deb; do dpkg-deb -x "$package" "$root"; done
rm -rf "$dir/apt"

# The headers contain absolute paths.
kdir=$root/usr/src/linux-headers-$release
sed -i "s|/usr/src/|$root/usr/src/|" "$kdir/Makefile"
# Without BTF, which needs a newer pahole.
sed -i '/^CONFIG_DEBUG_INFO_BTF_MODULES=/d' "$kdir/include/config/auto.conf"
# The kernel may have been built by a newer compiler than ours, which then lacks this option.
cat >"$dir/gcc" <<-'END'
	#!/bin/bash
	exec gcc "${@//-fmin-function-alignment=/-falign-functions=}"
END
chmod +x "$dir/gcc"
sed -i "s|^CC *=.*|CC = $dir/gcc|" "$kdir/.kernelvariables"

find "$root/usr/lib/linux-kbuild-$version" -type f -perm -1 | while read -r tool; do
	ldd "$tool" 2>&1 | grep -q 'not found' || continue
	mv "$tool" "$tool.elf"
	cat >"$tool" <<-END
		#!/bin/sh
		exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" \\
			"$tool.elf" "\$@"
	END
	chmod +x "$tool"
done
echo "$release" >"$dir/release"
echo "$kdir" >"$dir/kdir"
vmlinuz=$(find "$root" -name "vmlinuz-$release" -o -path "*/$release/vmlinuz" | head -n 1)
[ -n "$vmlinuz" ] || absent "its package has no image where it is looked for"
mv "$vmlinuz" "$dir/vmlinuz"
rm -rf "$root/usr/lib/modules/$release"
