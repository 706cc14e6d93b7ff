# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: icount
# rig: timeout=200
# rig: cpu=max,pauth-impdef=on,cntfrq=25000000
# rig: arch=arm64
# The counter of this processor is slower than that of the emulated ones elsewhere, as on many boards: 25 MHz. Times of
# traces and of timed calls are the same: a nanosecond for each instruction.
# (Clocks of x86 are faster than a GHz. QEMU counts in whole nanoseconds: not 24 MHz.)
. /test/guest-lib.sh
insmod /test/known.ko || fail "no known.ko"
of() {	# of FUNCTION COLUMN: from out, a table of TSV
	awk -F '\t' -v name="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at[key] }
		END { print sum + 0 }' out
}
about() { near "$1" "$2" "$2 * 0.01"; }
rounds='echo 1000 >/sys/module/known/parameters/rounds'

expect 0 probe trace -fn 'known:known_*' -tsv -save run -- sh -c "$rounds"
for name in a b c d; do
	holds "$(of known_$name calls) == 1000 && $(of known_$name ended) == 1000"
	about "$(of known_$name net_ns) / 1000" 20012
done
about "$(of known_a elapsed_ns) / 1000" 80050
expect 0 probe verify run
# The recording lasts as long as the clock says.
expect 0 probe trace -fn read_zero -sec 1 -json
near "$(sed -n 's/.*"elapsed_ns": \([0-9]*\),.*/\1/p' out)" 1e9 2e7
# Calls that are timed one by one. A tick has 40 instructions.
expect 0 probe calls -each -fn 'known:known_*' -tsv -- sh -c "$rounds"
for name in b c d; do
	holds "$(of known_$name calls) == 1000"
done
about "$(of known_d net_ns) / 1000" 20012
