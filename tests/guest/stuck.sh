# SPDX-License-Identifier: GPL-2.0-only
# rig: not=debug,kcsan
# A call that waits for memory which never comes hangs nobody else, and dies with its process.
# (The debug kernels have no userfaultfd.)
. /test/guest-lib.sh
expect 0 stuck
[ ! -s out ] || { cat out; fail "see above"; }
rmmod cpuprobe || fail "something still holds the module"
