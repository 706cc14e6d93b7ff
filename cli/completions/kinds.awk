# SPDX-License-Identifier: GPL-2.0-only
# Chooses what to offer for a value or an argument, by its name in the tool's tables. Read before
# bash.awk, zsh.awk or fish.awk. An unknown name is an error: whoever adds a name must say here what
# to offer.
BEGIN {
	FS = "\t"
	split("FILE SYMBOLS A B RUN RUN...", words, " ")
	for (i in words) kinds["argument", words[i]] = "file"
	kinds["argument", "COMMAND"] = "commands"
	kinds["argument", "NAME"] = "run"
	kinds["argument", "TEXT"] = kinds["argument", "URL"] = kinds["argument", "HZ"] = "none"
	kinds["argument", "TASK"] = kinds["value", "TASK"] = "task"
	kinds["value", "FILE"] = kinds["value", "DIR"] = "file"
	kinds["value", "PATH"] = "cgroup"
	# Numbers, addresses and names that only the user knows.
	split("T HZ N LIST P ROWS COLS A B NAME FN GLOBS PCT MIB KIB KEY TIME LIMIT CMD KIND FROM:TO GLOB FN[:N] TEXT OBJECT:GLOBS ADDRESS:PORT NAME=VALUE URL EVENT EVENT,... N,...", words, " ")
	for (i in words) kinds["value", words[i]] = "none"
}

function kind_of(what, word) {
	if ((what, word) in kinds) return kinds[what, word]
	print "completions: kinds.awk does not say what to offer for the " what " " word >"/dev/stderr"
	failed = 1
	exit 1
}

# Returns the kinds of the arguments, in order; sets takes_command if "-- COMMAND" may follow.
# Examples of @text: "[FILE | -- COMMAND...]", "TASK [SYMBOLS] [-- COMMAND...]".
function arguments_of(text,   list, i, nr, all) {
	takes_command = sub(/-- COMMAND\.\.\./, "", text)
	gsub(/[][|]/, " ", text)
	nr = split(text, list, " ")
	for (i = 1; i <= nr; i++)
		if (list[i] != "") all = all (all == "" ? "" : " ") kind_of("argument", list[i])
	return all
}

# Formats a kind with the shell's table of actions; a kind without an action stays as it is.
function offer(kind, choices) {
	return kind in action ? sprintf(action[kind], choices) : kind
}

# Removes duplicates: two lists may have columns of the same name.
function distinct(text,   list, i, nr, seen, all) {
	nr = split(text, list, " ")
	for (i = 1; i <= nr; i++)
		if (list[i] != "" && !seen[list[i]]++) all = all (all == "" ? "" : " ") list[i]
	return all
}

$1 == "command" {
	command = $2
	arguments = arguments_of($3)
	nr_arguments = split(arguments, argument, " ")
	help = $4
}

$1 == "option" {
	option = $2
	choices = distinct($4)
	kind = $3 == "" ? "" : $3 == "COLUMNS" ? "columns" : choices != "" ? "choices" : kind_of("value", $3)
	value = $3
	help = $5
}
