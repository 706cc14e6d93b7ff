# SPDX-License-Identifier: GPL-2.0-only
# native_agent.sh: part of native.sh: an agent by BPF, with windows of two seconds. It is killed, its disk fills up,
# and its configuration has errors.
# shellcheck shell=bash disable=SC2154 # variables of native.sh

ring=$work/ring

agent_starts() {	# agent_starts OPTION...: until it samples
	"$probe" agent -engine bpf -table-window 1 -stacks-window 2 -ring-dir "$ring" "$@" >>"$work/journal" 2>&1 &
	agent=$!
	for _ in {1..600}; do
		"$probe" status agent >/dev/null 2>&1 && return 0
		kill -0 "$agent" 2>/dev/null || break
		sleep 0.1
	done
	cat "$work/journal"
	return 1
}

agent_says() {	# agent_says KEY: a value of its status
	"$probe" status agent | sed -n "s/^$1  *//p"
}

await_agent() {	# await_agent KEY LEAST: until a number of its status is at least that
	for _ in {1..600}; do
		[ "$(agent_says "$1" | cut -d ' ' -f 1)" -ge "$2" ] 2>/dev/null && return 0
		sleep 0.1
	done
	"$probe" status agent 2>&1
	return 1
}

nr_windows() { find "$ring" -name '*.probe' | wc -l; }

# Samples of all files of the ring, each of which must verify.
samples_in_ring() {
	local file sum=0 n
	for file in "$ring"/*.probe; do
		n=$("$probe" verify "$file" 2>&1 | sed -n 's/.*, \([0-9]*\) samples: all [0-9]* sums hold$/\1/p')
		[ "$n" ] || { "$probe" verify "$file" 2>&1; return; }
		sum=$((sum + n))
	done
	echo "$sum"
}

# The run that ends the agent has all samples of the ring, once, and says how many windows and gaps there are.
stop_agrees() {	# stop_agrees GAPS
	local said verified
	"$probe" stop agent -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	wait "$agent" || echo "the agent ended with status $?"
	verified=$("$probe" verify "$work/stopped" 2>&1)
	[[ $verified == *", $(samples_in_ring) samples: all "*" sums hold" ]] ||
		echo "the ring has $(samples_in_ring) samples, the run: $verified"
	[ "$(tail -n 1 "$work/journal" | grep -c ': ended after ')" = 1 ] || tail -n 3 "$work/journal"
	said=$(agent_gaps)
	[ "$said" = "$1" ] || echo "$said gaps in the ring instead of $1"
}

# Gaps in the ring, from the windows' own times (section WNDW of docs/format.md): they follow each other without
# overlap, or a second or more is missing.
agent_gaps() {
	local file at
	for file in "$ring"/*.probe; do
		at=$(grep -abo WNDW "$file" | head -n 1 | cut -d : -f 1)
		od -A n -t f8 -j $((at + 40)) -N 16 "$file"
	done >"$work/times"
	awk 'NR > 1 && $2 - $1 < end - 0.05 { print "window " NR " begins before the one before it has ended" }
		NR > 1 && $2 - $1 >= end + 1 { gaps++ } { end = $2 } END { print gaps + 0 }' "$work/times"
}

recent_windows_are_dumped() {
	: >"$work/journal"
	agent_starts -prom "$work/prom" || return 1
	await_agent 'windows written' 2 || return 1
	"$probe" dump agent -last 1m -save "$work/dumped" >"$work/out" 2>&1 || cat "$work/out"
	"$probe" verify "$work/dumped" >"$work/out" 2>&1 || cat "$work/out"
	"$probe" dump agent -last 1s >"$work/out" 2>&1 || cat "$work/out"
	grep -q '^Flat Profile' "$work/out" || cat "$work/out"
	grep -q '^cpuprobe_windows_total [1-9]' "$work/prom" || cat "$work/prom"
	"$probe" agent -ring-dir "$work/other" >"$work/out" 2>&1 && echo "a second agent began"
	grep -q 'it is already running' "$work/out" || cat "$work/out"
	stop_agrees 0
	[ "$(wc -l <"$work/journal")" = 2 ] || cat "$work/journal"
}

# Killed at any moment: no window is there twice or in part, and each time without an agent is a gap.
killed_agents_leave_gaps() {
	local before now runs=1 i
	before=$(nr_windows)
	for i in 1 2 3 4; do
		sleep 1.2
		agent_starts || return 1
		sleep "$((i % 3 + 1)).$((RANDOM % 10))"
		kill -KILL "$agent"
		wait "$agent" 2>/dev/null
		now=$(nr_windows)
		[ "$now" = "$before" ] || runs=$((runs + 1))
		before=$now
	done
	sleep 1.2
	agent_starts || return 1
	await_agent 'windows written' 1
	stop_agrees "$runs"
	find "$ring" -name '*.probe.*'
}

# A configuration with errors changes nothing but a line; the next one is in force.
configurations_are_read_again() {
	printf 'rate = 30\n' >"$work/config"
	agent_starts -config "$work/config" || return 1
	printf '\nrtae = 40\n' >"$work/config"
	kill -HUP "$agent"
	await_agent faults 1
	[ "$(agent_says rate)" = '30 Hz' ] || "$probe" status agent
	grep -q "agent: $work/config:2: unknown key 'rtae'; the old configuration stays in force" "$work/journal" ||
		cat "$work/journal"
	printf 'rate = 40\n' >"$work/config"
	kill -HUP "$agent"
	await_agent rate 40
	"$probe" stop agent -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	wait "$agent" || echo "the agent ended with status $?"
}

# A sample at 2 Hz weighs 2,500 times as much as one at 5 kHz: no interval would hold for both.
rates_that_differ_too_much() {
	local ring=$work/rates last
	printf 'rate = 2\n' >"$work/config"
	agent_starts -config "$work/config" || return 1
	await_agent 'windows written' 3
	printf 'rate = 5000\n' >"$work/config"
	kill -HUP "$agent"
	await_agent rate 5000
	last=$(agent_says 'windows written')
	await_agent 'windows written' $((last + 3))
	"$probe" dump agent -save "$work/dumped" >"$work/out" 2>"$work/talk" && echo "status 0"
	grep -qx 'probe: ask run agent: the rates of its windows differ too much' "$work/talk" || cat "$work/talk"
	"$probe" dump agent -last 1 -save "$work/dumped" >"$work/out" 2>&1 || cat "$work/out"
	kill -TERM "$agent"
	wait "$agent" || echo "the agent ended with status $?"
}

# A full disk costs windows, says so once, and is no end. This needs a file system of its own.
full_disks_cost_windows() {
	local ring=$work/small
	mkdir "$ring"
	mount -t tmpfs -o size=256k none "$ring" 2>/dev/null || return 0
	: >"$work/journal"
	agent_starts || { umount "$ring"; return 1; }
	dd if=/dev/zero of="$ring/filler" bs=4k 2>/dev/null
	await_agent 'windows unwritten' 2
	rm "$ring/filler"
	await_agent 'windows written' 1
	[ "$(grep -c 'No space left on device' "$work/journal")" = 1 ] || cat "$work/journal"
	"$probe" stop agent -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	wait "$agent" || echo "the agent ended with status $?"
	"$probe" verify "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	umount "$ring"
}

# Children that end before a harvest are in the container of their parent; so are the window's processes. This needs
# the right to make control groups.
containers_are_rows() {
	local mount group id busy sum
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	id=$(printf '%064x' "$$")
	group=$mount/docker-$id.scope
	[ "$mount" ] && mkdir "$group" 2>/dev/null || return 0
	# shellcheck disable=SC2016 # the inner shells expand
	sh -c 'echo $$ >"$0/cgroup.procs"; while :; do timeout 0.05 sh -c "while :; do :; done"; done' "$group" &
	busy=$!
	agent_starts -rate 200 -prom "$work/prom" -prom-by container
	await_agent 'windows written' 2
	sum=$(awk -v id="container_id=\"$id\"" '/^cpuprobe_samples_total/ && /by="container"/ && /runtime="docker"/ &&
		index($0, id) { sum += $NF } END { print sum + 0 }' "$work/prom")
	[ "$sum" -ge 10 ] || cat "$work/prom"
	grep -aq "docker-$id.scope" "$ring"/*.probe || echo "no window has the control group"
	"$probe" stop agent -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	wait "$agent" || echo "the agent ended with status $?"
	kill "$busy"
	wait "$busy" 2>/dev/null
	for _ in {1..50}; do
		rmdir "$group" 2>/dev/null && return 0
		sleep 0.1
	done
	echo "the control group $group is still in use"
}

# Groups that live for a moment, each with a process that computes: 170 a second, which is 10,000 a minute. Rows and
# series have their bounds, and the counters of all rows are the samples taken, as long as no row has lost its place.
bombs_are_bounded() {
	local mount group
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	group=$mount/cpuprobe-bomb-$$
	[ "$mount" ] && mkdir "$group" 2>/dev/null || return 0
	cc -O1 -D_GNU_SOURCE -o "$work/bomb" "$top/tests/workloads/bomb.c" || return 1
	agent_starts -rate 200 -prom "$work/prom" -prom-by container -prom-rows 10
	"$work/bomb" "$group" 1000 170 || cat "$work/journal"
	await_agent 'windows written' 2
	[ "$(grep -c '^cpuprobe_share_ratio' "$work/prom")" -le 15 ] || cat "$work/prom"
	[ "$(grep -vc '^#' "$work/prom")" -le $((15 * 11 + 20)) ] || cat "$work/prom"
	awk '/^cpuprobe_samples_total/ { sum += $NF } /^cpuprobe_[a-z_]*total / { value[$1] = $NF } END {
		taken = value["cpuprobe_taken_samples_total"] - value["cpuprobe_excluded_samples_total"]
		# A row that lost its place took its counters with it.
		if (sum > taken || (sum < taken && !value["cpuprobe_rows_replaced_total"]))
			print sum " samples of rows, " taken " taken"
		if (value["cpuprobe_rows_entered_total"] > 2 * value["cpuprobe_windows_total"])
			print value["cpuprobe_rows_entered_total"] " rows in " value["cpuprobe_windows_total"] " windows" }' \
		"$work/prom"
	[ "$(awk '/^VmRSS/ { print $2 }' "/proc/$agent/status")" -lt $((40 << 10)) ] || cat "/proc/$agent/status"
	[ "$(agent_says faults)" = 0 ] || "$probe" status agent
	"$probe" stop agent -save "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	wait "$agent" || echo "the agent ended with status $?"
	"$probe" verify "$work/stopped" >"$work/out" 2>&1 || cat "$work/out"
	rmdir "$group"
}

if "$probe" status agent >/dev/null 2>&1; then
	echo "skip native agent: one is running"
else
	check "the last windows of an agent" recent_windows_are_dumped
	check "an agent that is killed" killed_agents_leave_gaps
	check "containers as rows of an agent" containers_are_rows
	check "short-lived containers of an agent" bombs_are_bounded
	check "the configuration of an agent" configurations_are_read_again
	check "rates of an agent that differ too much" rates_that_differ_too_much
	[ "$(id -u)" != 0 ] || check "an agent whose disk is full" full_disks_cost_windows
fi
