# SPDX-License-Identifier: GPL-2.0-only
# Makes the table of probe.bash; runs after kinds.awk.
BEGIN {
	action["columns"] = "+%s"
	action["choices"] = "=%s"
	print "# Completion of probe for bash; the table is made from those of the tool."
	print "_probe_table() {	# _probe_table COMMAND: sets options, values, arguments, takes_command"
	print "\tcase $1 in"
}

$1 == "command" {
	end_command()
	all = all " " command
	name = command
	head = sprintf("arguments='%s' takes_command=%d", arguments, takes_command)
	options = values = ""
}

$1 == "option" {
	options = options " -" option
	gsub(/ /, ",", choices)
	if (kind != "") values = values " -" option ":" offer(kind, choices)
}

function end_command() {
	if (name != "")
		printf "\t%s)\n\t\toptions='%s'\n\t\tvalues='%s'\n\t\t%s ;;\n", name,
			substr(options, 2), substr(values, 2), head
}

END {
	if (failed) exit 1
	end_command()
	printf "\t*) return 1 ;;\n\tesac\n}\n_probe_commands='%s'\n\n", substr(all, 2)
}
