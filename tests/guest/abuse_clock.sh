# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# The wall clock is set far back and forth, and runs slower and faster. Sampling uses a clock that
# cannot be set, so all sums hold, and the time sampled is the time that passed.
. /test/guest-lib.sh
began=$(now)
probe sys -sec 6 -save run -json >out 2>err &
pid=$!
background_pids=$pid
real=$(date +%s)
for at in '2001-01-01 00:00:00' '2037-12-31 23:59:59' '1971-06-01 12:00:00' '2099-01-01 00:00:00'; do
	sleep 0.5
	date -s "$at" >said 2>&1 || fail "date: $(cat said)"
done
sleep 0.3
date -s "@$((real + 3))" >said 2>&1
for tick in 9000 11000 10000; do
	adjtimex -q -t $tick >said 2>&1 || fail "adjtimex: $(cat said)"
	sleep 0.7
done
wait $pid || { cat err; fail "sums do not hold across clock changes"; }
holds "$(json seconds) >= 6"
holds "$(json samples) + $(json missed) == $(json expected)"
periods_fit "$(json expected)" "$(json seconds)" 1 1000 "$began"
expect 0 probe verify run
