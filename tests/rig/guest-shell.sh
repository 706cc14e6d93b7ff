# SPDX-License-Identifier: GPL-2.0-only
# In the guest: run an interactive shell.
# An emulated interrupt costs tens of microseconds: more than 5% of a CPU at 1 kHz.
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000
cd /root || exit 1
echo "Kernel $(uname -r), cpuprobe loaded. 'exit' powers off."
echo "Two emulated CPUs: a busy host makes samples missed, and interrupts expensive."
stty echo
PS1='guest# ' sh -i
