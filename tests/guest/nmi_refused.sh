# SPDX-License-Identifier: GPL-2.0-only
# rig: arch=arm64
# rig: not=6.12-nmi
# Stock kernels for arm64 have no NMIs.
. /test/guest-lib.sh
expect 1 probe sys -nmi -sec 1
one_line_error 'no NMI of this machine or kernel'
says err '^hint: arm64 needs CONFIG_ARM64_PSEUDO_NMI=y'
