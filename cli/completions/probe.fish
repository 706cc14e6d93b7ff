# SPDX-License-Identifier: GPL-2.0-only
function __probe_first
	test (count (commandline -opc)) -eq 1
end

# Whether the cursor is among the options and arguments of the command $argv.
function __probe_in
	set -l words (commandline -opc)
	test (count $words) -ge 2; and test "$words[2]" = $argv[1]; and not contains -- -- $words
end

# Whether the cursor is after the "--" of the command $argv, in a command to measure.
function __probe_after
	set -l words (commandline -opc)
	test (count $words) -ge 3; and test "$words[2]" = $argv[1]; and contains -- -- $words
end

function __probe_rest
	set -l words (commandline -opc)
	set -l from (math (contains -i -- -- $words) + 1)
	complete -C (string join -- ' ' (string escape -- $words[$from..-1]) (commandline -ct))
end

function __probe_tasks
	ps -e -o comm= 2>/dev/null | sort -u
	ps -e -o pid= 2>/dev/null | string trim
end

function __probe_runs
	probe list 2>/dev/null | sed '1d; s/ .*//'
end

# Complete the last key of KEY,+KEY,-KEY.
function __probe_columns
	set -l begun (commandline -ct | string replace -r '[^,+-]*$' '' | string replace -r '^-o=' '')
	printf "$begun%s\n" $argv
end

function __probe_cgroups
	set -l mount (sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/mounts)[1]
	test -n "$mount"; or return
	set -l directories $mount(commandline -ct | string replace -r '[^/]*$' '')*/
	string replace -- $mount '' $directories
end
