# SPDX-License-Identifier: GPL-2.0-only
# One run: the names of all slots ("address name", FS='\t'), the reports of all sessions (JSON,
# FS='"'), perf's samples (FS=' '). Prints lines "round name our-hits our-samples perf-hits
# perf-samples skid", tab separated, skid being what perf's hits would be had each landed two
# slots further. A slot in which one function ends and the next begins is the former's, and so
# are perf's samples there. The last line counts perf's samples that it names otherwise.

# Libraries are one: Debian's have no names inside. So are places not known yet, which are theirs.
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
	# all sessions see all objects; one of them shall tell
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
