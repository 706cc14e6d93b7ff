# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: ci=6.1,6.12
# An agent with the module, one CPU, of which a program takes all: windows of two seconds, idle CPUs asleep, a dump of
# all of them, the table in the metrics, and the next agent, which finds the ring.
. /test/guest-lib.sh
ring=$PWD/ring

agent() {	# agent OPTION...
	probe agent -rate 100 -table-window 1 -stacks-window 2 -ring-dir "$ring" "$@" >journal 2>&1 &
	agent=$!
	wait_until 10 probe status agent
}

nr_windows() { find "$ring" -name '*.probe' | wc -l; }

written() { [ "$(nr_windows)" -ge "$1" ]; }

wait_until() {	# wait_until SECONDS COMMAND...
	seconds=$1
	shift
	while ! "$@" >out 2>err; do
		[ "$seconds" -gt 0 ] || { cat out err journal; fail "never: $*"; }
		seconds=$((seconds - 1))
		sleep 1
	done
}

agent -prom "$PWD/prom"
background spin 60
wait_until 12 written 3
expect 0 probe status agent
# Samples, and none lost.
says out '^agent +[0-9]+ agent  sampling +[0-9]+s +0s +[0-9]+ +0 '
says out '^engine +module$'
says out '^idle CPUs +sleep$'
says out '^rate +100 Hz$'
says out '^cost of sampling +0\.[0-9]+% of each CPU$'
says out '^faults +0$'
for key in gaps 'windows unwritten' 'ring damaged'; do
	says out "^$key +0"
done
expect 0 probe dump agent -last 1h -save all
expect 0 probe verify all
says out 'all [0-9]+ sums hold$'
expect 0 probe show all
says out ' spin '
# While the program runs, the sum of its samples is nearly that of all.
awk '/^cpuprobe_samples_total/ { sum += $NF } /^cpuprobe_samples_total.*name="spin"/ { spin += $NF }
	END { exit !(spin > 0 && sum >= spin) }' prom || { cat prom; fail "the program is not in the metrics"; }
expect 1 probe pause agent
one_line_error 'an agent cannot be paused or reset'
expect 0 probe stop agent -save stopped
wait "$agent" || { cat journal; fail "the agent failed"; }
[ "$(wc -l <journal)" = 2 ] || { cat journal; fail "lines without a fault"; }
before=$(nr_windows)
for file in "$ring"/*.probe; do
	expect 0 probe verify "$file"
done

# Another agent, two seconds later: all windows and one gap.
sleep 2
agent -idle sample
wait_until 8 written $((before + 1))
expect 0 probe dump agent
says err 'with 1 gap of [0-9]+ s in all$'
kill -KILL "$agent"
wait "$agent"
expect 1 probe status agent
says err 'was killed'
