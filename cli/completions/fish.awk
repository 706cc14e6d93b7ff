# SPDX-License-Identifier: GPL-2.0-only
# Makes the table of probe.fish; runs after kinds.awk.
BEGIN {
	action["file"] = "-F"
	action["task"] = "-x -a '(__probe_tasks)'"
	action["run"] = "-x -a '(__probe_runs)'"
	action["cgroup"] = "-x -a '(__probe_cgroups)'"
	action["none"] = "-x"
	action["commands"] = "-a '(__probe_commands)'"
	action["columns"] = "-x -a '(__probe_columns %s)'"
	action["choices"] = "-x -a '%s'"
	print "# Completion of probe for fish; the table is made from those of the tool."
	print "complete -c probe -f"
}

function quoted(text) {
	gsub(/[\\']/, "\\\\&", text)
	return "'" text "'"
}

$1 == "command" {
	names = names " " command
	printf "complete -c probe -n __probe_first -a %s -d %s\n", command, quoted(help)
	for (i = 1; i <= nr_arguments; i++)
		printf "complete -c probe -n '__probe_in %s' %s\n", command, offer(argument[i])
	if (takes_command)
		printf "complete -c probe -n '__probe_after %s' -x -a '(__probe_rest)'\n", command
}

$1 == "option" {
	printf "complete -c probe -n '__probe_in %s' -o %s", command, option
	if (kind != "") printf "%s %s", kind == "file" ? " -r" : "", offer(kind, choices)
	printf " -d %s\n", quoted(help)
}

END {
	if (failed) exit 1
	printf "\nfunction __probe_commands\n\tstring split ' ' %s\nend\n\n", quoted(substr(names, 2))
}
