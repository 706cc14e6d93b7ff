# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: quick=6.12
# A harvest that blocks in a page fault delays no other process, and can be killed.
. /test/guest-lib.sh
stuck >out
status=$?
[ $status != 77 ] || skip "no userfaultfd here"
cat out
[ $status = 0 ] || fail "see above"
