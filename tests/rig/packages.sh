#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# packages.sh [check|lint|format|bench|debug|arm64|fuzz|exports|push|browser|fleet|deb]: install missing packages that
# building and emulation need, and those that this target of the makefile or part of the tests needs
# besides. Prints nothing and does not ask for a password if none is missing.
set -eu

packages="gcc g++ make libelf-dev libdw-dev libcapstone-dev liblzma-dev zlib1g-dev libiberty-dev
	libncurses-dev libcurl4-openssl-dev libmicrohttpd-dev pkgconf libcmocka-dev liblua5.4-dev qemu-system-x86
	busybox-static cpio gzip xz-utils openssl strace binutils"
tools="gcc g++ make qemu-system-x86_64 busybox cpio"
case ${1:-} in
check)
	more="shellcheck linux-perf trace-cmd sparse gcc-multilib dkms kmod tmux groff-base man-db bsdextrautils zsh fish"
	tools="$tools shellcheck perf trace-cmd gprof sparse dkms tmux groff man zsh fish" ;;
format) more="clang-format" tools="$tools clang-format" ;;
lint) more="shellcheck sparse" tools="$tools shellcheck sparse" ;;
deb)
	more="debhelper dh-dkms fakeroot lintian rpm rpmlint mmdebstrap libarchive-tools"
	tools="$tools dpkg-buildpackage lintian rpmbuild rpmlint mmdebstrap bsdtar" ;;
bench) more="linux-perf bpftrace" tools="$tools perf bpftrace" ;;
fuzz) more="clang libclang-rt-dev" tools="$tools clang" ;;
exports | browser)
	more="valgrind golang-go golang-github-google-pprof-dev" tools="$tools node npm"
	case $1 in
	exports) tools="$tools callgrind_annotate go" ;;
	browser) more="chromium fonts-dejavu-core" tools="$tools chromium" ;;
	esac
	# Programs from elsewhere would conflict with Debian's packages.
	command -v node >/dev/null 2>&1 || more="$more nodejs"
	command -v npm >/dev/null 2>&1 || more="$more npm" ;;
push)
	more="python3" tools="$tools python3 node npm"
	command -v node >/dev/null 2>&1 || more="$more nodejs"
	command -v npm >/dev/null 2>&1 || more="$more npm" ;;
fleet)
	more="curl" tools="$tools curl node"
	command -v node >/dev/null 2>&1 || more="$more nodejs" ;;
arm64)
	more="qemu-system-arm binutils-aarch64-linux-gnu pahole"
	tools="$tools qemu-system-aarch64 aarch64-linux-gnu-ld pahole" ;;
debug) more="linux-source-6.12 flex bison bc libssl-dev rsync" tools="$tools flex bison bc" ;;
*) more="" ;;
esac
packages="$packages $more"

if ! command -v apt-get >/dev/null 2>&1; then
	for tool in $tools; do
		command -v "$tool" >/dev/null 2>&1 && continue
		echo "packages: '$tool' is missing, and this is not Debian or Ubuntu." >&2
		echo "Provide: a C and C++ compiler, make, pkg-config, libelf, libdw, capstone, liblzma, zlib, libiberty, wide ncurses, cmocka" >&2
		echo "(for push: libcurl; for -listen: libmicrohttpd) and static" >&2
		echo "Lua 5.4 with headers, qemu-system-x86_64, a static busybox, cpio (make check: shellcheck, perf, trace-cmd, gprof, sparse, dkms," >&2
		echo "32-bit libc, zsh, fish, clang with libFuzzer, callgrind_annotate, go and sources of pprof as Debian has" >&2
		echo "them, node, npm; make bench: perf, bpftrace); then" >&2
		echo "name a kernel image and its headers: make demo KERNEL=/boot/vmlinuz-VERSION KDIR=/lib/modules/VERSION/build" >&2
		exit 1
	done
	exit 0
fi

missing=
for package in $packages; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
		missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
# Only one script at a time may use apt.
exec 9>"${TMPDIR:-/tmp}/cpuprobe-apt.$(id -u)"
flock 9
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -qq -y --no-install-recommends $missing >/dev/null
