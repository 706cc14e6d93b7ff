#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# boot.sh [OPTIONS]: boot a kernel in QEMU and run a script in it.
#   --kernel SERIES  --initrd FILE   what to boot
#   --run PATH       the script, a path in the guest
#   --log FILE       the kernel's console goes there
#   --channel FILE   ttyS1 goes there; without it, ttyS1 is this terminal
#   --icount         an instruction takes a nanosecond, exactly; several CPUs share this time
#   --shift N        with --icount: 2^N nanoseconds, so that hours pass sooner (0)
#   --smp N          CPUs (2; with --icount 1)
#   --cpu NAME       on arm64: this processor, as QEMU names it, instead of one that has everything
#   --machine WORDS  properties of the emulated board, as QEMU names them
#   --memory SIZE    (2G)
#   --append WORDS   more words on the kernel's command line
#   --timeout SEC    give up after that (600); 0: never
# With --channel, a guest that writes "rig: pause N" to ttyS1 is stopped for N seconds, as a busy
# host may stop it: its clock runs on, except with --icount. If it writes "rig: nmi", it gets an NMI from outside.
# FILE.costs of the log gets a line "NAME SECONDS" for each line "rig: took ...: NAME" that is read while the guest runs:
# the host's processor time until then.
# Exit status: the script's; 124: timeout; 125: the guest ended before the script did.
#
# Emulation is always in software, since a stock kernel hangs under some KVMs, and in one thread,
# since QEMU with several mishandles kernels that patch their own text.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
series=6.1 smp='' memory=2G timeout=600 shift=0 icount='' channel='' log='' initrd='' run='' more='' cpu='' board=''
while [ $# -gt 0 ]; do
	case $1 in
	--icount) icount=1; shift; continue ;;
	--kernel) series=$2 ;;
	--initrd) initrd=$2 ;;
	--run) run=$2 ;;
	--log) log=$2 ;;
	--channel) channel=$2 ;;
	--smp) smp=$2 ;;
	--cpu) cpu=$2 ;;
	--machine) board=$2 ;;
	--memory) memory=$2 ;;
	--shift) shift=$2 ;;
	--append) more=$2 ;;
	--timeout) timeout=$2 ;;
	*) echo "boot: unknown option $1" >&2; exit 125 ;;
	esac
	shift 2
done

default_smp=2
[ -z "$icount" ] || default_smp=1
case $series in
*-arm64)
	# The usual algorithm of pointer authentication takes most of the time of an emulated arm64.
	qemu=qemu-system-aarch64 machine=(-machine virt -cpu "${cpu:-max,pauth-impdef=on}")
	append="console=ttyAMA0"
	[[ $series != *-nmi-* ]] || { machine+=(-machine gic-version=3) append+=" irqchip.gicv3_pseudo_nmi=1"; } ;;
*)
	qemu=qemu-system-x86_64 machine=(-machine "q35,hpet=off" -cpu "max,-erms,-fsrm")
	append="console=ttyS0 tsc=reliable clocksource=tsc" ;;
esac
machine+=(-accel 'tcg,thread=single' -m "$memory"
	-display none -nodefaults -no-reboot -smp "${smp:-$default_smp}")
[ -z "$board" ] || machine+=(-machine "$board")
[ -z "$icount" ] || machine+=(-icount "shift=$shift,sleep=off")
# The debug kernels look for races, so they need CPUs that really run at the same time. They do not
# patch their text in the way that threaded emulation mishandles.
case $series,$icount in debug, | kcsan,) machine+=(-accel 'tcg,thread=multi') ;; esac
append+=" loglevel=5 printk.time=1 panic=-1 rig.run=$run $more"
[ -z "$icount" ] || append+=" rig.exact"
# The debug kernel stops at its first warning. The kcsan kernel does not: it finds races of the
# kernel itself too, which logcheck.sh tells apart.
case $series in debug) append+=" panic_on_warn=1" ;; esac
# Linux 7.3 still tests its ciphers for many seconds after programs have started.
[ "$series" != newer ] || append+=" cryptomgr.notests=1"
if [ -n "$channel" ]; then
	serial=(-serial "file:$log" -chardev "file,id=tty,path=$channel")
else
	size=$(stty size 2>/dev/null || echo "24 80")
	append+=" rig.rows=${size% *} rig.cols=${size#* } rig.term=${TERM:-dumb}"
	[ "$(locale charmap 2>/dev/null)" != UTF-8 ] || append+=" rig.locale=C.UTF-8"
	serial=(-serial "file:$log" -chardev "stdio,id=tty,signal=off")
fi
# The emulated arm64 board has one serial port. Two on the PCI bus are ttyS0, which nobody uses, and ttyS1.
case $series in
*-arm64) serial+=(-chardev "null,id=none" -device "pci-serial,chardev=none" -device "pci-serial,chardev=tty") ;;
*) serial+=(-serial chardev:tty) ;;
esac
saved=$(stty -g 2>/dev/null || true)
restore() { [ -z "$saved" ] || stty "$saved" 2>/dev/null; }
trap restore EXIT

# Seconds of the host's processors that QEMU has taken. Fails if it has ended: it then removes the file with its pid.
processor_seconds() {
	local pid
	pid=$(cat "$log.pid" 2>/dev/null) && [ -n "$pid" ] || return
	awk -v hz="$(getconf CLK_TCK)" '{ printf "%.1f", ($14 + $15) / hz }' "/proc/$pid/stat" 2>/dev/null
}

# Stops and continues QEMU, or orders an NMI at its monitor, when the guest asks, and notes what each test has cost.
watch_channel() {
	local what words seconds
	tail -q -s 0.1 -c +1 --pid=$$ -F "$channel" 2>/dev/null |
		sed -un 's/\r//; s/^rig: \(nmi\|pause [0-9]*\|took .*\)$/\1/p' |
		while read -r what words; do
			case $what in
			took) ! seconds=$(processor_seconds) || echo "${words##*: } $seconds" >>"$log.costs" ;;
			nmi) echo nmi >"$log.monitor.in" ;;
			pause)
				kill -STOP "$(cat "$log.pid")" && sleep "$words"
				kill -CONT "$(cat "$log.pid")" ;;
			esac
		done
}

: >"$log"
if [ -n "$channel" ]; then
	: >"$channel"
	rm -f "$log.costs" "$log".monitor.{in,out}
	mkfifo "$log".monitor.{in,out}
	machine+=(-pidfile "$log.pid" -chardev "pipe,id=monitor,path=$log.monitor" -mon "chardev=monitor")
	cat "$log.monitor.out" >/dev/null 2>&1 &
	watch_channel &
fi
timeout --foreground "$timeout" "$qemu" "${machine[@]}" "${serial[@]}" \
	-kernel "$top/build/kernels/$series/vmlinuz" -initrd "$initrd" -append "$append" \
	2>"$log.qemu"
status=$?
if [ "$status" = 124 ]; then
	echo "boot: the guest was not done after $timeout s; its log is $log" >&2
	exit 124
fi
status=$(tr -d '\r' <"$log" | sed -n 's/^.*rig: exit \([0-9]*\)$/\1/p' | tail -n 1)
if [ -z "$status" ]; then
	cat "$log.qemu" >&2
	echo "boot: the guest ended before its script did; its log is $log" >&2
	exit 125
fi
exit "$status"
