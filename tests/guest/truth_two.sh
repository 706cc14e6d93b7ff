# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=120
# rig: ci=6.12
# A session measures what a call costs with functions that no other session has hooked: it is the same alone
# and beside another session of its kind.
. /test/guest-lib.sh
cost_of() {	# cost_of COMMAND RUN: picoseconds
	expect 0 probe "$1" -json "$2"
	sed -n 's/.*"cost_ps": \([0-9]*\).*/\1/p' out | head -n 1
}
# of COMMAND OPTIONS...: once alone, once beside another session of these options
of() {
	command=$1
	shift
	rm -f alone inner outer
	expect 0 probe "$command" "$@" -save alone -- true
	expect 0 probe "$command" "$@" -save outer -- probe "$command" "$@" -save inner -- true
	alone=$(cost_of "$command" alone) inner=$(cost_of "$command" inner)
	echo "$command $*: $alone ps alone, $inner ps beside another session"
	[ "$alone" -gt 0 ] || fail "no cost"
	near "$inner" "$alone" "$((alone / 10))"
}
of trace -fn read_zero
of trace -syscalls
of calls -each -fn read_zero,read_null
of calls -syscalls
