# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# Errors in tasks, ranges and symbol files.
. /test/guest-lib.sh
background proportions
background sleep 100
cp /bin/five /tmp/proportions
background /tmp/proportions
sleep 0.3
bad() { wanted=$1 text=$2; shift 2; expect "$wanted" probe proc -sec 0.3 "$@"; one_line_error "$text"; }
bad 2 'no TASK given'
bad 2 "unexpected argument 'c'" a b c
bad 1 "find task 'nosuch': no running executable" nosuch
bad 1 'find process 99999: no such process' 99999
bad 1 "find task 'proportions': 2 executables" proportions
says err '^hint: give one of these paths or pids: .*/bin/proportions \(pid [0-9]+\)'
bad 1 'open /no/such: No such file' /no/such
bad 1 'read /etc/passwd: not an ELF' /etc/passwd
bad 1 'read /test/proc.sh: not an ELF' /test/proc.sh
bad 1 '.* is above|-low must be below' -low 0x1200 -high 0x1100 /bin/proportions
bad 1 'outside the code of proportions' -low 0x100000000 /bin/proportions
bad 1 "option -low: 'nosuch' is neither" -low nosuch /bin/proportions
bad 1 "option -high: '0xzz' is not a number" -high 0xzz /bin/proportions
bad 2 "option -mode: 'idle' is not one of" -mode idle /bin/proportions
: >empty; bad 1 'read symbols of empty: empty' /bin/proportions empty
head -c 5000 /bin/openssl >part
bad 1 'read symbols of part: ' /bin/proportions part
head -c 5000 /dev/urandom >noise; printf '\0' >>noise
bad 1 'read symbols of noise: neither ELF nor text' /bin/proportions noise
bad 1 'open nosuch.sym: No such file' /bin/proportions nosuch.sym
echo 'hello world' >words
bad 1 "read symbols of words: no line of the form" /bin/proportions words
kthread=$(pidof kthreadd || echo 2)
bad 1 'has no user mode' "$kthread"
expect 127 probe proc -- /no/such
one_line_error "open /no/such: No such file"
expect 127 probe proc -- nosuch
expect 125 probe proc -- /test/proc.sh
printf '#!/bin/sh\n' >script && chmod +x script
expect 125 probe proc -- ./script
says err '^hint: this is a script: give its interpreter'
