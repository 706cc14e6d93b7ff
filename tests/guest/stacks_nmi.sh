# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: arch=x86
# rig: smp=2
# rig: only=6.12
# rig: ci=6.12
# rig: timeout=120
# An NMI early in an entry of the kernel, before it has saved the user's registers, finds no user frames: such stacks
# say so, and are counted among those that ended early. A program makes one system call after the other.
. /test/guest-lib.sh
expect 0 probe flat -nmi -user -unwind fp -rate 5000 -folded folded -json -- \
	sh -c 'caller 100000000 & sleep 4; kill $!'
grep '^caller;' folded | sort -k 2 -n -r >callers
cat callers
hits() { awk -v line="$1" '{ n = $NF; sub(" [0-9]*$", ""); if ($0 == line) sum += n } END { print sum + 0 }' callers; }
early=$(hits 'caller;[stack not in memory];[kernel]') silent=$(hits 'caller;[kernel]')
echo "$early early in an entry, $silent without a reason" | tee figures
# A few have no reason: 10 of 970, say. Without the flag all have none.
holds "$silent < $early"
