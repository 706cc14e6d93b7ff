# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: quick=6.12
# rig: ci=6.1,6.12
# Several sessions run at once; a killed tool leaves nothing; refusals name the holder of the limit.
. /test/guest-lib.sh
began=$(now)
probe sys -sec 4 -json >a & a=$!
probe sys -sec 4 -rate 500 -json >b & b=$!
wait $a || fail "first session"
wait $b || fail "second session"
periods_fit "$(json expected a)" "$(json seconds a)" 2 1000 "$began"
periods_fit "$(json expected b)" "$(json seconds b)" 2 500 "$began"

i=0
while [ $i -lt 10 ]; do
	probe sys -sec 60 >/dev/null & pid=$!
	sleep 0.$i
	kill -9 $pid
	wait $pid 2>/dev/null
	i=$((i + 1))
done
is_sampling && fail "a killed session's timer still runs"
rmmod cpuprobe || fail "a killed session holds the module"

insmod /lib/modules/cpuprobe.ko max_rate=1500 max_overhead_pct=10000
probe sys -sec 3600 >/dev/null & pid=$!
await is_sampling
expect 1 probe sys -sec 1
one_line_error "limit is 1500 Hz .*held by probe \(pid $pid\)"
expect 0 probe sys -sec 0.2 -rate 500
kill -TERM $pid
wait $pid || fail "interrupted run"
rmmod cpuprobe
insmod /lib/modules/cpuprobe.ko max_overhead_pct=0
expect 1 probe sys -sec 1
one_line_error "the limit is 0.0%"
