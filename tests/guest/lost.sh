# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# Samples that find no free record are lost, and counted as lost.
. /test/guest-lib.sh
expect 0 lost
cat out >figures
