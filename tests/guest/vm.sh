# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: paced
# rig: arch=x86
# rig: not=6.1-rt,6.12-rt
# The KVM of kernels with PREEMPT_RT needs a constant TSC, which the emulated processor lacks.
# rig: timeout=300
# Virtual machines of KVM, on the SVM of emulated x86: each has a row by its name, with its own shares of guest,
# kernel and user mode. One has twice as many CPUs as another, so twice the time; one takes turns with its program.
. /test/guest-lib.sh
[ -e /lib/modules/kvm-amd.ko ] || skip "KVM's modules are not at hand for this kernel"
for module in irqbypass ccp kvm kvm-amd; do
	# The cloud kernel has no ccp.
	[ ! -e /lib/modules/$module.ko ] || insmod /lib/modules/$module.ko || fail "the rig: insmod $module"
done
[ -e /dev/kvm ] || fail "the rig: no /dev/kvm"

root=/sys/fs/cgroup scope='machine.slice/machine-qemu\x2d3\x2dgamma.scope'
mkdir -p $root && mount -t cgroup2 none $root 2>/dev/null
mkdir -p "$root/$scope" || fail "the rig: no cgroup2"
background vm -name guest=alpha,debug-threads=on -smp 2; alpha=$last_pid
background vm --id beta; beta=$last_pid
background vm -user; gamma=$last_pid
echo "$gamma" >"$root/$scope/cgroup.procs"
background spin 300; spin=$last_pid

count() { awk -F '"' -v name="$1" '$4 == name' out | sed "s/.*\"$2_hits\": \([0-9]*\).*/\1/"; }	# count ROW MODE
ran_ns() { cat "/proc/$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }
# within5 HITS OF SHARE: check that the hits are a share of OF, within 5 standard errors.
within5() {
	awk "BEGIN { d = $1 - ($2) * ($3); exit !(d * d <= 25 * ($2) * ($3) * (1 - ($3))) }" || fail "$1 of $2, expected $3"
}
rows() {	# rows: every machine is a row, in guest mode
	for name in alpha beta gamma; do
		[ "$(count $name guest | grep -c .)" = 1 ] || { cat out; fail "not one row of $name"; }
	done
	[ "$(count spin user | grep -c .)" = 1 ] || { cat out; fail "not one row of spin"; }
	a=$(count alpha guest) b=$(count beta guest) c=$(count gamma guest) u=$(count gamma user)
	echo "= alpha $a, beta $b, gamma $c guest and $u user, spin $(count spin user)"
	holds "$a > 800 && $(count alpha user) == 0 && $(count beta user) == 0"
	holds "$(count alpha kernel) < 0.05 * $a && $(count beta kernel) < 0.05 * $a"
	holds "$(count spin guest) == 0"
	within5 "$a" "$a + $b" "$share"
	within5 "$c" "$c + $u" 0.5
}

a0=$(ran_ns $alpha) b0=$(ran_ns $beta)
expect 0 probe sys -sec 4 -by vm -json -save saved
a1=$(ran_ns $alpha) b1=$(ran_ns $beta)
share="($a1 - $a0) / ($a1 - $a0 + $b1 - $b0)"
holds "$share > 0.64 && $share < 0.69" "the rig: two CPUs do not have twice the time of one"
rows
expect 0 probe show -json saved
rows
expect 0 probe show -tsv saved
[ "$(tsv alpha guest_hits)" = "$a" ] || fail "not the same in tsv"
expect 0 probe sys -sec 1 -by vm
says out 'Guest'
says out '^alpha '

# by executable, all machines are one row, with the same modes
expect 0 probe sys -sec 2 -json
holds "$(count vm guest) > 8 * $(count vm kernel) && $(count vm user) > 100 && $(count vm guest) > 900"

# runs are compared and merged by the machines' names
expect 0 probe sys -sec 1 -by vm -save again
expect 0 probe diff -json saved again
says out '"name": "alpha"'
expect 0 probe merge -o both saved again
expect 0 probe show -json both
holds "$(count alpha guest) > $a" "the merged run"
expect 0 probe sys -sec 1 -save exes
expect 1 probe diff saved exes
one_line_error "one has a row per vm, the other per exe"

# metrics; BPF finds machines by their open files, and counts guest mode as the kernel's
expect 0 probe sys -sec 1 -by vm -json -prom metrics
says metrics '^cpuprobe_samples_total\{by="vm",name="beta",kind="vm",mode="guest"\} [1-9]'
says metrics '^cpuprobe_samples_total\{by="vm",name="spin",kind="exe",mode="user"\} [1-9]'
expect 0 probe sys -engine bpf -sec 2 -by vm -json
holds "$(count alpha kernel) > 400 && $(count beta kernel) > 200 && $(count gamma user) > 50"

# a machine that ends during the run, and one whose name is taken
probe sys -sec 4 -by vm -json >out 2>err &
probe_pid=$!
sleep 0.5
vm --id brief & brief=$!
vm -name beta & other=$!
sleep 1.5
kill $brief
wait $probe_pid || fail "probe failed: $(cat err)"
# The first of the two betas to be seen has the bare name.
numbered=beta:$other
grep -q "\"$numbered\"" out || numbered=beta:$beta
holds "$(count brief guest) > 20 && $(count beta guest) > 20 && $(count "$numbered" guest) > 20"
kill $other $alpha $beta $gamma $spin
background_pids=
wait
sleep 0.3
rmdir "$root/$scope" $root/machine.slice && umount $root
for module in kvm-amd kvm ccp irqbypass; do rmmod $module; done
