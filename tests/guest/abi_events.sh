# SPDX-License-Identifier: GPL-2.0-only
# The interface for sampling events: fields, counts that the kernel knows too, a storm. Afterwards nothing
# holds the module, and the limits of this CPU have room again.
. /test/guest-lib.sh
expect 0 abi_events
[ ! -s out ] || { cat out; fail "see above"; }
rmmod cpuprobe || fail "something holds the module"
load
expect 0 abi_events
