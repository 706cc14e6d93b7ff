# SPDX-License-Identifier: GPL-2.0-only
# slips.awk LIST...: the slips of the lists, as the head of ../mutants.sh describes them. Run it in
# the top directory.
# -v slips=DIR: writes each slip to a directory of its own, DIR/LIST.NUMBER: file, before, after and
# reason, and mutant, the source with the slip. There is no mutant if BEFORE is not in the source
# exactly once.
# Without: prints the slips that cannot be applied, and fails if there is one.

# The text of a source; "" if there is none.
function source(path,  line, text) {
	if (path in sources) return sources[path]
	while ((getline line <path) > 0) text = text line "\n"
	close(path)
	return sources[path] = text
}

# The position of BEFORE in the source; 0 unless it is there exactly once.
function position(slip,  text, at) {
	text = source(file[slip])
	at = before[slip] == "" ? 0 : index(text, before[slip])
	return at && !index(substr(text, at + length(before[slip])), before[slip]) ? at : 0
}

function finish() {
	if (!has_before && !has_after) return
	name[++nr] = sprintf("%s.%03d", list, ++nr_in_list)
	file[nr] = source_file
	before[nr] = old
	after[nr] = new
	reason[nr] = why
	old = new = why = ""
	has_before = has_after = 0
}

function put(slip, part, text,  path) {
	path = slips "/" name[slip] "/" part
	printf "%s", text >path
	close(path)
}

function write_slip(slip,  at, text) {
	put(slip, "file", file[slip])
	put(slip, "before", before[slip])
	put(slip, "after", after[slip])
	put(slip, "reason", reason[slip])
	at = position(slip)
	if (!at) return
	text = source(file[slip])
	put(slip, "mutant", substr(text, 1, at - 1) after[slip] substr(text, at + length(before[slip])))
}

function write_all(  slip, make) {
	make = "xargs mkdir -p"
	for (slip = 1; slip <= nr; slip++) print slips "/" name[slip] | make
	if (close(make)) exit 1
	for (slip = 1; slip <= nr; slip++) write_slip(slip)
}

function check_all(  slip, wrong, text) {
	for (slip = 1; slip <= nr; slip++) {
		if (position(slip)) continue
		wrong++
		text = before[slip]
		gsub(/\n/, "\n- ", text)
		printf "%s, %s: not there exactly once:\n- %s\n", name[slip], file[slip], text
	}
	printf "%d slips, %d that do not fit the sources\n", nr, wrong
	exit !nr || wrong > 0
}

FNR == 1 {
	finish()
	list = FILENAME
	sub(/.*\//, "", list)
	sub(/\.txt$/, "", list)
	nr_in_list = 0
	source_file = ""
}
/^#/ { next }
/^$/ { finish(); next }
/^@ / { finish(); source_file = substr($0, 3); next }
/^- / { old = old (has_before++ ? "\n" : "") substr($0, 3); next }
/^\+ / { new = new (has_after++ ? "\n" : "") substr($0, 3); next }
/^= / { why = why (why == "" ? "" : " ") substr($0, 3); next }
{
	printf "mutants: %s:%d: what is this?\n", FILENAME, FNR >"/dev/stderr"
	failed = 1
	exit 1
}
END {
	if (failed) exit 1
	finish()
	if (slips != "") write_all()
	else check_all()
}
