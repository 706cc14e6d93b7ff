# SPDX-License-Identifier: GPL-2.0-only
# In the guest: what an agent at its default rate costs on one CPU, all in all, beside `perf record -F 19 -a -g` in a
# loop of minutes, and bpftrace. An instruction takes eight nanoseconds. The module idle tells how long the CPU was
# halted; the rest of the time was spent on instructions. Loads are "idle", ten minutes, and "busy", 60 times a second of
# sleep and a piece of work with nine programs. Results are lines "agent LOAD TOOL ELAPSED_NS HALTED_NS TOOL_NS" on ttyS1
# (standard output), and "memory TOOL KB". TOOL_NS is the CPU time of the agent's process.
cd /tmp || exit 1
insmod /lib/modules/cpuprobe.ko && insmod /bench/idle.ko || exit 1
# Housekeeping that comes at random times: see guest-bench.sh.
sysctl -q vm.stat_interval=3600
echo never >/sys/kernel/mm/transparent_hugepage/enabled
export METER=/tmp/meter
sleep 1
echo "release $(uname -r)"
head -c 300000 /bin/openssl >data
cat >load <<'END'
piece() {
	gzip -c data >packed
	gzip -dc packed | md5sum
	tar cf - -C /bench/tree kmod | wc -c
	sh -c 'sort /bench/tree/kmod/*.c | uniq -c | sort -n'
}
case $1 in
idle) sleep 600 ;;
busy) for _ in $(seq "$2"); do piece; sleep 1; done >/dev/null ;;
esac
END

halted() { cat /sys/module/idle/parameters/halted_ns; }

begin() {	# begin TOOL: sets $pid, which ends it, and $TOOL, the process whose time is known
	TOOL='' pid=
	case $1 in
	agent*)
		engine=module
		[ "$1" = agent ] || engine=bpf
		probe agent -engine $engine -ring-dir "/tmp/ring.$1" -prom /tmp/prom 2>journal &
		TOOL=$! ;;
	perf) sh -c 'while perf record -q -e cpu-clock -F 19 -a -g -o perf.data -- sleep 60; do :; done' & ;;
	bpftrace) bpftrace -q -e 'profile:hz:19 { @[kstack, ustack, comm] = count(); } interval:s:60 { clear(@); }' & ;;
	*) return ;;
	esac >out 2>&1
	pid=$!
}

# measure TOOL: both loads, after a minute in which all programs of the work have been seen.
measure() {
	begin "$1"
	export TOOL
	sh load busy 10
	sleep 60
	for load in idle busy; do
		before=$(halted)
		timed sh load $load 60
		echo "agent $load $1 $(awk -v before="$before" -v after="$(halted)" '{ printf "%s %.0f %s", $1, after - before, $2 }' meter)"
	done
	[ ! "$pid" ] || kill -0 "$pid" || { cat out journal; exit 1; }
	[ ! "$TOOL" ] || sed -n "s/^VmRSS:[^0-9]*\([0-9]*\) kB/memory $1 \1/p" "/proc/$TOOL/status"
	[ ! "$pid" ] || kill "$pid"
	killall -q perf
	wait
	rm -f perf.data
}

for tool in none agent agent-bpf perf bpftrace none; do
	echo "# $tool"
	measure $tool
done
echo "done"
