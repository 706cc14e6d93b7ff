# SPDX-License-Identifier: GPL-2.0-only
# Functions of guest tests. A test runs with the module loaded, in a directory of its own.

# How many times slower than a stock kernel this one may be: they watch themselves.
# shellcheck disable=SC2034 # for tests
case $(uname -r) in *-debug | *-kcsan) patience=5 ;; *) patience=1 ;; esac

# fail MESSAGE: the test has failed.
fail() {
	echo "FAIL: $*"
	exit 1
}

# skip REASON: end the test here without failing it; the verdicts show the reason.
skip() {
	echo "skipped: $*"
	exit 0
}

# expect STATUS COMMAND...: run it with output kept in out and err, and judge its status.
expect() {
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] && return
	cat out err
	fail "'$*' ended with $got instead of $wanted"
}

# says FILE PATTERN: a line of the file matches.
says() {
	grep -Eq -- "$2" "$1" && return
	cat "$1"
	fail "$1 does not say: $2"
}

# one_line_error PATTERN: err is one "probe:" line that matches; at most a hint follows.
one_line_error() {
	says err "^probe: .*$1"
	# Before it there may be warnings about late samples and about names that are missing, each with
	# its hint: what was sampled depends on how busy the host is.
	awk '/^probe: (warning: |[0-9]+% of the time is in )/ { skip = 1; next }
		skip && /^hint: / { skip = 0; next } { print }' err >errors
	[ "$(grep -vc '^hint: ' errors)" = 1 ] || { cat err; fail "more than one line of error"; }
	[ "$(grep -c '^hint: ' errors)" -le 1 ] || { cat err; fail "more than one hint"; }
}

# tsv ROW KEY [FILE]: a column of `probe sys -tsv` output by name of row and column.
tsv() {
	awk -F '\t' -v row="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i }
		NR > 1 && $1 == row { sum += $c; found = 1 }
		END { if (!found || !c) exit 1; print sum }' "${3:-out}" || fail "no $1/$2 in ${3:-out}"
}

# json KEY [FILE]: a number at the top level of `-json` output.
json() {
	sed -n "s/^  \"$1\": \([0-9.]*\),*\$/\1/p" "${2:-out}" | grep . || fail "no $1 in ${2:-out}"
}

# number NAME: a number of the receipt in `out`
number() { sed -n "/\"receipt\"/,\$s/.*\"$1\": \([0-9.]*\).*/\1/p" out | head -n 1; }

# finds RESULT CHECK PATTERN [HINT]: `probe doctor` has said so, with that hint.
finds() {
	says out "^$1 +$2: $3"
	[ -z "${4:-}" ] || grep -A 3 "^$1  *$2: " out | tr '\n' ' ' | grep -Eq "hint: .*$4" ||
		{ cat out; fail "$2: no hint of $4"; }
}

# holds 'EXPRESSION': arithmetic that must be true, in awk's words.
holds() {
	awk "BEGIN { exit !($1) }" || fail "does not hold: $1 ${2:-}"
}

# near A B TOLERANCE: two expressions differ by less.
near() {
	holds "($1) - ($2) < $3 && ($2) - ($1) < $3"
}

# now: seconds since boot, by the clock that the module goes by.
now() { cut -d ' ' -f 1 /proc/uptime; }

# periods_fit EXPECTED SECONDS CPUS RATE BEGAN: each CPU was sampled for the seconds that the tool
# tells, at least, and for those since BEGAN, at most: however late anything came.
periods_fit() {
	holds "$1 >= $3 * ($4 * $2 - 2)" "of $2 s"
	holds "$1 <= $3 * ($4 * ($(now) + 0.02 - $5) + 2)" "of less than $(now) - $5 s"
}

# await COMMAND...: until it succeeds. A command that has not succeeded after ten minutes never will.
await() {
	tries=6000
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "never comes true: $*"
		sleep 0.1
	done
}
is_sampling() { grep -q cpuprobe_fire /proc/timer_list; }

# dead PID: it runs no more, whoever has yet to be told.
dead() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z* | X*) ;; *) return 1 ;; esac
}

# has_begun PID: it is not the shell's own code any more, or has ended already.
has_begun() {
	! cmp -s "/proc/$1/cmdline" "/proc/$$/cmdline"
}

# background COMMAND...: start it; it ends with the test. A program runs when this returns: who looks
# for it by name, finds it.
background() {
	"$@" >/dev/null 2>&1 &
	background_pids="$background_pids $!"
	last_pid=$!
	# Functions, and what busybox does itself, stay the shell's own code.
	case $(command -v "$1") in
	*/*) [ "$(readlink -f "$(command -v "$1")")" = /bin/busybox ] || await has_begun $last_pid ;;
	esac
}

# load: the module, with room for what no sane user asks for.
load() {
	insmod /lib/modules/cpuprobe.ko max_rate=1000000 max_overhead_pct=10000 || fail "insmod"
}

# end_background: what background began, and its children, are gone.
end_background() {
	for pid in $background_pids; do kill -9 "$pid"; done 2>/dev/null
	# shellcheck disable=SC2086 # words
	wait $background_pids 2>/dev/null
	background_pids=
}

# remember_machine: what same_machine compares with. Both take the module away. Everything has
# been used once before, so that what the kernel makes at a first use is there.
remember_machine() {
	rmmod cpuprobe 2>/dev/null
	load
	churn 20 >out || fail "churn: $(cat out)"
	describe_machine >machine.before
}

# same_machine [KB]: nothing is left of what was done since: no timer, hotplug state, device,
# thread, process, open file (up to 64, as exactly as the kernel counts them), nor memory.
# Kernel memory may have grown by KB (1024), since slabs
# are counted whole and the kernel's own caches (of names, nodes of tmpfs and cgroups, stacks)
# grow with what else a test does: too much for the check to see a leak of one session, but not
# of the hundreds that a test makes. A kernel that watches its memory tells of each one.
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
		# Memory that is freed after a grace period, or by an exiting process, takes a moment.
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
	# Threads by name; the kernel's workers, and the rig's timeout, come and go as they like.
	cat /proc/[0-9]*/task/*/comm >threads 2>/dev/null
	grep -Ev '^(kworker|timeout)' threads | tr ' ' _ | sort | uniq -c | awk '{ print "thread:" $2, $1 }'
	sync
	echo 3 >/proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/*/shrink; do echo 1 >"$cache"; done 2>/dev/null
	# Memory in KASAN's quarantine is neither free nor used: kmemleak is the judge there.
	[ -e /sys/kernel/debug/kmemleak ] ||
		awk '/^(Slab|VmallocUsed|Percpu|KernelStack|PageTables):/ { print $1 "_kb", $2, "KB" }' \
			/proc/meminfo
}

# no_leaks: on a kernel that watches its memory, none of it is lost. A pointer to memory that
# was freed a moment ago may still be in a register: only a leak that is found twice counts.
no_leaks() {
	[ -w /sys/kernel/debug/kmemleak ] || return 0
	for _ in 1 2; do
		sleep 6
		echo scan >/sys/kernel/debug/kmemleak
	done
	cat /sys/kernel/debug/kmemleak >leaks
	[ ! -s leaks ] || { cat leaks; fail "memory is lost"; }
}

background_pids=
trap 'for pid in $background_pids; do kill -9 $pid; done 2>/dev/null' EXIT
