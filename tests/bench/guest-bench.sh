# SPDX-License-Identifier: GPL-2.0-only
# In the guest: measure the part named in /bench/part. Each result is a line on ttyS1 (standard
# output), "= PART TOOL RATE ELAPSED_NS TOOL_NS SAMPLES RESIDENT_KB RING_KB MAPS_KB BYTES": the
# workload's elapsed time, the CPU time of the profiler's own process during the workload, the
# profiler's own count of samples, its memory and its output.
cd /tmp || exit 1
export METER=/tmp/meter
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
sysctl -q kernel.perf_event_max_sample_rate=100000 kernel.perf_cpu_time_max_percent=0
insmod /lib/modules/cpuprobe.ko max_rate=100000 max_overhead_pct=10000 slow_down=0 || exit 1
# On 6.12, periodic housekeeping of memory zones takes 0.7 ms a second after a large process ended.
sysctl -q vm.stat_interval=3600
# Keep khugepaged from working for the larger profilers in the background.
echo never >/sys/kernel/mm/transparent_hugepage/enabled
# The function of a system call.
case $(uname -m) in aarch64) getppid=__arm64_sys_getppid ;; *) getppid=__x64_sys_getppid ;; esac
# The first half second after the boot of 6.12 is disturbed.
sleep 1

# under TOOL RATE COMMAND...: run the command under a profiler; $samples gets the number of samples.
under() {
	tool=$1 rate=$2
	shift 2
	samples=0
	rm -f perf.data
	case $tool in
	none) sh /bench/inside.sh "$@" ;;
	empty | empty-bare)
		insmod /bench/empty.ko period_ns=$((1000000000 / rate)) \
			is_bare="$([ "$tool" = empty ]; echo $?)"
		sh /bench/inside.sh "$@"
		samples=$(cat /sys/module/empty/parameters/fired)
		rmmod empty ;;
	sys) probe sys -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	proc) probe proc -json -rate "$rate" /bin/loop -- sh /bench/inside.sh "$@" >out ;;
	proc-narrow) probe proc -json -rate "$rate" -low spin -high spin+256 /bin/loop -- \
		sh /bench/inside.sh "$@" >out ;;
	sys-2) probe sys -rate "$rate" -- probe sys -json -rate "$rate" -- sh /bench/inside.sh "$@" ;;
	sys-4) probe sys -rate "$rate" -- probe sys -rate "$rate" -- probe sys -rate "$rate" -- \
		probe sys -json -rate "$rate" -- sh /bench/inside.sh "$@" ;;
	sys-bpf) probe sys -engine bpf -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	sys-bpf-fixed) probe sys -engine bpf -jitter none -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	proc-bpf) probe proc -engine bpf -json -rate "$rate" /bin/loop -- sh /bench/inside.sh "$@" >out ;;
	stacks-bpf) probe flat -engine bpf -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	stacks-fp) probe flat -unwind fp -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	stacks) probe flat -json -rate "$rate" -- sh /bench/inside.sh "$@" >out ;;
	overflows)
		insmod /bench/counting.ko period=$((1000000000 / rate))
		sh /bench/inside.sh "$@"
		samples=$(cat /sys/module/counting/parameters/fired)
		rmmod counting ;;
	sys-cycles) probe sys -event cycles -period $((1000000000 / rate)) -rate 20000 -json -- \
		sh /bench/inside.sh "$@" >out ;;
	proc-cycles) probe proc -event cycles -period $((1000000000 / rate)) -rate 20000 -json /bin/loop -- \
		sh /bench/inside.sh "$@" >out ;;
	stacks-cycles) probe flat -unwind fp -event cycles -period $((1000000000 / rate)) -rate 20000 -json -- \
		sh /bench/inside.sh "$@" >out ;;
	perf-cycles) perf record -q -a -e cycles -c $((1000000000 / rate)) -o perf.data -- sh /bench/inside.sh "$@" ;;
	perf-cycles-g) perf record -q -a -g -e cycles -c $((1000000000 / rate)) -o perf.data -- \
		sh /bench/inside.sh "$@" ;;
	calls-one) probe calls -fn $getppid -rate 1 -json -- sh /bench/inside.sh "$@" ;;
	calls-all) probe calls -fn '*' -sec 3000 -rate 1 -json -- sh /bench/inside.sh "$@" ;;
	calls-each) probe calls -each -fn $getppid -rate 1 -json -- sh /bench/inside.sh "$@" ;;
	calls-paths) probe calls -paths -fn $getppid -rate 1 -json -- sh /bench/inside.sh "$@" ;;
	calls-processes) probe calls -each -processes -fn $getppid -rate 1 -json -- \
		sh /bench/inside.sh "$@" ;;
	calls-syscalls) probe calls -syscalls -processes -rate 1 -json -- sh /bench/inside.sh "$@" ;;
	trace) follow $getppid sh /bench/inside.sh "$@" ;;
	trace-switch) follow - sh /bench/inside.sh "$@" ;;
	strace) strace -f -c -o strace.out sh /bench/inside.sh "$@" ;;
	perf-trace) perf trace -s -a -o trace.out -- sh /bench/inside.sh "$@" ;;
	function | function_graph) trace_getppid "$tool" sh /bench/inside.sh "$@" ;;
	perf) perf record -q -a -e cpu-clock -F "$rate" -o perf.data -- sh /bench/inside.sh "$@" ;;
	perf-g) perf record -q -a -g -e cpu-clock -F "$rate" -o perf.data -- sh /bench/inside.sh "$@" ;;
	perf-dwarf) perf record -q -a --call-graph dwarf -e cpu-clock -F "$rate" -o perf.data -- \
		sh /bench/inside.sh "$@" ;;
	bpf-comm) bpftrace -e "profile:hz:$rate { @[comm] = count(); }" -c "sh /bench/inside.sh $*" ;;
	bpf-calls) bpftrace -e "kprobe:$getppid { @ = count(); }" -c "sh /bench/inside.sh $*" ;;
	bpf-times) bpftrace -c "sh /bench/inside.sh $*" -e "kprobe:$getppid { @begun[tid] = nsecs; }
		kretprobe:$getppid /@begun[tid]/ { @ = hist(nsecs - @begun[tid]); delete(@begun[tid]); }" ;;
	bpf-kstack) bpftrace -e "profile:hz:$rate { @[kstack] = count(); }" -c "sh /bench/inside.sh $*" ;;
	bpf-ustack) bpftrace -e "profile:hz:$rate { @[ustack] = count(); }" -c "sh /bench/inside.sh $*" ;;
	esac >out 2>err || { cat out err; echo "# $tool at $rate Hz failed"; return 1; }
}

# trace_getppid TRACER COMMAND...: run the command while a tracer of ftrace follows getppid().
trace_getppid() {
	tracing=/sys/kernel/tracing tracer=$1
	shift
	echo __do_sys_getppid >$tracing/set_ftrace_filter || echo $getppid >$tracing/set_ftrace_filter
	echo "$tracer" >$tracing/current_tracer
	"$@"
	echo nop >$tracing/current_tracer
	: >$tracing/set_ftrace_filter
}

# measure PART TOOL RATE COMMAND...
measure() {
	part=$1 tool=$2 rate=$3
	rm -f meter meter.memory
	shift
	under "$@" || return
	case $tool in
	calls-*) samples=$(sed -n 's/^{ "calls": \([0-9]*\).*/\1/p' out) ;;
	trace*) samples=$(sed -n 's/^events //p' out) ;;
	sys | sys-bpf* | sys-cycles | proc* | stacks*) samples=$(sed -n 's/^  "samples": \([0-9]*\).*/\1/p' out) ;;
	bpf-calls) samples=$(sed -n 's/^@: //p' out) ;;
	bpf-times) samples=$(awk -F '|' '/^[[(]/ { sub(/.*[])]/, "", $1); sum += $1 } END { print sum + 0 }' out) ;;
	bpf*) samples=$(awk '/\]: [0-9]+$/ { sum += $NF } END { print sum + 0 }' out) ;;
	esac
	bytes=0
	[ ! -f perf.data ] || bytes=$(stat -c %s perf.data)
	echo "= $part $tool $rate $(cat meter) ${samples:-0} $(tr '\n' ' ' <meter.memory) $bytes"
}

# compare PART RATES PROFILERS COMMAND...: run the command alone, then under each profiler at each
# rate. The first run only warms up.
compare() {
	name=$1 rates=$2 profilers=$3
	shift 3
	measure "$name" none 0 "$@" >/dev/null
	for hz in $rates; do
		measure "$name" none 0 "$@"
		for profiler in $profilers; do
			measure "$name" "$profiler" "$hz" "$@"
		done
	done
	measure "$name" none 0 "$@"
}

all="empty empty-bare sys proc proc-narrow perf perf-g bpf-comm bpf-ustack"

# Above 1 kHz runs are shorter than a second, so that no harvest of probe falls into them. One rate on arm64, whose
# emulation is slow.
part_sample() {
	for _ in 1 2 3; do
		case $getppid in __arm64_*) compare sample 9973 "$all" loop user 900000; continue ;; esac
		compare sample "9973 10000 3989 4000" "$all" loop user 900000
		compare sample-1k "997 1000" "$all" loop user 3000000
	done
}

part_busy() {
	compare busy-1 9973 "empty sys perf" crowd free 1 9000
	compare busy-40 9973 "empty sys perf" crowd free 40 9000
	compare create 9973 "empty sys perf" crowd ring 120 16000
	compare call 9973 "empty sys perf" loop call 2000000
}

part_idle() {
	insmod /bench/idle.ko
	compare idle "997 9973" "empty sys perf" loop idle 900000
	rmmod idle
}

# Ten frames in a program, with and without frame pointers; twenty in the kernel.
part_stacks() {
	insmod /bench/deep.ko
	for _ in 1 2 3; do
		compare stack-user 9973 "empty stacks stacks-fp perf-g bpf-ustack" loop frames 900000
		compare stack-frameless 9973 "empty stacks perf-g perf-dwarf" loop-frameless frames 900000
		compare stack-kernel 9973 "empty stacks perf-g bpf-kstack" loop deep 900000
	done
	rmmod deep
}

# Samples by BPF, beside the module. At 997 Hz for longer: periods are drawn again.
part_engines() {
	for _ in 1 2 3; do
		compare engines 9973 "sys sys-bpf proc proc-bpf perf bpf-comm" loop user 900000
		compare engines-1k 997 "sys-bpf sys-bpf-fixed" loop user 6000000
		compare engines-stack 9973 "stacks-fp stacks-bpf perf-g bpf-ustack" loop frames 900000
	done
}

# Samples of cycles, of which each instruction takes one.
part_events() {
	for _ in 1 2 3; do
		compare events 9973 "overflows sys-cycles proc-cycles perf-cycles empty sys" loop user 900000
		compare events-stack 9973 "overflows stacks-cycles perf-cycles-g" loop frames 900000
	done
}

part_sessions() {
	compare sessions 9973 "sys sys-2 sys-4" loop user 800000
}

part_slowdown() {
	cat /bin/openssl /bin/perf >data
	for copy in 1 2 3 4 5 6 7 8; do cp -r /bench/tree tree.$copy; done
	rates="100 300 1000 3000 10000 20000"
	compare slow-gzip "$rates" "sys perf" timed gzip -kf data
	compare slow-tar "$rates" "sys perf" timed tar cf tree.tar tree.1 tree.2 tree.3 tree.4 \
		tree.5 tree.6 tree.7 tree.8
	compare slow-net "$rates" "sys perf" timed stream 512
}

now() { cut -d ' ' -f 1 /proc/uptime; }

# Counted calls of getppid(), and of all functions; and how long all functions take to hook and, from
# the STOP of the session, to unhook. The worker that unhooks and the tool share the only CPU.
part_calls() {
	for _ in 1 2 3; do
		for tool in none calls-one function function_graph bpf-calls calls-all; do
			measure calls $tool 0 loop call 300000
		done
	done
	strace -f -ttt -T -e trace=ioctl,exit_group -o trace probe calls -fn '*' -sec 0.001 -rate 1 >/dev/null 2>&1
	ended=$(now)
	# This reading waits for the worker that removes the hooks.
	until [ ! -s /sys/kernel/tracing/enabled_functions ]; do :; done
	awk -v after="$(awk "BEGIN { print $(now) - $ended + 0.01 }")" '
		/ioctl\(.*, 0x6, / { sub(/.*</, ""); hook = $0 + 0 > hook ? $0 + 0 : hook }
		/ioctl\(.*0xcb, 0x2, / && !stop { stop = $2 }
		/exit_group\(/ { end = $2 }
		END { print "hooks", hook, end - stop + after }' trace
}

# Timed calls of getppid(), and its system calls timed.
part_times() {
	for _ in 1 2 3; do
		for tool in none calls-each calls-paths calls-processes function_graph calls-syscalls \
			bpf-times perf-trace strace; do
			measure times $tool 0 loop call 100000
		done
	done
}

# Calls of getppid() followed, and context switches.
part_trace() {
	for _ in 1 2 3; do
		for tool in none trace function_graph; do
			measure trace $tool 0 loop call 100000
		done
		for tool in none trace-switch; do
			measure switch $tool 0 loop switch 50000
		done
	done
}

echo "release $(uname -r)"
cat /bench/handler
echo "module $(probe version | sed -n 's/.* \([0-9]*\) KB per CPU.*/\1/p')"
"part_$(cat /bench/part)"
echo "done"
