# SPDX-License-Identifier: GPL-2.0-only
# The sentences that people read in these sources: "FILE:LINE: SENTENCE", a line each. From C, JavaScript and
# style sheets the comments, and strings of several words; from scripts, makefiles and awk the comments, and
# what `make help` prints; from Markdown and manual pages the text. Code in backquotes is left out. A title of
# Markdown keeps its mark "#".
function begin_file() {
	flush()
	is_code = is_comment = was_string = 0
	kind = "script"
	if (FILENAME ~ /\.(c|h|cc|js|mjs|css)$/) kind = "c"
	if (FILENAME ~ /\.md$/) kind = "markdown"
	if (FILENAME ~ /\.([1-8]|in|inc)$/) kind = "manual"
}

# A paragraph is its words and the line that each is on.
function add(text,   i, n, parts) {
	gsub(/`[^`]*`/, "CODE", text)
	n = split(text, parts, /[ \t]+/)
	for (i = 1; i <= n; i++)
		if (parts[i] != "") {
			word[++nr_words] = parts[i]
			line[nr_words] = FNR
		}
}

# A sentence ends with a full stop, when the next word does not begin with a small letter.
function flush(   i, sentence, first) {
	for (i = 1; i <= nr_words; i++) {
		if (sentence == "")
			first = line[i]
		sentence = sentence (sentence == "" ? "" : " ") word[i]
		if (i == nr_words || word[i] ~ /\?$/ || (word[i] ~ /[.!][)"\047]*$/ && word[i + 1] !~ /^[a-z]/)) {
			print source ":" first ": " sentence
			sentence = ""
		}
	}
	nr_words = 0
	source = FILENAME
}

# One line of a comment, without its marks. A line of its own begins an item, an empty one ends a paragraph.
function add_comment(text) {
	sub(/^[ \t]*\*?[ \t]*/, "", text)
	if (text == "" || text ~ /^([-@]|SPDX|rig: |shellcheck |[0-9]+\.)/)
		flush()
	if (text !~ /^(SPDX|rig: |shellcheck )/)
		add(text)
}

function add_string(text) {
	if (!was_string)
		flush()
	was_string = 1
	n = split(text, part, /\\[nt]/)
	for (i = 1; i <= n; i++) {
		if (i > 1)
			flush()
		if (part[i] ~ /[a-z] [a-zA-Z]/)
			add(part[i])
	}
}

function read_c(text,   end) {
	if (is_comment && !(end = index(text, "*/"))) {
		add_comment(text)
		return
	}
	if (is_comment) {
		add_comment(substr(text, 1, end - 1))
		flush()
		text = substr(text, end + 2)
		is_comment = 0
	}
	while (match(text, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)+\047|\/\*|\/\//)) {
		mark = substr(text, RSTART, 2)
		if (substr(text, 1, RSTART - 1) ~ /[^ \t]/) {
			flush()
			was_string = 0
		}
		found = substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, RSTART + RLENGTH)
		if (mark == "//") {
			add_comment(text)
			return
		} else if (mark == "/*") {
			is_comment = 1
			read_c(text)
			return
		} else if (mark ~ /^"/)
			add_string(found)
	}
	if (text ~ /[^ \t]/ || (text == "" && !was_string)) {
		flush()
		was_string = 0
	}
}

function read_script(text) {
	if (text ~ /^[ \t]*#([ \t]|$)/ || match(text, /\t# /)) {
		if (text !~ /^[ \t]*#/)
			flush()
		sub(/^[^#]*#/, "", text)
		add_comment(text)
	} else {
		flush()
		if (text ~ /^\t@echo "(make| )/) {
			sub(/"$/, "", text)
			add(substr(text, 27))
			flush()
		}
	}
}

function read_markdown(text) {
	if (text ~ /^```/)
		is_code = !is_code
	if (is_code || text ~ /^(    |```|<!--|!\[|$)/) {
		flush()
		return
	}
	if (text ~ /^ *([-*#|]|[0-9]+\. )/)
		flush()
	sub(/^ *([-*]|[0-9]+\.) /, "", text)
	if (text !~ /^\|/) {
		add(text)
		if (text ~ /^#/)
			flush()
		return
	}
	n = split(text, cell, "|")
	for (i = 1; i <= n; i++) {
		add(cell[i])
		flush()
	}
}

function read_manual(text) {
	if (text ~ /^\.EX/) is_code = 1
	if (text ~ /^\.EE/) is_code = 0
	if (text ~ /^\.(B|I|BR|RB|BI|IB|IR|RI|SM) /) {
		sub(/^\.[A-Z]+ /, "", text)
		gsub(/"/, "", text)
	} else if (text ~ /^[.@\047]/ || is_code) {
		flush()
		return
	}
	gsub(/\\-/, "-", text)
	gsub(/\\\(aq/, "\047", text)
	gsub(/\\f[A-Z]|\\&/, "", text)
	add(text)
}

FNR == 1 { begin_file() }
kind == "c" { read_c($0) }
kind == "script" { read_script($0) }
kind == "markdown" { read_markdown($0) }
kind == "manual" { read_manual($0) }
END { flush() }
