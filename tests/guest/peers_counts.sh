# SPDX-License-Identifier: GPL-2.0-only
# rig: not=debug,kcsan
# rig: paced
# rig: ci=6.1
# rig: timeout=200
# Calls of one function are counted in the same window by probe calls and by other counters: a histogram
# of the kernel on a kprobe, perf stat on that kprobe, trace-cmd with the function tracer, and perf ftrace
# with function_graph. All agree to one. Only the measured program calls the function. The benchmark
# compares counts with bpftrace, which is too large for this guest.
. /test/guest-lib.sh
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs none $tracing || fail "no tracefs"
peer=$tracing/events/kprobes/peer
echo 'p:peer read_zero' >$tracing/kprobe_events || fail "no kprobe"
echo 'hist:keys=common_cpu:size=128' >$peer/trigger || fail "no histogram"

hist_calls() { awk '/^. common_cpu:.*hitcount:/ { sum += $NF } END { print sum + 0 }' $peer/hist; }
perf_calls() { awk '/kprobes:peer/ { gsub(",", "", $1); print $1 }' stat; }
trace_calls() { trace-cmd report -i trace.dat 2>/dev/null | grep -c ' read_zero'; }
graph_calls() { awk -F '|' '/^ .* (us|ms|s) \|/ { sum += $2 } END { print sum + 0 }' out; }
our_calls() {
	probe calls -tsv run 2>/dev/null | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["calls"] }'
}
all_have() {	# all_have N COUNTER...
	wanted=$1
	shift
	for counter; do
		calls=$($counter)
		[ "$calls" = "$wanted" ] || fail "$counter: $calls instead of $wanted, with probe calls $how"
	done
}

for how in '' -each -paths; do
	before=$(hist_calls)
	# shellcheck disable=SC2086 # a word or none
	expect 0 perf stat -a -e kprobes:peer -o stat -- \
		trace-cmd record -q -B peer -p function -l read_zero -o trace.dat -- \
		probe calls -fn read_zero $how -save run -- caller 20000
	all_have 2000 our_calls perf_calls trace_calls
	all_have $((before + 2000)) hist_calls
	# trace-cmd has left room for 960 calls.
	echo 1024 >$tracing/buffer_size_kb
	# Few samples: a stack that is sampled in return_to_handler() makes the kernel's unwinder warn, see probe-calls(1).
	# shellcheck disable=SC2086 # a word or none
	expect 0 perf ftrace latency -a -T read_zero -- \
		probe calls -tsv -rate 10 -fn read_zero $how -save run -- caller 15000
	all_have 1500 our_calls graph_calls
done
