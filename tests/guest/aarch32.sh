# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=200
# rig: arch=arm64
# Its program is for 32-bit arm; compat32 has those of 32-bit x86.
# A 32-bit program is counted, by program and mode. Its stacks have one frame, and say why. Its system calls have
# numbers, since the names of 64-bit ones are not theirs. The tool says that it cannot list its functions.
. /test/guest-lib.sh
background arm32 ./three-one
await grep -q three-one /proc/$last_pid/comm
expect 0 probe sys -sec 2 -tsv
holds "$(tsv three-one user_hits) > 1000 && $(tsv three-one user_hits) > 10 * $(tsv three-one kernel_hits)"

expect 1 probe proc -sec 0.5 three-one
one_line_error 'read .*/three-one: not a 64-bit little-endian program$'

expect 1 probe flat -sec 0.5 -task three-one
one_line_error 'read .*/three-one: not a 64-bit little-endian program$'
expect 0 probe flat -sec 2 -user -folded folded
grep three-one folded | grep -v ";\[softirq\]" >own
found=$(awk '/\[32-bit code\]/ { n += $NF } END { print n + 0 }' own)
holds "$found > 1000 && $found == $(awk '{ n += $NF } END { print n }' own)" "$(cat folded)"
# The program's name, the mark, and one frame, which may be in the kernel.
! sed 's/;\[kernel\] .*//; s/ [0-9]*$//' own | grep ';.*;.*;' || fail "a stack of several frames"

expect 0 probe calls -syscalls -sec 1 -tsv
says out 'sys_64 \(32-bit\)'
