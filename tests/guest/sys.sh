# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: quick=6.12
# rig: ci=6.1,6.12
# The system table on two CPUs: sums, the order of known shares, all three formats. truth_share and
# counts_exact judge shares, with exact time.
. /test/guest-lib.sh
background openssl speed -seconds 60 sha256
expect 0 probe sys -sec 3 -seed 7
says out '^Percentage CPU Utilization$'
says out '^\([0-9]+ samples, 0 lost, [0-9]+ missed\)$'
says out '^Total +[0-9. ]+ 100\.0$'
[ "$(awk '{ if (length > 80) print }' out | wc -l)" = 0 ] || fail "wider than 80 columns"
# Samples are late and missed here; no other warning may appear.
! grep -Ev '^probe: warning: [0-9]+ (samples|of [0-9]+ periods) |^hint: ' err || fail "unexpected output on standard error"

expect 0 probe sys -sec 3 -tsv
holds "$(tsv openssl user_hits) > $(tsv openssl kernel_hits)"
# The program keeps one of two CPUs busy, and the other is idle: no other share is large.
awk -F '\t' 'NR > 1 && $1 != "Total" { total[$1] += $7 }
	END { for (i in total) if (i != "openssl" && i != "IDLE" && (total[i] > total["openssl"] / 2 ||
		total[i] > total["IDLE"] / 2)) { print i, total[i]; exit 1 } }' out || { cat out; fail "another program has a large share"; }

began=$(now)
expect 0 probe sys -sec 3 -json
holds "$(json samples) + $(json missed) == $(json expected)"
periods_fit "$(json expected)" "$(json seconds)" 2 1000 "$began"
[ "$(sed -n 's/.*_hits": \([0-9]*\), "softirq_hits": \([0-9]*\), "guest_hits": \([0-9]*\), "user_hits": \([0-9]*\),.*/\1 \2 \3 \4/p' out |
	awk '{ s += $1 + $2 + $3 + $4 } END { print s }')" = "$(json samples)" ] || fail "rows do not add up to samples"

expect 0 probe sys -sec 2 -save run
expect 0 probe show -tsv run
of_all=$(tsv openssl total)
expect 0 probe show -of cpu -tsv run
near "$(tsv openssl total)" "2 * $of_all" 0.1
# both CPUs are sampled for the same time, except for their first and last periods
expect 0 probe show -percpu -tsv run
for name in openssl IDLE; do
	near "($(tsv $name cpu0) + $(tsv $name cpu1)) / 2" "$(tsv $name total)" 1
done
expect 0 probe sys -percpu -sec 1 -cpu 1
says out '\+-( +Charged)? +CPU1$'
expect 0 probe sys -sec 1 -cpu 1 -n 1 -sort user
says out '^Total'
expect 0 probe sys -sec 0.5 -rate 200 -jitter poisson -ci paper
expect 0 probe sys -sec 0.5 -rate 250 -jitter none
