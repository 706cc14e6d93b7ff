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
expect 0 probe flat -nmi -unwind fp -rate 5000 -folded folded -json -- \
	sh -c 'caller 100000000 & sleep 4; kill $!'
grep '^caller;' folded >callers
awk '{ print $3 }' /proc/kallsyms >names
# Stacks that begin with a frame of the kernel have no user frame and no reason. Their program has not begun, or its
# memory is gone: those have no user stack.
awk 'NR == FNR { is_kernel[$1] = 1; next }
	{ split($0, part, /[; ]/); is_silent = part[2] in is_kernel || $0 ~ /^caller;\[kernel stack broken\]/ }
	is_silent && /_execve;|;do_exit/ { none += $NF; next }
	is_silent { silent += $NF; print >"silent" }
	/^caller;\[stack not in memory\]/ { early += $NF }
	END { print early + 0, silent + 0, none + 0 }' names callers >sums
read -r early silent none <sums
echo "$early early in an entry, $silent without a reason, $none in an exec or exit" | tee figures
test ! -e silent || head -20 silent
holds "$silent * 50 < $early"
