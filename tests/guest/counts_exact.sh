# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: quick=6.12
# rig: ci=6.1,6.12
# With exact time a run has as many periods as the clock says, except the first, the last, and those
# in which the tool waits for the CPU between reading the clock and its STOP. This holds for two runs
# at once, for a busy CPU and for a mostly idle one. The debug kernels miss more: 2% were seen.
. /test/guest-lib.sh
# exact FILE RATE: check the number of periods.
exact() {
	near "$(json expected "$1")" "$(json seconds "$1") * $2" 12
	holds "$(json samples "$1") + $(json missed "$1") == $(json expected "$1")"
	holds "$(json missed "$1") < 0.01 * $patience * $(json expected "$1") + 3"
}
probe sys -sec 1.5 -rate 400 -json >other & other=$!
expect 0 probe sys -sec 1 -rate 1000 -json
wait $other || fail "the second run"
exact out 1000
exact other 400
background spin 600
sleep 0.2
expect 0 probe sys -sec 1 -rate 1000 -json
exact out 1000
holds "$(grep '"name": "spin"' out | sed 's/.*"total": \([0-9.]*\).*/\1/') > 95"
