# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: alone
# rig: boot=highres=off
# Timers that expire only at ticks are too coarse for sampling: START and the doctor say so.
. /test/guest-lib.sh
expect 1 probe doctor
finds FAIL timers 'they expire only at ticks, every [0-9.]+ ms' 'highres=off'
for command in sys late flat; do
	expect 1 probe $command -sec 0.2
	one_line_error "start sampling: this kernel's timers only expire at ticks"
	says err '^hint: boot without highres=off'
done
