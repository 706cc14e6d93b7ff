# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: icount
# rig: smp=2
# rig: only=6.12
# rig: timeout=120
# rig: ci=6.12
# Sampling by NMI in exact time: a module keeps interrupts off for 50.4% of a CPU's time. The share of samples that
# find them off is right to within four standard errors of 8,000 samples and the half percent that other interrupts
# add. These samples are in the module's function or in the clock that it reads; none is in its
# function that leaves interrupts on.
. /test/guest-lib.sh
seconds=${seconds:-8} four_errors=${four_errors:-0.0275} wrong_places=${wrong_places:-0}
insmod /test/shade.ko || fail "no shade.ko"
expect 0 abi_nmi shade "$seconds"
cp out figures
read -r truth share samples inside outside <out
holds "$samples > 875 * $seconds" "$(cat out)"
near "$truth" 0.504 0.005
near "$share" "$truth" "$four_errors"
holds "$inside > $samples * ($share - 0.03) && $outside <= $inside * $wrong_places" "$(cat out)"
rmmod shade
