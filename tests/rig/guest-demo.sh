# SPDX-License-Identifier: GPL-2.0-only
# In the guest: the reports on real programs.
insmod /lib/modules/cpuprobe.ko || exit 1
cd /tmp || exit 1
gzip -c </dev/zero >/dev/null &
openssl speed -seconds 60 sha256 >/dev/null 2>&1 &
echo "\$ probe sys -sec 10"
probe sys -sec 10
kill %1 %2
