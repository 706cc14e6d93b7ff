# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: icount
# rig: smp=2
# rig: only=6.12
# rig: timeout=300
# rig: ci=6.12
# The tool's samples by NMI in exact time, of a module that keeps interrupts off for 50.4% of CPU 1's time, which is
# 25.2% of both CPUs'. By NMI the share is right to within four standard errors (0.4 each), although CPU 0 misses an
# eighth of its samples: their sender keeps interrupts off. By lateness it may be 4
# points off: the emulator's CPUs take turns, and a timer that is late for that reason charges no code.
. /test/guest-lib.sh
insmod /test/shade.ko || fail "no shade.ko"

# of KEY: a value of the module's function, from TSV.
of() { tsv shade_off\ \[shade\] "$1"; }
expect 0 probe late -nmi -sec 6 -deferred-over 5us -tsv
cat out err
near "$(of share)" 25.2 1.6
near "$(of late)" 25.2 4
holds "$(of lo) <= $(of share) && $(of share) <= $(of hi) && $(of late_lo) < $(of late_hi)"
echo "by NMI $(of share), by lateness $(of late)" >figures
grep -q shade_on out && fail "interrupts are on there"
expect 0 probe late -nmi -sec 2 -json
says out '"report": "late -nmi"'
says out '"interrupts_off": \{ "share": [0-9.]+, "lo": [0-9.]+, "hi": [0-9.]+ \}'
says out '"nmi": \{ "interrupts_off": [1-9][0-9]*, "merged": [0-9]+, "unknown": 0, "cpus_alone": 0 \}'
expect 0 probe late -nmi -sec 2
cat out
says out '^Interrupts were off for [0-9.]+ \+- [0-9.]+% of the time'
says out 'Receipt: 1000 Hz by NMI asked'
[ -z "$(awk 'length > 80' out)" ] || fail "wider than 80 columns"
expect 0 probe late -nmi -tsv -- sh -c 'sleep 1'
says out '^shade_off'

# A thread of the kernel that a timer sees only where interrupts are on.
expect 0 probe flat -nmi -kernel -sec 3 -tsv
says out 'shade_off'
expect 0 probe flat -kernel -sec 3 -tsv
grep -q shade_on out || { cat out; fail "no shade_on"; }
expect 0 probe graph -nmi -kernel -sec 2
says out 'shade_off'
expect 0 probe sys -nmi -sec 2 -save run
tr '\n' ' ' <out | grep -Eq '[1-9][0-9]* with interrupts off, [0-9]+ NMIs? merged, 0 unknown' || { cat out; fail "receipt"; }
expect 0 probe show run
says out 'by NMI'
expect 0 probe verify run
background spin 60
expect 0 probe proc -nmi -mode kernel -sec 1 spin
end_background

# In the background
expect 0 probe start held -nmi
sleep 2
expect 0 probe stop held -save kept
expect 0 probe flat kept -n 40
says out 'shade_off'
says out ' by NMI '

# Refusals
expect 1 probe sys -nmi -sec 1 -cpu 1
one_line_error 'CPUs send each other NMIs'
for option in '-event page-faults' '-idle sleep' '-deferred exclude' '-deferred-over 5us' '-engine bpf'; do
	# shellcheck disable=SC2086 # an option and its value
	expect 2 probe sys -nmi -sec 1 $option
	one_line_error '-nmi cannot be combined with'
done
expect 2 probe proc -nmi -sec 1 spin
one_line_error '-nmi needs -mode kernel'
expect 2 probe late -nmi -handler
one_line_error '-nmi cannot be combined with -handler'
rmmod shade
