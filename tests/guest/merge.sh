# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# Runs of three hosts, which are one guest under three names: merged, by program and by host, and compared as
# sets of hosts. Sums are exact; what a run hits does not matter.
. /test/guest-lib.sh
background spin 120

# measure HOST FILE OPTIONS...: a saved table of a host of this name
measure() {
	local host=$1 file=$2
	shift 2
	echo "$host" >/proc/sys/kernel/hostname
	expect 0 probe "$@" -save "$file"
}

sum() {	# sum FIELD FILE...: of receipts
	local field=$1 file all=0
	shift
	for file; do
		expect 0 probe show -json "$file"
		all=$((all + $(number "$field")))
	done
	echo $all
}

measure web1 a1 sys -sec 1 -rate 1000
measure web2 a2 sys -sec 1 -rate 250
measure web3 a3 sys -sec 1 -rate 1000
expect 0 probe merge -o all a1 a2 a3
says out '^all: 3 runs of 3 hosts, [0-9]+ samples$'
expect 0 probe verify all
says out '^  web2: [0-9]+ of [0-9]+ samples taken in '
for field in expected taken missed lost deferred cpus; do
	parts=$(sum $field a1 a2 a3) whole=$(sum $field all)
	[ "$parts" = "$whole" ] || fail "$field: $parts in three runs, $whole merged"
done
# The rows of a program add up, and its share is of time: a sample at 250 Hz weighs four times as much.
expect 0 probe show -tsv all
spin=$(tsv spin user_hits) share=$(tsv spin total)
by_host=0
expect 0 probe merge -by host -o each a1 a2 a3
expect 0 probe verify each
expect 0 probe show -tsv each
for host in web1 web2 web3; do
	by_host=$((by_host + $(tsv spin@$host user_hits)))
done
[ "$spin" = "$by_host" ] || fail "spin has $spin hits, by host $by_host"
mean=$(for run in a1 a2 a3; do expect 0 probe show -tsv $run; tsv spin total; done |
	awk '{ sum += $1 } END { print sum / NR }')
near "$share" "$mean" 0.5

# samples count once
cp a1 copy
expect 1 probe merge -o none a1 copy
says err 'they are the same run'
expect 1 probe merge -o none a1 all
says err 'it is a merged run'
[ ! -e none ] || fail "a refused merge left a file"
measure web1 pids sys -by pid -sec 1
measure web2 pids2 sys -by pid -sec 1
expect 1 probe merge -o none pids pids2
says err 'numbers of processes'
expect 0 probe merge -by host -o both pids pids2
expect 0 probe verify both
measure web1 proc proc -sec 1 spin
expect 1 probe merge -o none proc a1
says err 'differ in what they measured'
expect 1 probe merge -o none proc proc
rm -f pids pids2 both proc

# stacks, and two sets of hosts
for set in before after; do
	for host in web1 web2; do
		measure $host $set.$host flat -sec 1 -rate 500
	done
done
expect 0 probe merge -o stacks before.web1 before.web2
expect 0 probe verify stacks
expect 0 probe show stacks
expect 0 probe export -folded folded stacks
expect 0 probe graph stacks
expect 0 probe diff -before before.web1 before.web2 -after after.web1 after.web2
says out '^A: 2 hosts before, [0-9]+ samples. B: 2 hosts after, [0-9]+ samples'
expect 0 probe diff -json -before before.web1 before.web2 -after after.web1 after.web2
says out '"paired": true'
expect 0 probe diff -unpaired -json -before before.web1 before.web2 -after after.web2 after.web1
says out '"paired": false'
expect 1 probe diff -before before.web1 -after after.web1 after.web2
says err '^probe: compare: -before has runs of 1 host'
expect 2 probe diff -before before.web1 before.web2
expect 1 probe diff -before before.web1 before.web2 -after before.web1 after.web2
says err 'they are the same run'
