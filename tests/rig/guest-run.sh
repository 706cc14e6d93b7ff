# SPDX-License-Identifier: GPL-2.0-only
# In the guest: the command of `make demo CMD=...`.
insmod /lib/modules/cpuprobe.ko || exit 1
cd /root || exit 1
stty -echo
sh /test/command
