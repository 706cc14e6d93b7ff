# SPDX-License-Identifier: GPL-2.0-only
# The system table on two CPUs: sums, the order of what is known, all three formats.
. /test/guest-lib.sh
background openssl speed -seconds 60 sha256
expect 0 probe sys -sec 3 -seed 7
says out '^Percentage CPU Utilization$'
says out '^\([0-9]+ samples, 0 lost, [0-9]+ missed\)$'
says out '^Total +[0-9. ]+ 100\.0$'
[ "$(awk '{ if (length > 80) print }' out | wc -l)" = 0 ] || fail "wider than 80 columns"
# Here samples come late and are missed, which is said; nothing else is.
! grep -Ev '^probe: warning: [0-9]+ (samples|of [0-9]+ periods) |^hint: ' err || fail "noise on stderr"

expect 0 probe sys -sec 3 -tsv
holds "$(tsv openssl user_hits) > $(tsv openssl kernel_hits)"
holds "$(tsv openssl total) > 30 && $(tsv openssl total) < 60"
holds "$(tsv IDLE total) > 30 && $(tsv IDLE total) < 60"

expect 0 probe sys -sec 3 -json
holds "$(json samples) + $(json missed) == $(json expected)"
# 2 CPUs, 1000 Hz, 3 s by the clock: expected is as exact as the run's length.
near "$(json expected)" "2000 * $(json seconds)" $((400 * patience))
[ "$(sed -n 's/.*_hits": \([0-9]*\), "softirq_hits": \([0-9]*\), "guest_hits": \([0-9]*\), "user_hits": \([0-9]*\),.*/\1 \2 \3 \4/p' out |
	awk '{ s += $1 + $2 + $3 + $4 } END { print s }')" = "$(json samples)" ] || fail "rows do not add up to samples"

expect 0 probe sys -sec 2 -of cpu -tsv
holds "$(tsv openssl total) > 60 && $(tsv openssl total) < 120"
expect 0 probe sys -sec 1 -cpu 1 -n 1 -sort user
says out '^Total'
expect 0 probe sys -sec 0.5 -rate 200 -jitter poisson -ci paper
expect 0 probe sys -sec 0.5 -rate 250 -jitter none
