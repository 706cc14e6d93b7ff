# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# rig: not=debug,kcsan
# rig: timeout=200
# Each stack names the right executable, even if the executable is deleted or its process has ended,
# if a process executes another program at the same addresses, or on stacked file systems. Kernel
# workers of a process have no user stack. All references are released.
. /test/guest-lib.sh
remember_machine
load

# exe_hits PATTERN [NAME]: print the hits of stacks whose executable matches, of processes named NAME.
exe_hits() {
	awk -F '\t' -v exe="$1" -v name="${2:-.}" '
		$9 ~ exe && $8 ~ name { sum += $1 } END { print sum + 0 }' out
}

cp /bin/relay ./alpha
cp /bin/relay ./bravo
expect 0 stackwatch 3 ./alpha ./bravo 9
holds "$(exe_hits '/alpha$') > 10 && $(exe_hits '/bravo$') > 10" "exec: $(cat out)"
# Two programs with the same pid and the same bottom of the stack, without frame pointers.
echo 0 >/proc/sys/kernel/randomize_va_space
expect 0 stackwatch 2 ./alpha ./bravo 8
echo 2 >/proc/sys/kernel/randomize_va_space
near "$(exe_hits '/alpha$')" "$(exe_hits '/bravo$')" "($(exe_hits '/(alpha|bravo)$')) / 3"

# After the process has ended, the executable can be written and deleted before the harvest.
expect 0 stackwatch 1 sh -c './alpha ./bravo 1; rm bravo; : >>alpha; rm alpha'
holds "$(exe_hits '/alpha .deleted.$') > 10"
awk -F '\t' '$9 ~ /alpha/ && $10 < 1000 { exit 1 }' out || fail "the size of the executable is wrong"

# A file system stays in use as long as counts name a file of it.
mkdir tmpfs
mount -t tmpfs target tmpfs && cp /bin/relay tmpfs/charlie || fail "the rig: tmpfs"
expect 0 stackwatch 1 sh -c 'tmpfs/charlie x 1; umount tmpfs; echo $?'
says out '^1$'
holds "$(exe_hits 'tmpfs/charlie$') > 10"
umount tmpfs || fail "something holds the executable"

# Two files have the same inode number on different file systems below an overlay.
mkdir -p lower.a lower.b union
if has_overlay; then
	for x in a b; do
		mount -t tmpfs lower lower.$x && cp /bin/relay lower.$x/delta.$x || fail "the rig: tmpfs"
	done
	mount -t overlay -o lowerdir=lower.a:lower.b union union || fail "the rig: overlay"
	expect 0 stackwatch 1 sh -c 'union/delta.a x 1; union/delta.b x 1'
	holds "$(exe_hits '/delta.a$' '^delta.a$') > 10 && $(exe_hits '/delta.b$' '^delta.b$') > 10"
	holds "$(exe_hits '/delta.a$' '^delta.b$') + $(exe_hits '/delta.b$' '^delta.a$') == 0"
	umount union && umount lower.a && umount lower.b || fail "something holds the executables"
fi

# Workers of io_uring are threads of the process, but never run user code.
if uring 1; then
	expect 0 stackwatch 3 uring 2
	holds "$(exe_hits '/uring$' '^uring$') > 10"
	awk -F '\t' '$8 == "uring" && $6 && $7 == "0" { exit 1 }' out || fail "a worker of io_uring has user frames"
	# Nor do exiting workers, which 6.1 no longer marks as workers.
	expect 0 stackwatch 3 sh -c 'for i in $(seq 60); do uring 0; done'
	awk -F '\t' '$8 == "uring" && $6 && $7 == "0" { exit 1 }' out || fail "an exiting worker of io_uring has user frames"
fi

# A 32-bit program, if the guest has one, has an address and no further frames.
if [ -x /bin/proportions-32 ]; then
	expect 0 stackwatch 3 sh -c 'proportions-32 & sleep 1; kill $!'
	awk -F '\t' '$9 ~ "/proportions-32$" && $3 == 2 {
		n += $1; if ($4 != 33 || $6 != 1) exit 1 } END { if (n < 10) exit 1 }' out ||
		fail "stacks of 32 bits"
fi
same_machine
