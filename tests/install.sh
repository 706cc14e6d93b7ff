#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# install.sh SERIES: `make install` into a directory installs everything, and the tool works there;
# `make uninstall` removes everything it installed and nothing else.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
kdir=$(cat "$top/build/kernels/$1/kdir") kernel=$(cat "$top/build/kernels/$1/release")
mkdir -p "$root/lib/modules/$kernel/updates" "$root/usr/local/bin"
touch "$root/lib/modules/$kernel/updates/other.ko"
(cd "$root" && find . -type f | sort) >"$root.before"
(cd "$top" && ls docs/*.[1-8] docs/man/*.[1-8] docs/man/*.[1-8].in) | sed 's/\.in$//' |
	sed 's|.*/\(.*\.\(.\)\)$|./usr/local/share/man/man\2/\1|' >"$root.wanted"
cat "$root.before" - >>"$root.wanted" <<-END
	./lib/modules/$kernel/updates/cpuprobe.ko
	./etc/cpuprobe/agent.conf
	./usr/local/bin/probe
	./usr/local/include/cpuprobe_mark.h
	./usr/local/lib/modprobe.d/cpuprobe.conf
	./usr/local/lib/modules-load.d/cpuprobe.conf
	./usr/local/lib/systemd/system/cpuprobe-agent.service
	./usr/local/lib/sysusers.d/cpuprobe.conf
	./usr/local/lib/udev/rules.d/60-cpuprobe.rules
	./usr/local/share/bash-completion/completions/probe
	./usr/local/share/fish/vendor_completions.d/probe.fish
	./usr/local/share/zsh/site-functions/_probe
END
make -s -C "$top" install KDIR="$kdir" DESTDIR="$root" >/dev/null 2>&1
(cd "$root" && find . -type f | sort) | diff <(sort "$root.wanted") -
release=$("$root/usr/local/bin/probe" version | sed -n 's/^probe //p')
modinfo -F license "$root/lib/modules/$kernel/updates/cpuprobe.ko" | grep -q '^GPL'
[ "$(modinfo -F version "$root/lib/modules/$kernel/updates/cpuprobe.ko")" = "$release" ]
for page in "$root"/usr/local/share/man/man*/*; do
	grep -q "^\.TH .*\"cpuprobe $release\"" "$page" || { echo "$page names no version"; exit 1; }
done
make -s -C "$top" uninstall DESTDIR="$root" >/dev/null
(cd "$root" && find . -type f | sort) | diff "$root.before" -
# Shared directories may remain, our own are gone.
[ -z "$(find "$root" -path '*cpuprobe*')" ] && [ -d "$root/usr/local/bin" ]
rm "$root.before" "$root.wanted"
