# SPDX-License-Identifier: GPL-2.0-only
# rig: only=debug
# rig: timeout=400
# Each allocation and each user copy of a call fails once, then several at a time. The hotplug
# threads that work for START get no faults; they allocate nothing.
. /test/guest-lib.sh
. /test/guest-faults.sh
faults_begin
expect 0 failnth session
cat out
says out '^open .* [1-9][0-9]* ENOMEM'
says out '^START process .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^AREAS .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^START stacks .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
says out '^HARVEST .* [1-9][0-9]* EFAULT'
says out '^HARVEST of stacks .* [1-9][0-9]* EFAULT'
says out '^EXE .* [1-9][0-9]* ENOMEM, [1-9][0-9]* EFAULT'
faults_random 30 3
expect 0 failnth random
faults_random 0 0
cat out
says out '^START system .* [1-9][0-9]* ENOMEM'
says out '^AREAS, many .* [1-9][0-9]* ENOMEM'
grep -q cpuprobe_fire /proc/timer_list && fail "a timer is left"
expect 0 probe sys -sec 0.2
no_leaks
faults_end
rmmod cpuprobe || fail "a session is left"
