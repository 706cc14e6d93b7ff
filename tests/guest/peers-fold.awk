# SPDX-License-Identifier: GPL-2.0-only
# Folds one run: the names of all slots ("address name", FS='\t'), the reports of all sessions (JSON,
# FS='"') and perf's samples (FS=' '). Prints lines "round name our-hits our-samples perf-hits
# perf-samples skid", separated by tabs; skid is the number of perf's hits if each sample had landed
# two slots further. A slot in which one function ends and the next begins counts for the former, for
# perf's samples too. The last line counts the samples for which perf has another name.

# All libraries are one row, since Debian's have no symbols; unmapped addresses belong to libraries.
function place(object) {
	return object ~ /kernel|module|cpuprobe/ ? "(kernel)" : "(libraries)"
}

FS == "\t" {
	name_of[$1] = $2
	next_slot[last] = $1
	last = $1
}

FS == "\"" && $2 == "report" { sessions++ }
FS == "\"" && /^    [{]"name"/ {
	hits = substr($7, 3) + 0
	samples += hits
	# every session counts all objects; use the first one's counts
	if ($4 != "interpreter" && sessions == 1)
		ours[place($4)] += hits
}
FS == "\"" && $2 == "address" { ours[$(NF - 1)] += substr($11, 3) }

FS == " " {
	perf_samples++
	if ($NF != "(/bin/interpreter)") {
		perf[place($NF)]++
		skid[place($NF)]++
		next
	}
	slot = substr($1, 1, length($1) - 1) "0"
	renamed += name_of[slot] != $2
	perf[name_of[slot]]++
	skid[name_of[next_slot[next_slot[slot]]]]++
}

END {
	for (name in ours) seen[name]
	for (name in perf) seen[name]
	for (name in skid) seen[name]
	for (name in seen)
		if (ours[name] + perf[name] + skid[name])
			printf "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", round, name, ours[name],
				samples / sessions, perf[name], perf_samples, skid[name]
	print "renamed " renamed + 0
}
