# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: timeout=300
# rig: module max_overhead_pct=50 slow_down=0
# With slow_down=0 an overloaded CPU keeps its rate; only the receipt and a warning mention it.
. /test/guest-lib.sh
insmod /test/irqoff.ko hold_us=30000 period_ms=10 || fail "no irqoff.ko"
expect 0 probe sys -sec 12 -json
rmmod irqoff
! grep -q halved err || fail "the rate was halved with slow_down=0"
says err '^probe: warning: [0-9]+ of [0-9]+ periods'
says out '"cpus_slowed": 0,'
near "$(json expected)" 12000 50
