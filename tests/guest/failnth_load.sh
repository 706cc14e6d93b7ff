# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: only=debug
# rig: timeout=3000
# Each allocation of loading and unloading the module fails once: afterwards the module is either
# absent and can be loaded, or present and can be unloaded.
. /test/guest-lib.sh
. /test/guest-faults.sh
rmmod cpuprobe || fail "rmmod"
faults_begin
expect 0 failnth module
cat out
says out '^load .* [1-9][0-9]* ENOMEM'
insmod /lib/modules/cpuprobe.ko max_overhead_pct=50 || fail "insmod"
expect 0 probe sys -sec 0.2
no_leaks
faults_end
