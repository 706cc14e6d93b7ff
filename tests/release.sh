#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# release.sh: the version in kmod/release.h appears wherever else a version is written, and the
# packages' build dependencies contain every library that the tool is linked with.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
release=$(sed -n 's/^#define CPUPROBE_RELEASE "\(.*\)"/\1/p' kmod/release.h)
status=0

same() {	# same WHERE VERSION
	[ "$2" = "$release" ] && return
	echo "release: $1 says '$2', kmod/release.h '$release'" >&2
	status=1
}

same Makefile "$(make -s --no-print-directory -f Makefile -f - print-release <<<'print-release: ; @echo $(RELEASE)')"
same dkms.conf "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)"
same debian/changelog "$(sed -n '1s/^cpuprobe (\(.*\)-[^-]*) .*/\1/p' debian/changelog)"
same cpuprobe.spec "$(sed -n 's/^Version: *//p' cpuprobe.spec)"
same "cpuprobe.spec's changelog" "$(sed -n '/^%changelog/,$s/^\* .* - \(.*\)-[0-9]*$/\1/p' cpuprobe.spec | head -n 1)"
same CHANGELOG.md "$(sed -n '/^## Unreleased/d; s/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)"
same "probe version" "$(build/probe version | sed -n 's/^probe //p')"

# On Debian: each library of the link is a file of one of these packages.
if command -v dpkg-query >/dev/null 2>&1; then
	requires=$(sed -n '/^Build-Depends:/,/^[^ ]*: /s/^ \([a-z0-9.+-]*\).*/\1/p' debian/control)
	# shellcheck disable=SC2013 # words
	for library in $(sed -n 's/^LIBS *:= *//p' Makefile); do
		[ "$library" != -pthread ] || continue
		file=lib${library#-l}
		package=$(dpkg-query -S "*/$file.so" "*/$file.a" 2>/dev/null | sed 's/[:,].*//' | grep -v '^lib[a-z]*32\|^lib[a-z]*x32' | grep -e -dev | sort -u)
		grep -qxF -e libc6-dev -e "$requires" <<<"$package" && continue
		echo "release: debian/control does not require ${package:-a package with} $file" >&2
		status=1
	done
fi
exit $status
