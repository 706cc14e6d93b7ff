# SPDX-License-Identifier: GPL-2.0-only
# rig: only=debug
# rig: timeout=200
# Processes whose first thread has been reaped and freed while the last one still runs, sampled by
# everything that looks at the first thread. On the kernel that notices memory used after it was
# freed; its log is the judge.
. /test/guest-lib.sh
rmmod cpuprobe && load
leaderless 100 >ended & program=$!
for by in pid comm thread; do
	probe sys -by $by -rate 2000 -sec 100 >/dev/null 2>&1 &
done
probe flat -rate 2000 -sec 100 >/dev/null 2>&1
wait $program || fail "leaderless"
wait
cat ended
[ "$(cat ended)" -gt 1000 ] || fail "only $(cat ended) processes"
