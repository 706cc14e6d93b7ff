#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest-tests.sh SERIES...: run tests/guest/*.sh in stock kernels. Lines in a test's head:
#   # rig: icount         one CPU, an instruction takes a nanosecond exactly (else: 2 CPUs, free)
#   # rig: alone          changes the kernel for good: a boot of its own
#   # rig: timeout=SEC    its limit in the guest's time (90)
#   # rig: module X=Y     parameters of the module
# All tests of one kind share a boot. The kernel's log of each boot is a test too.
# TESTS="name ..." chooses. Prints a line per test, then "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/tests/rig
logs=$top/build/logs
mkdir -p "$logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() {	# verdict STATUS NAME
	if [ "$1" = 0 ]; then
		passed=$((passed + 1)) && echo "ok   $2"
	else
		failed=$((failed + 1)) && echo "FAIL $2"
	fi
}

list_tests() {	# list_tests icount|free|alone
	local file name kind
	for file in "$top"/tests/guest/*.sh; do
		name=$(basename "$file" .sh)
		if [ -n "${TESTS:-}" ]; then
			case " $TESTS " in *" $name "*) ;; *) continue ;; esac
		fi
		kind=$(sed -n 's/^# rig: \(icount\|alone\)$/\1/p' "$file")
		kind=${kind:-free}
		[ "$kind" != "$1" ] || echo "$name"
	done
}

boot_tests() {	# boot_tests SERIES icount|free|alone [NAME]
	local series=$1 kind=$2 log=$logs/$1-$2.log channel=$logs/$1-$2.tests name options=(--smp 2)
	if [ -n "${3:-}" ]; then echo "$3"; else list_tests "$kind"; fi >"$work/list"
	[ -s "$work/list" ] || return 0
	[ "$kind" != icount ] || options=(--icount)
	rm -rf "$work/extra" && mkdir -p "$work/extra/test" && cp "$work/list" "$work/extra/test/list"
	cp "$work/initrd" "$work/initrd.$kind"
	(cd "$work/extra" && find . -print0 | cpio --quiet -0 -o -H newc -R 0:0) >>"$work/initrd.$kind"
	"$rig/boot.sh" "${options[@]}" --kernel "$series" --initrd "$work/initrd.$kind" \
		--run /test/guest-tests-run.sh --log "$log" --channel "$channel" --timeout 1500 </dev/null
	tr -d '\r' <"$channel" >"$work/channel"
	while read -r name; do
		grep -q "^ok $name\$" "$work/channel"
		verdict $? "$series $kind $name"
	done <"$work/list"
	grep -av '^ok \|^= \|^done$' "$work/channel"
	"$rig/logcheck.sh" "$log" $([ "$kind" != icount ] || echo --icount) && grep -q '^done$' "$work/channel"
	verdict $? "$series $kind kernel-log"
}

for series; do
	if "$rig/kernel.sh" "$series" && "$rig/module.sh" "$series" &&
		"$rig/initramfs.sh" "$series" "$work/initrd"; then
		verdict 0 "$series build"
		boot_tests "$series" free
		boot_tests "$series" icount
		for name in $(list_tests alone); do boot_tests "$series" alone "$name"; done
	else
		verdict 1 "$series build"
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
