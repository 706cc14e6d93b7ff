# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: timeout=120
# rig: not=debug,kcsan
# Softirq work of 2 of every 24 ms, on top of idle and on top of a program: the module and BPF, at the same time,
# find the same shares of it. BPF reads the preempt count, whose place the kernel's type information tells; on RT
# and without that information softirqs count as kernel mode, and the receipt says so. Shares of 6,000 samples
# each differ by less than five standard deviations (2.6 points at 9%). The debug kernels have no BPF.
. /test/guest-lib.sh
insmod /test/irqoff.ko hold_us=2000 period_ms=20 is_softirq=1 is_open=1 || fail "no irqoff.ko"
compare() {	# compare ROW OPTION...
	row=$1
	shift
	side_by_side 6 sys "$@" -background
	for engine in module bpf; do
		expect 0 probe stop -tsv $engine
		cp out $engine.tsv
	done
	echo "$row: softirq $(tsv "$row" softirq) and by the module $(tsv "$row" softirq module.tsv)"
	near "$(tsv "$row" softirq)" "$(tsv "$row" softirq module.tsv)" 2.6
	near "$(tsv "$row" total)" "$(tsv "$row" total module.tsv)" 5
	holds "$(tsv "$row" softirq) > 5"
}
case $(uname -r) in
*-rt-*)
	expect 0 probe sys -engine bpf -sec 2 -json
	says out 'softirqs apart from other kernel time'
	rmmod irqoff
	exit ;;
esac
compare '(softirq)'
expect 0 probe sys -engine bpf -sec 1 -json
grep -q 'softirqs apart' out && fail "the receipt says that softirqs are unknown"
background spin 120
compare spin -by comm
rmmod irqoff
