#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# rpm.sh: rpmbuild makes the RPM packages of cpuprobe.spec from a tar archive, rpmlint finds nothing
# wrong with the spec, and the packages contain the right files. Debian's rpm database is empty, so
# that build requirements are not checked.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$top/tests/rig/packages.sh" deb
release=$(sed -n 's/^#define CPUPROBE_RELEASE "\(.*\)"/\1/p' "$top/kmod/release.h")
name=cpuprobe-$release
mkdir "$work/$name"
(cd "$top" && git ls-files -z ':!tests' | tar -c --null -T - | tar -x -C "$work/$name")
tar -C "$work" -czf "$work/$name.tar.gz" "$name"

# The archive has no address yet, and rpm itself has chosen the build directory since 4.6.
cat >"$work/filters" <<-'END'
	addFilter("invalid-url Source0")
	addFilter("no-buildroot-tag")
END
rpmlint -r "$work/filters" "$top/cpuprobe.spec" >"$work/lint" 2>&1 || { cat "$work/lint"; exit 1; }
grep -q ' 0 errors, 0 warnings' "$work/lint" || { cat "$work/lint"; exit 1; }
# rpmbuild finds the spec inside the archive. Fedora's systemd-rpm-macros define the directories.
rpmbuild --nodeps -D "_topdir $work/rpm" -D '_modprobedir /usr/lib/modprobe.d' \
	-D '_modulesloaddir /usr/lib/modules-load.d' -D '_sysusersdir /usr/lib/sysusers.d' \
	-D '_udevrulesdir /usr/lib/udev/rules.d' -D '_unitdir /usr/lib/systemd/system' -tb "$work/$name.tar.gz" >"$work/log" 2>&1 ||
	{ tail -n 30 "$work/log"; exit 1; }
cd "$work/rpm/RPMS"
has() {	# has PACKAGE PATH...
	local package=$1 path
	shift
	for path; do
		rpm -qlp "$package" 2>/dev/null | grep -qx "$path" || { echo "rpm: $package has no $path"; exit 1; }
	done
}
has x86_64/probe-"$release"-1*.rpm /usr/bin/probe '/usr/share/man/man1/probe\.1.*' \
	/usr/share/bash-completion/completions/probe /usr/share/zsh/site-functions/_probe \
	/usr/share/fish/vendor_completions.d/probe.fish
has noarch/cpuprobe-dkms-"$release"-1*.rpm "/usr/src/$name/dkms.conf" "/usr/src/$name/kmod/release.h" \
	/usr/lib/modprobe.d/cpuprobe.conf /usr/lib/modules-load.d/cpuprobe.conf \
	/usr/lib/sysusers.d/cpuprobe.conf /usr/lib/udev/rules.d/60-cpuprobe.rules
rpm2cpio x86_64/probe-"$release"-1*.rpm | cpio --quiet -id ./usr/bin/probe
[ "$(usr/bin/probe version | head -n 1)" = "probe $release" ]
