# SPDX-License-Identifier: GPL-2.0-only
# In the guest: print the rows of `make hidden`.
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000 || exit 1
echo "release $(uname -r)"
mkdir /tmp/hidden && cd /tmp/hidden && sh /test/truth_hidden.sh
