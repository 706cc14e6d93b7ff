#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# modules.sh FROM TO: copy the modules that tests in the guest need, of virtual machines and union mounts, from an
# unpacked kernel. Some kernels have them compressed, and the guest cannot unpack them.
set -eu
rm -rf "$2" "$2.new"
mkdir "$2.new"
find "$1" -name irqbypass.ko\* -o -name ccp.ko\* -o -name kvm.ko\* -o -name kvm-amd.ko\* -o -name overlay.ko\* |
	while read -r file; do
		case $file in
		*.xz) xz -dc "$file" >"$2.new/$(basename "$file" .xz)" ;;
		*) cp "$file" "$2.new/" ;;
		esac
	done
mv "$2.new" "$2"
