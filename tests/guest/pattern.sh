# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: icount
# rig: shift=3
# rig: boot=init_on_alloc=0 init_on_free=0
# rig: not=debug,kcsan
# Nothing uninitialised reaches user space: free memory is filled with a pattern, the module is one
# whose variables begin with another, where these kernels have zeros; sessions of all kinds are
# run, and both are looked for in all that they write.
. /test/guest-lib.sh
rmmod cpuprobe
insmod /test/cpuprobe-pattern.ko max_overhead_pct=50
insmod /test/pattern.ko
# Names that are long and short by turns, while they are being read.
cp /bin/spin ./short
background ./short 60
background ./short 60
background sh -c 'while :; do mv short a_name_as_long_as_a_record_holds; mv a_name_as_long_as_a_record_holds short; done'
background proportions
sleep 0.2
expect 0 leak /bin/proportions
says out '^[0-9]+ bytes written, 0 leaks$'
cp out figures
rmmod pattern
