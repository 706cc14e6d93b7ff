# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.1
# More records wanted than there are: what finds none is lost, and counted.
. /test/guest-lib.sh
expect 0 lost
cat out >figures
