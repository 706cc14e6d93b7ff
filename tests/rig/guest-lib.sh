# SPDX-License-Identifier: GPL-2.0-only
# Functions for guest tests. A test runs with the module loaded, in a directory of its own.

# Factor by which this kernel may be slower than a stock one.
# shellcheck disable=SC2034 # for tests
case $(uname -r) in *-debug | *-kcsan) patience=5 ;; *) patience=1 ;; esac

# Names that depend on the processor: the prefix of functions of system calls (do_sys: of those that do the work, where
# they are functions of their own), the beginning of kernel addresses, a
# loop's instruction that counts down, the function that calls those of system calls, and the program loader.
# shellcheck disable=SC2034 # for tests
case $(uname -m) in
aarch64)
	machine=arm64 sys=__arm64_sys_ do_sys=__arm64_sys_ high=0xffff count_down='subs +w[0-9]+, w[0-9]+, #1' dispatch=invoke_syscall
	loader=/lib/ld-linux-aarch64.so.1 ;;
*)
	machine=x86 sys=__x64_sys_ do_sys=__do_sys_ high=0xffffffff count_down='decl +%e[a-z]+' dispatch=do_syscall_64
	loader=/lib64/ld-linux-x86-64.so.2 ;;
esac

# fail MESSAGE: end the test as failed.
fail() {
	echo "FAIL: $*"
	exit 1
}

# skip REASON: end the test here as passed; the verdicts show the reason.
skip() {
	echo "skipped: $*"
	exit 0
}

# expect STATUS COMMAND...: run a command with output to the files out and err; check its status.
expect() {
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] && return
	cat out err
	fail "'$*': exit status $got instead of $wanted"
}

# says FILE PATTERN: check that a line of the file matches.
says() {
	grep -Eq -- "$2" "$1" && return
	cat "$1"
	fail "no line of $1 matches: $2"
}

# one_line_error PATTERN: check that err is one matching "probe:" line and at most a hint.
one_line_error() {
	says err "^probe: .*$1"
	# Warnings about late samples and about missing names, each with its hint, may precede the error:
	# they depend on the load of the host.
	awk '/^probe: (warning: |[0-9]+% of the time is in )/ { skip = 1; next }
		skip && /^hint: / { skip = 0; next } { print }' err >errors
	[ "$(grep -vc '^hint: ' errors)" = 1 ] || { cat err; fail "not exactly one line of error"; }
	[ "$(grep -c '^hint: ' errors)" -le 1 ] || { cat err; fail "more than one hint"; }
}

# tsv ROW KEY [FILE]: print a value of `probe sys -tsv` output by name of row and column.
tsv() {
	awk -F '\t' -v row="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i }
		NR > 1 && $1 == row { sum += $c; found = 1 }
		END { if (!found || !c) exit 1; print sum }' "${3:-out}" || fail "no $1/$2 in ${3:-out}"
}

# value COLUMN OF KEY: from the file out, a table of TSV, print KEY of the rows whose COLUMN is OF; "none": there is none.
value() {
	awk -F '\t' -v by="$1" -v of="$2" -v key="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at[by] == of { print $at[key]; n++ }
		END { if (!n) print "none" }' out
}

# json KEY [FILE]: print a number at the top level of `-json` output.
json() {
	sed -n "s/^  \"$1\": \([0-9.]*\),*\$/\1/p" "${2:-out}" | grep . || fail "no $1 in ${2:-out}"
}

# hooks: print the number of hooks in the kernel's functions, by ftrace or, as of returns on arm64, by breakpoints.
hooks() { cat /sys/kernel/tracing/enabled_functions /sys/kernel/debug/kprobes/list 2>/dev/null | wc -l; }

# number NAME: print a number of the receipt in the file out.
number() { sed -n "/\"receipt\"/,\$s/.*\"$1\": \([0-9.]*\).*/\1/p" out | head -n 1; }

# finds RESULT CHECK PATTERN [HINT]: check that `probe doctor` has printed this finding and hint.
finds() {
	says out "^$1 +$2: $3"
	[ -z "${4:-}" ] || grep -A 3 "^$1  *$2: " out | tr '\n' ' ' | grep -Eq "hint: .*$4" ||
		{ cat out; fail "$2: no hint of $4"; }
}

# holds 'EXPRESSION': check that an expression of awk is true.
holds() {
	awk "BEGIN { exit !($1) }" || fail "not true: $1 ${2:-}"
}

# near A B TOLERANCE: check that two expressions differ by less than TOLERANCE.
near() {
	holds "($1) - ($2) < $3 && ($2) - ($1) < $3"
}

# now: print the seconds since boot, by the clock that the module uses.
now() { cut -d ' ' -f 1 /proc/uptime; }

# periods_fit EXPECTED SECONDS CPUS RATE BEGAN [STRETCHES]: check that each CPU was sampled at least for the
# SECONDS that the tool has printed, and at most for the time since BEGAN, however late the host. Each pause
# makes a stretch more, which has a begun period at either end.
periods_fit() {
	holds "$1 >= $3 * ($4 * $2 - 2 * ${6:-1})" "of $2 s"
	holds "$1 <= $3 * ($4 * ($(now) + 0.02 - $5) + 2 * ${6:-1})" "of less than $(now) - $5 s"
}

# await COMMAND...: repeat the command until it succeeds; fail after ten minutes.
await() {
	tries=6000
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "still fails after ten minutes: $*"
		sleep 0.1
	done
}
is_sampling() { grep -q cpuprobe_fire /proc/timer_list; }

# cpu1_offline: take CPU 1 offline. It stops between the times going and gone.
# shellcheck disable=SC2034 # for tests
cpu1_offline() {
	going=$(now)
	echo 0 >/sys/devices/system/cpu/cpu1/online || fail "hotplug"
	gone=$(now)
}

# cpu1_online: take CPU 1 online. It starts between the times coming and come.
# shellcheck disable=SC2034 # for tests
cpu1_online() {
	coming=$(now)
	echo 1 >/sys/devices/system/cpu/cpu1/online || fail "hotplug"
	come=$(now)
}

# dead PID: succeed if the process and its threads have ended, even if its parent has not reaped it.
dead() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'') ;;
	Z* | X*) set -- "/proc/$1/task"/* && [ $# = 1 ] ;;
	*) return 1 ;;
	esac
}

# has_begun PID: succeed if the process has executed its program, or has ended.
has_begun() {
	! cmp -s "/proc/$1/cmdline" "/proc/$$/cmdline"
}

# background COMMAND...: start a command that ends with the test. A program has been executed when
# this returns, so it can be found by its name.
background() {
	"$@" >/dev/null 2>&1 &
	background_pids="$background_pids $!"
	last_pid=$!
	# Functions and applets of busybox run in the shell itself.
	case $(command -v "$1") in
	*/*) [ "$(readlink -f "$(command -v "$1")")" = /bin/busybox ] || await has_begun $last_pid ;;
	esac
}

# side_by_side SECONDS COMMAND OPTION...: measure the same seconds with the module and with BPF, in background runs
# that have the engines' names, which are the command's last word. Both are paused then. The start of an engine
# takes a second and more on a slow CPU, which is in neither run.
side_by_side() {
	seconds=$1 command=$2
	shift 2
	for engine in module bpf; do expect 0 probe "$command" -engine $engine "$@" $engine; done
	for engine in module bpf; do expect 0 probe reset $engine; done
	sleep "$seconds"
	for engine in module bpf; do expect 0 probe pause $engine; done
}

# load: load the module with limits that allow excessive rates.
load() {
	insmod /lib/modules/cpuprobe.ko max_rate=1000000 max_overhead_pct=10000 || fail "insmod"
}

# has_overlay: succeed if the kernel has overlayfs, or load it.
has_overlay() {
	grep -q overlay /proc/filesystems && return
	[ -e /lib/modules/overlay.ko ] || return
	insmod /lib/modules/overlay.ko || fail "the rig: insmod overlay"
}

# end_background: kill the commands that `background` has started.
end_background() {
	for pid in $background_pids; do kill -9 "$pid"; done 2>/dev/null
	# shellcheck disable=SC2086 # words
	wait $background_pids 2>/dev/null
	background_pids=
}

# remember_machine: note the state that same_machine compares with. Both unload the module. Every
# kind of session runs once before, so that allocations of the first use have been made.
remember_machine() {
	rmmod cpuprobe 2>/dev/null
	load
	churn 20 >out || fail "churn: $(cat out)"
	describe_machine >machine.before
}

# same_machine [KB]: check that nothing is left since remember_machine: no timer, hotplug state,
# device, thread, process, open file (within 64, the precision of the kernel's count) or memory.
# Kernel memory may have grown by KB (1024), since slabs are counted whole and the kernel's own
# caches (of names, nodes of tmpfs and cgroups, stacks) grow with the test's other work. That hides
# a leak of one session, but not of the hundreds that a test makes; kmemleak on the debug kernel
# finds each one.
same_machine() {
	kb=${1:-1024} tries=0
	while [ $tries -lt 240 ]; do
		describe_machine >machine.after
		changes=$(awk -v kb="$kb" '
			NR == FNR { before[$1] = $2; next }
			$1 == "open_files" { if ($2 > before[$1] + 64) print $1, before[$1], "->", $2; next }
			/ KB$/ { if ($2 > before[$1] + kb) print $1, before[$1], "->", $2, "KB"; next }
			$2 != before[$1] { print $1, before[$1] + 0, "->", $2 }
			{ delete before[$1] }
			END { for (i in before) if (i !~ /_kb$|^open_files$/) print i, before[i], "-> none" }' \
			machine.before machine.after)
		[ -n "$changes" ] || break
		# Memory is freed with a delay: after a grace period, or by an exiting process.
		tries=$((tries + 1))
		sleep 0.5
	done
	[ -z "$changes" ] || fail "the machine is not as before: $changes"
	no_leaks
}

describe_machine() {
	grep -q '^cpuprobe ' /proc/modules && { rmmod cpuprobe || fail "something holds the module"; }
	grep cpuprobe /proc/timer_list && fail "a timer is left"
	grep cpuprobe /sys/devices/system/cpu/hotplug/states /proc/misc /proc/devices &&
		fail "a trace is left"
	[ ! -e /dev/cpuprobe ] && [ ! -e /sys/module/cpuprobe ] || fail "a trace is left"
	wc -l </sys/devices/system/cpu/hotplug/states | sed 's/^/hotplug_states /'
	read -r files _ </proc/sys/fs/file-nr
	echo "open_files $files"
	# Threads by name, except for those that come and go: the kernel's workers, its tests of
	# ciphers, and the rig's timeout.
	cat /proc/[0-9]*/task/*/comm >threads 2>/dev/null
	grep -Ev '^(kworker|cryptomgr_|timeout)' threads | tr ' ' _ | sort | uniq -c | awk '{ print "thread:" $2, $1 }'
	sync
	echo 3 >/proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/*/shrink; do echo 1 >"$cache"; done 2>/dev/null
	# With KASAN's quarantine memory is neither free nor used: there kmemleak is the judge.
	[ -e /sys/kernel/debug/kmemleak ] ||
		awk '/^(Slab|VmallocUsed|Percpu|KernelStack|PageTables):/ { print $1 "_kb", $2, "KB" }' \
			/proc/meminfo
}

# no_leaks: check that kmemleak, if the kernel has it, finds no leak. The only pointer to memory
# may be in a register for a moment, so a leak must be found by two scans.
no_leaks() {
	[ -w /sys/kernel/debug/kmemleak ] || return 0
	for _ in 1 2; do
		sleep 6
		echo scan >/sys/kernel/debug/kmemleak
	done
	cat /sys/kernel/debug/kmemleak >leaks
	[ ! -s leaks ] || { cat leaks; fail "kmemleak has found leaks"; }
}

background_pids=
trap 'for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT
