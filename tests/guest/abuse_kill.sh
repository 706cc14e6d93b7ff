# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: quick=6.12
# rig: timeout=300
# Eight processes with sessions are killed at random moments; no session outlives its owner. The
# sampled program is on a file system of its own, which can be unmounted afterwards.
. /test/guest-lib.sh
seconds=${seconds:-5}
remember_machine
load
mkdir target
mount -t tmpfs target target && cp /bin/slain target || fail "the rig: tmpfs"
background nice -n 10 fray
target/slain "$seconds" >figures || fail "slain: $(cat figures)"
end_background
rmmod cpuprobe || fail "something holds the module"
umount target && rmdir target || fail "something holds the program that was measured"
same_machine
