# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# Times per execution in the reports of stacks: the number that is given, or counted in a file, while
# the run is measured, in the foreground and in the background, and in saved runs.
. /test/guest-lib.sh

# times are those of the whole run, divided by N
same() { awk "BEGIN { exit !(($1) > 0.999 * ($2) && ($1) < 1.001 * ($2)) }" || fail "$1 is not $2"; }
column() {	# column ROW KEY: a value of a row of the report in out
	awk -F '\t' -v row="$1" -v key="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == row { print $at[key]; exit }' out
}

expect 0 probe flat -count 10000 -user -task counted -base target -save run -- counted 10000
says out '^One execution: [0-9.]+ us, 95% interval [0-9.]+ to [0-9.]+ us \(10000 executions\)$'
says out '^ +%  Samples  Self us +\+-  Cumul us +\+-  Object   Function$'
expect 0 probe verify run
expect 0 probe flat -tsv -base target run
same "$(column step execution_ns)" "1e9 * $(column step seconds) / 10000"
same "$(column main cumulative_execution_ns)" "1e9 * $(column main cumulative_seconds) / 10000"
holds "$(column step execution_lo_ns) < $(column step execution_ns)"
holds "$(column step execution_hi_ns) > $(column step execution_ns)"
expect 0 probe graph -json run
holds "$(json executions) == 10000"
holds "$(json execution_lo_ns) < $(json execution_hi_ns)"
expect 0 probe show run
says out '\(10000 executions\)$'
# the number may be known only afterwards
expect 0 probe graph -tree -count 5000 run
says out '\(5000 executions\)$'
says out '^% time  Total .s +\+-   Self .s  Samples  Level  Name$'
expect 2 probe flat -count-from file run
one_line_error '-count-from cannot be combined with a saved run \(run\)'
expect 2 probe flat -count 5 -count-from file
one_line_error '-count cannot be combined with -count-from'

# the number is in a file
background counted 100000000 count
await [ -s count ]
expect 0 probe flat -sec 1 -count-from count -task counted -json -save counted.run
holds "$(json executions) > 100 && $(json executions) % 100 == 0"
n=$(json executions)
expect 0 probe graph -json counted.run
holds "$(json executions) == $n"

# in the background, from the start or the reset until the dump
expect 0 probe start -user -task counted -count-from count
sleep 1
expect 0 probe dump -save first
sleep 1
expect 0 probe dump -save second
expect 0 probe reset
sleep 1
expect 0 probe dump -count 77
says out '\(77 executions\)$'
expect 2 probe dump -count 77 -save file
one_line_error '-save cannot be combined with -count'
expect 0 probe stop -save third
executions() { probe flat -json "$1" | sed -n 's/^  "executions": \([0-9]*\),$/\1/p'; }
holds "$(executions first) > 0 && $(executions second) > $(executions first)"
holds "$(executions third) > 0 && $(executions third) < $(executions second)"
end_background

# a number that does not grow: the report comes without it
expect 1 probe flat -sec 0.5 -count-from count
one_line_error 'count from count: it went from [0-9]+ to [0-9]+'
says out '^Flat Profile by Function$'
grep -q execution out && fail "times per execution of an unknown number"
expect 1 probe graph -sec 0.5 -count-from missing
one_line_error 'read the count from missing: No such file'
