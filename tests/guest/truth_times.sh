# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1,6.12
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=400
# Times of calls whose instructions are known, a nanosecond each: within 1%, also of calls in calls.
# Recursion, a jump to another function, threads that die in a call, and interrupts keep the number of
# calls exact and each time where it belongs. The time that samples give agrees. On RT softirqs run in
# tasks, whose calls they are.
. /test/guest-lib.sh
insmod /test/known.ko || fail "no known.ko"
insmod /test/tangled.ko || fail "no tangled.ko"
of() { value function "tangled_$1" "$2"; }
tangle() { expect 0 probe calls "$1" -fn 'tangled:tangled_*' -tsv -rate 100 -- sh -c "echo $3 >/sys/module/tangled/parameters/$2"; }
about() { near "$1" "$2" "$2 * 0.01"; }

# The program of four equal loops.
expect 0 probe calls -each -fn 'known:known_*' -tsv -rate 100 -- sh -c 'echo 1000 >/sys/module/known/parameters/rounds'
for name in a b c d; do
	holds "$(value function known_$name calls) == 1000 && $(value function known_$name ended) == 1000"
	about "$(value function known_$name avg_net_ns)" 20012
done
about "$(value function known_a avg_on_ns)" 80050
about "$(value function known_b avg_on_ns)" 40025
holds "$(value function known_a descendants) == 3000 && $(value function known_a children) == 2000"
holds "$(value function known_c min_ns) >= 20000 && $(value function known_c min_ns) <= 20200"
expect 0 probe calls -paths -fn 'known:known_*' -tsv -rate 100 -- sh -c 'echo 1000 >/sys/module/known/parameters/rounds'
for path in 'known_a' 'known_a;known_b' 'known_a;known_c' 'known_a;known_b;known_d'; do
	holds "$(value path "$path" calls) == 1000"
	about "$(value path "$path" avg_net_ns)" 20012
done
about "$(value path known_a avg_on_ns)" 80050

# Samples of the same function: in at least 2 of 5 runs their 95% interval holds the time of the timed
# calls (fewer happen by chance once in 33,000 runs).
good=0
for seed in 1 2 3 4 5; do
	expect 0 probe calls -each -fn known:known_d -tsv -seed $seed -- sh -c 'echo 2000 >/sys/module/known/parameters/rounds'
	timed=$(value function known_d avg_net_ns)
	expect 0 probe calls -fn known:known_d -tsv -seed $seed -rate 5000 -- sh -c 'echo 2000 >/sys/module/known/parameters/rounds'
	awk "BEGIN { exit !($(value function known_d self_ns_lo) <= $timed * 1.001 &&
		$(value function known_d self_ns_hi) >= $timed * 0.999) }" && good=$((good + 1))
done
[ $good -ge 2 ] || { cat out; fail "only $good of 5 intervals hold the time, $timed ns"; }

# Recursion: each call counts, its time once. Some calls take 0.4 ms in all: a tick of the kernel comes into one of
# eight such runs, and takes more than 1% of them. Five runs in a row have one by chance once in 30,000 times.
quiet_tangle() {	# quiet_tangle COLUMN OF KEY TIME ARGUMENT...: tangle, up to five times, until the time is about right
	column=$1 of=$2 key=$3 time=$4
	shift 4
	for _ in 1 2 3 4 5; do
		tangle "$@"
		awk "BEGIN { d = $(value "$column" "$of" "$key") / ($time) - 1; exit !(d * d < 0.0001) }" && return
		echo "$* took $(value "$column" "$of" "$key") ns, not $time"
	done
}
quiet_tangle function tangled_recurse net_ns "21 * 20015" -each recurse 20
holds "$(of recurse calls) == 21 && $(of recurse ended) == 21 && $(of recurse recursive) == 20"
about "$(of recurse net_ns)" "21 * 20015"
about "$(of recurse on_ns)" "21 * 20015"
holds "$(of recurse descendants) == 20"
deep='tangled_recurse;tangled_recurse;tangled_recurse'
quiet_tangle path "$deep" avg_on_ns "4 * 20015" -paths recurse 5
holds "$(value path 'tangled_recurse;tangled_recurse' calls) == 1"
about "$(value path "$deep" avg_on_ns)" "4 * 20015"

# A jump to another function: both end.
tangle -each jump 500
holds "$(of jump calls) == 500 && $(of jump ended) == 500 && $(of target ended) == 500"
about "$(of target avg_net_ns)" 20012
# On arm64 one breakpoint ends both, and the cost of two is taken out.
spare=200
[ "$(uname -m)" != aarch64 ] || spare=400
near "$(of jump avg_net_ns)" 20015 $spare

# Threads that die inside.
tangle -each die 300
holds "$(of die calls) == 300 && $(of die ended) == 0 && $(of die open) == 300"
tangle -paths die 3

# Interrupts are in no other call's own time.
tangle -each interrupt 500
for name in irq softirq interrupted; do
	holds "$(of $name calls) == 500 && $(of $name ended) == 500"
done
about "$(of irq avg_net_ns)" 20015
about "$(of softirq avg_net_ns)" 20015
# Two interrupts of 20,000 instructions, with their hooks. On RT one: the softirq is a call of the task.
case $(uname -r) in *-rt-*) nr=1 ;; *) nr=2 ;; esac
holds "$(of interrupted interrupted_ns) / 500 > 20000 * $nr && $(of interrupted interrupted_ns) / 500 < 22000 * $nr"
holds "$(of interrupted children) == 500 * (2 - $nr)"
holds "$(of interrupted avg_net_ns) < 30000"
rmmod tangled
rmmod known
