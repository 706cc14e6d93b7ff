# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: alone
# rig: timed
# rig: timeout=300
# rig: boot=no_console_suspend
# The machine is suspended while it is sampled, to each depth of the kernel's pm_test, then to memory
# until the RTC alarm (which does not wake the emulated machine from suspend to idle): sampling
# continues afterwards, all sums hold, and the time asleep is not sampled time.
. /test/guest-lib.sh
power=/sys/power
[ -e $power/state ] || skip "this kernel cannot suspend"
echo 1 >/sys/module/suspend/parameters/pm_test_delay

# monotonic: print CLOCK_MONOTONIC in nanoseconds; the clock stops while the machine is suspended.
monotonic() { { read -r _; read -r _; read -r _ _ ns _; } </proc/timer_list; echo "$ns"; }

# sleep_as STATE SECONDS TEST: suspend the machine during a run, whose report is in the file out.
sleep_as() {
	echo "suspend: $1, test $3" >/dev/kmsg
	echo "$3" >$power/pm_test
	real=$(now)
	began=$(monotonic)
	probe sys -sec 2.5 -rate 200 -save run -json >out 2>err &
	pid=$!
	sleep 0.7
	if [ "$3" = none ]; then
		echo 0 >/sys/class/rtc/rtc0/wakealarm
		echo "+$2" >/sys/class/rtc/rtc0/wakealarm || fail "the rig: no alarm"
	fi
	echo "$1" >$power/state || fail "the rig: no suspend to $1 ($3)"
	wait $pid || { cat err; fail "sums do not hold across $1 ($3)"; }
	awake=$(awk "BEGIN { print ($(monotonic) - $began) / 1e9 }")
	asleep=$(awk "BEGIN { print $(now) - $real - $awake }")
	echo "$1 ($3): $(json samples) samples, $(json missed) missed in $(json seconds) s," \
		"$asleep s asleep" >>figures
	holds "$(json samples) + $(json missed) == $(json expected)"
	# CPU 1 goes offline in the test "processors" and deeper ones; CPU 0 never does.
	holds "$(json expected) >= 200 * $(json seconds) - 2"
	holds "$(json expected) <= 2 * (200 * $awake + 2)"
	holds "$(json samples) > 20" "sampling does not go on"
	expect 0 probe verify run
	[ "$(cat /sys/devices/system/cpu/online)" = 0-1 ] || fail "a CPU is missing"
}
# Without suspend to memory, as on the emulated arm64, the kernel tests suspend to idle, which stops no CPU.
depths='freezer devices platform'
! grep -q deep $power/mem_sleep || depths="$depths processors core"
for test in $depths; do
	sleep_as mem 1 "$test"
done
sleep_as freeze 1 platform
# The debug kernel never returns from memory, not even after the module is removed.
if grep -q deep $power/mem_sleep && [ "$patience" = 1 ]; then
	touch /run/slept
	sleep_as mem 10 none
	holds "$asleep > 2" "it did not sleep"
fi
cat figures
