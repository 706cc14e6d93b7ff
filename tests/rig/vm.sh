#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm.sh run SERIES -- COMMAND: run a shell command in a stock kernel with the module loaded.
# vm.sh shell SERIES: run a shell there.
# vm.sh demo SERIES: show the reports on real programs.
# vm.sh hidden SERIES: print a row for each program that hides from samplers.
set -eu
verb=$1
series=$2
shift 2
[ "${1:-}" != -- ] || shift
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/tests/rig
"$rig/kernel.sh" "$series"
"$rig/module.sh" "$series"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$top/build/logs"
log=$top/build/logs/vm-$series.log
"$rig/initramfs.sh" "$series" "$work/initrd"
if [ "$verb" = run ]; then
	# The kernel unpacks this second archive after the first.
	mkdir -p "$work/extra/test"
	printf '%s\n' "$*" >"$work/extra/test/command"
	(cd "$work/extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$work/initrd"
fi
status=0
options=()
# Exact time makes the output independent of the host's load.
case $verb in
demo | hidden) options=(--icount) ;;
shell | run) options=(--timeout 0) ;;
esac
"$rig/boot.sh" "${options[@]}" --kernel "$series" --initrd "$work/initrd" --log "$log" \
	--run "/test/guest-$verb.sh" || status=$?
"$rig/logcheck.sh" "$log" || status=1
exit "$status"
