# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: timeout=120
# rig: ci=6.12
# A session measures the cost of a call with functions that no other session has hooked: the cost is the same alone,
# beside another session, and if several begin at once.
. /test/guest-lib.sh
# On arm64, ftrace of 6.1 calls all its users through a list as soon as there are two: that is a part of the cost then.
spare=10
# KCSAN delays some ten of the accesses in a round of calls, each by up to 80 us: a tenth of the round and more.
case $machine.$(uname -r) in arm64.6.1.*) spare=3 ;; *-kcsan) spare=2 ;; esac
cost_of() {	# cost_of COMMAND RUN: picoseconds
	expect 0 probe "$1" -json "$2"
	sed -n 's/.*"cost_ps": \([0-9]*\).*/\1/p' out | head -n 1
}
# alone COMMAND OPTIONS...: measure the cost
alone() {
	command=$1 inner=$*
	expect 0 probe "$@" -save alone -- true
	alone=$(cost_of "$command" alone)
	rm alone
	[ "$alone" -gt 0 ] || fail "no cost"
}
# beside COMMAND OPTIONS...: measure it again while this session runs
beside() {
	# shellcheck disable=SC2086 # words
	expect 0 probe "$@" -save outer -- probe $inner -save inner -- true
	cost=$(cost_of "$command" inner)
	rm outer inner
	echo "$inner: $alone ps alone, $cost ps beside $*"
	near "$cost" "$alone" "$((alone / spare))"
}
alone trace -fn read_zero
beside trace -fn read_zero
beside trace -syscalls
alone calls -each -fn read_zero
beside calls -each -fn read_zero
beside calls -syscalls
# The cost of a counted call is measured once, by the first session of its kind.
fresh() { rmmod cpuprobe && load; }
fresh
alone calls -fn read_zero -task true
fresh
beside calls -fn read_zero
# Sessions that begin at once measure one after the other. A round of calls takes 1.6 ms in debug kernels, so the
# sessions that have begun already take few samples.
fresh
alone calls -each -fn read_zero
for i in 1 2 3 4; do
	probe calls -each -fn read_zero -rate 10 -save "together$i" -- sleep 1 >"out$i" 2>&1 || cat "out$i" &
done
wait
for i in 1 2 3 4; do
	[ -e "together$i" ] || fail "the hooks of another session were in the way"
	cost=$(cost_of calls "together$i")
	echo "calls -each: $alone ps alone, $cost ps together"
	near "$cost" "$alone" "$((alone / spare))"
done
