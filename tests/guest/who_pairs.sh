# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: timeout=300
# rig: module gid=4242 max_overhead_pct=1000
# Members try to see processes of every kind, and see none whose /proc/PID/maps the kernel does not
# let them read: the last table of docs/privilege.md. A process counts as unseen only after it has run
# for 60 ms under sampling at 1 kHz. The debug kernels lack TMPFS_XATTR, so no program gets capabilities there.
. /test/guest-lib.sh
chmod 755 .
expect 0 whomay /test/privilege.md pairs
