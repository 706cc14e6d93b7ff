# SPDX-License-Identifier: GPL-2.0-only
# In the guest: run the command of `make demo CMD=...`.
# An emulated interrupt costs tens of microseconds: more than 5% of a CPU at 1 kHz.
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000 || exit 1
cd /root || exit 1
stty -echo
sh /test/command
