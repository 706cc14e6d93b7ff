# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=300
# More than 500 executables start per second, in turn from a set of 2,000, in a guest with exact time.
# crowd.sh has the same checks on two CPUs, with starts as fast as the emulator allows.
. /test/guest-lib.sh
mkdir programs
crowd execs 0.01 programs >/dev/null
for by in pid exe comm; do
	expect 0 probe sys -by $by -sec 5 -json -- sh -c 'crowd execs 4 programs >list'
	taken=$(json samples) lost=$(json lost) started=$(wc -l <list)
	echo "$by: $started started, $taken samples, $lost lost, $(grep -c '"kind"' out) rows"
	holds "$started >= 4 * 500" "the rig is too slow"
	holds "$lost <= 0.001 * $taken" "too many samples are lost"
	holds "$(grep -c '"name": "c[0-9]*"' out) > 500" "too few programs seen"
done
