# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: module max_overhead_pct=100
# rig: ci=6.1,6.12
# rig: quick=6.12
# The interface for following functions of programs: known calls in the known order, breakpoints only in the
# processes that were asked for, none after the end, bad requests. Afterwards the module can be unloaded.
. /test/guest-lib.sh
expect 0 abi_trace_user
[ ! -s out ] || { cat out; fail "see above"; }
rmmod cpuprobe || fail "something holds the module"
load
