# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=300
# rig: ci=6.12
# Sessions of stacks through the bare interface: fields, a known stack, executables held open.
. /test/guest-lib.sh
remember_machine
load
expect 0 abi_stacks
same_machine
