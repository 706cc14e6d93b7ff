# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: alone
# rig: timed
# rig: smp=4
# rig: timeout=300
# CPUs go offline and online at random while they are sampled in every way, CPU 1 at 2 kHz, in the
# long form at 10 kHz (one host CPU emulates all four and cannot keep up with 40 kHz): all sums hold,
# at every harvest and in the end, and nothing is left. The periods of CPU 1 are checked to within
# the time of its changes, so the module must not halve the rate of a CPU that a busy host starves.
. /test/guest-lib.sh
seconds=${seconds:-6} rate=${rate:-2000}
remember_machine
insmod /lib/modules/cpuprobe.ko max_rate=1000000 max_overhead_pct=10000 slow_down=0 || fail "insmod"
rm -f sys.ended
online=/sys/devices/system/cpu
began=$(now) gone_from=0 gone_at=0
: >away
clock() { read -r clock _ </proc/uptime; }
note_away() {	# note_away SIGN SECONDS: note how long CPU 1 is offline, at least (-) or at most (+)
	echo "$1 $(awk "BEGIN { print $2 }")" >>away
}
away() { awk -v sign="$1" '$1 == sign { s += $2 } END { print s + 0 }' away; }
background nice -n 10 fray
{
	probe sys -sec "$seconds" -rate "$rate" -cpu 1 -by pid -save sys -json >sys.out 2>sys.err
	echo $? >sys.ended
} &
probe proc -sec "$seconds" -rate 1000 -save proc /bin/fray >proc.out 2>proc.err &
proc=$!
probe late -sec "$seconds" -rate 200 -json >late.out 2>late.err &
late=$!
# CPUs that send NMIs go too; the first one is alone at times. Four emulated CPUs delay each other.
nmi=
[ $machine != x86 ] || {
	probe sys -nmi -sec "$seconds" -rate 200 -save nmi -json >nmi.out 2>nmi.err &
	nmi=$!
}
seed=1 changes=0 refused=0
until [ -s sys.ended ]; do
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	cpu=$((seed / 65536 % 3 + 1)) state=$((seed / 1048576 % 2))
	read -r was </sys/devices/system/cpu/cpu$cpu/online
	[ "$was" = $state ] && continue
	clock
	from=$clock
	echo $state >$online/cpu$cpu/online || { refused=$((refused + 1)); continue; }
	clock
	changes=$((changes + 1))
	case $cpu$state in
	10) gone_from=$from gone_at=$clock ;;
	11) note_away - "$from - $gone_at - 0.02"; note_away + "$clock - $gone_from + 0.02" ;;
	esac
done
clock
ended=$clock
if grep -q 0 $online/cpu1/online; then
	note_away - "$ended - $gone_at - 0.02"
	note_away + "$ended - $gone_from + 0.02"
fi
for cpu in 1 2 3; do
	grep -q 1 /sys/devices/system/cpu/cpu$cpu/online || echo 1 >/sys/devices/system/cpu/cpu$cpu/online
done
[ "$(cat sys.ended)" = 0 ] || { cat sys.err; fail "sys"; }
wait $proc || { cat proc.err; fail "proc"; }
wait $late || { cat late.err; fail "late"; }
# It is refused if its START finds one CPU.
[ -z "$nmi" ] || wait $nmi || {
	grep -q 'it takes two that are sampled and online' nmi.err || { cat nmi.err; fail "sys -nmi"; }
	nmi=
}
[ -z "$nmi" ] || {
	expect 0 probe verify nmi
	holds "$(json samples nmi.out) > 0 && $(json samples nmi.out) + $(json missed nmi.out) == $(json expected nmi.out)"
	holds "$(json expected nmi.out) <= 4 * (200 * ($(now) + 0.02 - $began) + 2 * $changes + 2)"
}
expect 0 probe verify sys
expect 0 probe verify proc
holds "$(json samples sys.out) + $(json missed sys.out) == $(json expected sys.out)"
holds "$(json expected sys.out) >= $rate * ($(json seconds sys.out) - $(away +)) - 2 * $changes - 2"
holds "$(json expected sys.out) <= $rate * ($ended + 0.02 - $began - $(away -)) + 2 * $changes + 2"
expected=$(sed -n 's/.*"expected": \([0-9]*\),.*/\1/p' late.out)
holds "$expected > 200 * $seconds - 200" "CPU 0 was never away"
holds "$changes >= 1 && $refused < $changes / 10"
echo "$changes changes, $refused refused; $(json expected sys.out) expected, $(json samples sys.out)" \
	"taken, $(json missed sys.out) missed in $seconds s" >figures
end_background
same_machine
