# SPDX-License-Identifier: GPL-2.0-only
# Makes the tables of probe.zsh; runs after kinds.awk.
BEGIN {
	action["file"] = "_files"
	action["task"] = "_probe_tasks"
	action["run"] = "_probe_runs"
	action["cgroup"] = "_probe_cgroups"
	action["commands"] = "_probe_offer_commands"
	action["none"] = " "
	action["columns"] = " _probe_columns %s"
	action["choices"] = "(%s)"
	print "#compdef probe"
	print "# Completion of probe for zsh; the tables are made from those of the tool."
	print "_probe_specs() {	# _probe_specs COMMAND: sets specs"
	print "\tcase $1 in"
}

function quoted(text) {
	gsub(/'/, "'\\''", text)
	return text
}

$1 == "command" {
	if (all != "") print "\t) ;;"
	all = all sprintf("\t'%s:%s'\n", command, quoted(help))
	printf "\t%s) specs=(\n", command
	for (i = 1; i <= nr_arguments; i++)
		printf "\t\t'%d:%s:%s'\n", i, argument[i], offer(argument[i])
}

$1 == "option" {
	gsub(/[][\\]/, "\\\\&", help)
	printf "\t\t'-%s%s[%s]", option, kind != "" ? "=" : "", quoted(help)
	if (kind != "") printf ":%s:%s", value, offer(kind, choices)
	print "'"
}

END {
	if (failed) exit 1
	printf "\t) ;;\n\t*) return 1 ;;\n\tesac\n}\n\n_probe_commands=(\n%s)\n\n", all
}
