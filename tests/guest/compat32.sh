# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: not=debug,kcsan
# rig: timeout=300
# rig: arch=x86
# The programs are for 32-bit x86.
# On a 64-bit kernel a 32-bit program gets the same answers from the interface, field by field. The
# tool counts 32-bit programs, and says that it cannot list their code.
. /test/guest-lib.sh
expect 0 abi32
[ ! -s out ] || { cat out; fail "see above"; }
background proportions-32
sleep 0.2
expect 0 probe sys -sec 0.5
says out '^proportions-32 '
expect 1 probe proc -sec 0.5 proportions-32
one_line_error 'read /bin/proportions-32: not a 64-bit little-endian program$'
