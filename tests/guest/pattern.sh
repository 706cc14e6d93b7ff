# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: icount
# rig: shift=3
# rig: boot=init_on_alloc=0 init_on_free=0
# rig: not=debug,kcsan
# No uninitialised memory reaches user space: free memory is filled with one pattern, uninitialised
# variables of a special build of the module with another one (these kernels zero them otherwise);
# sessions of all kinds run, and everything that they write is searched for both patterns.
. /test/guest-lib.sh
rmmod cpuprobe
insmod /test/cpuprobe-pattern.ko max_overhead_pct=10000
insmod /test/pattern.ko
# Rename a running executable from a short name to a long one and back while the module reads names.
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
