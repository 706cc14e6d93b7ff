# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: timeout=280
# rig: module max_overhead_pct=100
# The interface for following calls on several CPUs: what abi_trace and abi_trace_ends check on one, and
# an end at one instant for all of them.
. /test/guest-lib.sh
for program in abi_trace abi_trace_ends; do
	expect 0 $program
	[ ! -s out ] || { cat out; fail "see above"; }
done
