# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=300
# rig: module gid=4242 max_overhead_pct=1000
# Members look at processes of every kind, and see none whose /proc/PID/maps the kernel does not
# open to them: the last table of docs/privilege.md. A process that must not be seen runs for 60 ms
# under a sampler of 1 kHz before that is believed.
. /test/guest-lib.sh
chmod 755 .
expect 0 whomay /test/privilege.md pairs
