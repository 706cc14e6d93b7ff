# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: icount
# rig: timeout=240
# rig: arch=x86
# One instruction takes nearly all the time: a string instruction of x86.
# The search where the answer is known: one instruction in 100 MB, one hit, no hit; and a flat
# profile. (search_end tests tasks that end.)
. /test/guest-lib.sh
steps() { grep -c '^ *[0-9]* *0x[0-9a-f]*-0x' out; }

gunzip -c /test/huge.gz >huge
chmod +x huge
background ./huge; pid=$last_pid
sleep 0.2
expect 0 probe proc -hot -sec 10 huge
says out '^Hottest instruction: far_hot\+0xf at 0x426c00f, with '
holds "$(steps) <= 8"
says out '^ +1 +0x001000-0x'
says out '^ +[0-9]+ +0x426c00f-0x426c010 +0x1 '
expect 0 probe proc -hot -sec 10 -json huge
says out '"verdict": "Hottest instruction: far_hot\+0xf '
says out '\{"address": "0x426c00f", "end": "0x426c010", .*"name": "far_hot"\}'
# No other function has hits; the first instruction with a hit may be in any of the three.
expect 0 probe proc -narrow -sec 4 -tsv $pid
expect 0 probe proc -narrow -sec 4 $pid
says out '^Narrowed: both ends of this range have hits\.$'
says out '0x0?b80000-0x5600000 '
# saved and shown again, with its steps
expect 0 probe proc -hot -sec 3 -save run $pid
cp out live
expect 0 probe show run
cmp out live || { diff out live; fail "not shown as live"; }
says out '^Hottest'
kill $pid

# hardly any samples: 3
background ./huge; pid=$last_pid
sleep 0.2
expect 0 probe proc -hot -sec 1 -rate 3 $pid
says out '^(Flat: no|No sample fell into huge)'
kill $pid

# five instructions, a fifth of the time each
background five; pid=$last_pid
sleep 0.2
expect 0 probe proc -hot -sec 3 five
says out '^Flat: no instruction of this range stands out\. The busiest, five_loop'
expect 0 probe proc -hot -sec 3 -json $pid
says out '"verdict": "Flat: no instruction'
