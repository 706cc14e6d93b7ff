# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: alone
# rig: boot=isolcpus=1
# rig: not=debug,kcsan
# `probe doctor` on a machine with a difficult kernel command line, and then locked down.
. /test/guest-lib.sh
folder=/lib/modules/$(uname -r)
# The machine has no problem, but its emulation may have one.
examine() {
	probe doctor >out 2>err
	[ $? -le 1 ] || { cat out err; fail "probe doctor"; }
}

examine
finds warn cpus '1 of 2 isolated or nohz_full: 1; left alone$' '-cpu all'
finds ok signatures 'not required$'

# The receipt counts and names the CPUs that are not sampled.
expect 0 probe sys -sec 0.5
tr '\n' ' ' <out | grep -q ' 1 CPU skipped; .*, 1 isolated CPU: 1\.' || { cat out; fail "not in the receipt"; }

mkdir -p "$folder/updates"
: >"$folder/modules.order"
: >"$folder/modules.builtin"
cp /lib/modules/cpuprobe.ko "$folder/updates/"
depmod
mount -t securityfs securityfs /sys/kernel/security
examine
finds ok lockdown none
# Lockdown cannot be undone.
echo integrity >/sys/kernel/security/lockdown
examine
finds ok lockdown integrity
finds warn signatures 'required \(lockdown\): the unsigned module will not load again$' mokutil
expect 0 probe sys -sec 0.5 -cpu 0
expect 0 probe late -sec 0.5 -cpu 0
echo confidentiality >/sys/kernel/security/lockdown
examine
finds warn lockdown "confidentiality: no kernel addresses, no 'probe late'\$" lockdown=integrity
expect 0 probe sys -sec 0.5 -cpu 0
expect 1 probe late -sec 0.5 -cpu 0
one_line_error 'start sampling: this kernel is locked down and hides its addresses$'
rmmod cpuprobe
expect 1 probe doctor
finds FAIL signatures 'required \(lockdown\), but the module is not signed$' 'make install KEY'
echo 1 >/proc/sys/kernel/modules_disabled
# BPF works all the same.
expect 0 probe doctor
finds warn module "loading modules is disabled until the next boot: no 'probe late'" modules_disabled
finds ok bpf ".*'start' and 'agent' work"
rm -rf "$folder"
