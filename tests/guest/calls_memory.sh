# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: smp=4
# rig: boot=mem=1G
# rig: ci=6.12
# rig: not=6.1,6.1-rt,6.1-cloud
# rig: timeout=200
# Four CPUs and a gigabyte: the hooks of all functions that the kernel has would take most of it. They are refused
# before any is in place, and those of a few functions are not. (Linux 6.1 takes an eighth of that memory.)
. /test/guest-lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
before=$(hooks)
unhooked() { [ "$(hooks)" = "$before" ]; }
for how in trace 'calls -each -memory 32768'; do
	# shellcheck disable=SC2086 # words
	expect 1 probe $how -fn '*' -sec 1
	says err "^probe: .*: buffers and hooks together would take more memory than is available"
	says err '^hint: name fewer functions'
	unhooked || fail "hooks are in place"
	# shellcheck disable=SC2086 # words
	expect 0 probe $how -fn read_zero -- caller 1000
	await unhooked
done

# Half of the machine is too much when others have taken it.
mkdir full && mount -t tmpfs -o size=90% full full || fail "the rig: tmpfs"
available() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
# The worker may still free what the runs above have taken, 128 MiB.
while [ "$(available)" -gt 100 ]; do
	dd if=/dev/zero bs=1M count=10 2>/dev/null >>full/taken || fail "the rig: dd"
done
expect 1 probe trace -fn read_zero -memory 65536 -sec 1
says err "^probe: .*: buffers and hooks together would take more memory than is available"
umount full || fail "something holds the file"
expect 0 probe trace -fn read_zero -memory 65536 -- caller 1000
