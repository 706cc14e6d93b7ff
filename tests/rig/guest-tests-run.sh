# SPDX-License-Identifier: GPL-2.0-only
# In the guest: run the tests named in /test/list, each with the module freshly loaded. Verdicts go
# to ttyS1 (our standard output), after the lines of a failed test and the reasons of skipped checks,
# which begin with "# ".
# Factor by which a test may exceed its limit: debug kernels are slow, and if the guest's clock is
# the host's, the host may be busy. Only a test that hangs takes this long.
patience=1
case $(uname -r) in *-debug | *-kcsan) patience=5 ;; esac
grep -q rig.exact /proc/cmdline || patience=$((6 * patience))
uptime_cs() { cut -d ' ' -f 1 /proc/uptime | tr -d .; }
# Leaks are searched for at the end.
[ ! -w /sys/kernel/debug/kmemleak ] || echo scan=off >/sys/kernel/debug/kmemleak
# The kernel's own work after its start must not disturb the first test.
sleep 2

kill_session() {	# kill_session SESSION: kill its processes
	killed=
	for stat in /proc/[0-9]*/stat; do
		# shellcheck disable=SC2046 # words
		set -- "$1" $(sed 's/.*) //' "$stat" 2>/dev/null)
		[ "$5" != "$1" ] || { stat=${stat%/stat} && kill -9 "${stat#/proc/}" && killed=yes; }
	done 2>/dev/null
	[ -z "$killed" ] || sleep 1
}

while read -r name; do
	mkdir -p "/tmp/$name"
	cd "/tmp/$name" || exit 1
	limit=$(sed -n 's/^# rig: timeout=//p' "/test/$name.sh")
	parameters=$(sed -n 's/^# rig: module //p' "/test/$name.sh")
	echo "rig: test $name" >/dev/kmsg
	# shellcheck disable=SC2086 # a list of parameters
	# An emulated interrupt costs tens of microseconds, or more on a busy host. No run may be refused
	# for that, unless a test asks for a limit.
	insmod /lib/modules/cpuprobe.ko ${parameters:-max_overhead_pct=10000} 2>log || echo "# insmod failed: $(cat log)"
	began=$(uptime_cs)
	setsid timeout -s KILL $((${limit:-90} * patience)) /bin/sh "/test/$name.sh" >log 2>&1 </dev/null &
	session=$!
	wait $session
	status=$?
	# Kill what the test left running: it would compete with the next test.
	kill_session $session
	if [ $status != 0 ]; then
		tail -n 40 log | sed 's/^/# /'
	else
		sed -n "s/^skipped: /# $name: skipped: /p" log
	fi
	# Figures for the documentation, if the test leaves any.
	[ ! -f figures ] || sed 's/^/= /' figures
	if lsmod | grep -q '^cpuprobe' && ! rmmod cpuprobe; then
		echo "# the module cannot be unloaded"
		status=1
	fi
	cd /
	rm -rf "/tmp/${name:?}"
	echo "rig: took $(($(uptime_cs) - began)) cs: $name"
	if [ $status = 0 ]; then echo "ok $name"; else echo "not ok $name"; fi
done </test/list

# kmemleak searches for leaks on demand: two scans, since a pointer may be in a register during one.
# It does not log what it finds loudly enough for logcheck.sh, so log the number here.
if [ -w /sys/kernel/debug/kmemleak ]; then
	for _ in 1 2; do
		echo scan >/sys/kernel/debug/kmemleak
		sleep 6
	done
	cat /sys/kernel/debug/kmemleak >/tmp/leaks
	if [ -s /tmp/leaks ]; then
		sed 's/^/# /' /tmp/leaks
		echo "<3>kmemleak: $(grep -c ^unreferenced /tmp/leaks) new suspected leaks" >/dev/kmsg
	fi
fi
# Send the module's line counts, if the kernel has them (see coverage.sh).
if [ -d /sys/kernel/debug/gcov ]; then
	mkdir -p /tmp/gcda
	find /sys/kernel/debug/gcov -path '*/src/kmod/*.gcda' | while read -r file; do
		cat "$file" >"/tmp/gcda/${file##*/}"
	done
	tar -c -C /tmp/gcda . | gzip | base64 | sed 's/^/+ /'
fi
echo "done"
exit 0
