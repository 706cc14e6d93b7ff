# SPDX-License-Identifier: GPL-2.0-only
# The rooms of cli/ and the arrows between them, from the includes of their files, as a picture: see
# tests/layout.sh. Reads cli/README.md, then lines "ROOM files N" and "FILE ROOM INCLUDED-ROOM".
# Prints an SVG; complaints go to standard error, and the exit status is 1 if there are any.
function complain(text) {
	print "layout: " text >"/dev/stderr"
	status = 1
}

FNR == NR {
	if (match($0, /^\| `[^`]*` \| /)) {
		name = $2
		gsub(/[`\/]/, "", name)
		room[++nr] = name
		rank[name] = nr
		sub(/^[^|]*\|[^|]*\| /, "")
		sub(/(:.*)? *(\|)$/, "")
		gsub(/`/, "")
		contents[nr] = $0
	}
	next
}

$2 == "files" { files[$1] = $3; next }

{
	if (!($2 in rank) || !($3 in rank))
		complain($1 ": no room of cli/README.md: " ($2 in rank ? $3 : $2))
	else if (rank[$3] > rank[$2])
		complain($1 ": " $2 " uses " $3 ", which is above it")
	else if ($2 != $3)
		uses[$2, $3] = 1
}

# Whether one room is reached from another through a third: then no arrow is drawn.
function is_reached(from, to,   i) {
	for (i = 1; i <= nr; i++)
		if (room[i] != to && (from, room[i]) in reaches && (room[i], to) in reaches)
			return 1
	return 0
}

# A level is one more than the highest level that a room uses.
function find_levels(   i, j, k) {
	for (i = 1; i <= nr; i++) {
		level[i] = 0
		for (j = 1; j < i; j++) {
			if (!((room[i], room[j]) in uses))
				continue
			reaches[room[i], room[j]] = 1
			if (level[i] <= level[j])
				level[i] = level[j] + 1
			for (k = 1; k < j; k++)
				if ((room[j], room[k]) in reaches)
					reaches[room[i], room[k]] = 1
		}
		if (top < level[i])
			top = level[i]
	}
}

# An arrow from room i to room j, through a node on each level between, which is a place to cross
# it.
function add_arrow(i, j,   at) {
	for (at = level[i] - 1; at >= level[j]; at--) {
		tail[++nr_arrows] = at == level[i] - 1 ? i : nr_nodes
		if (at > level[j])
			level[++nr_nodes] = at
		head[nr_arrows] = at > level[j] ? nr_nodes : j
	}
}

function width_of(i) { return i <= nr ? box_width : 0 }

# The mean position of the nodes above and below that a node is connected to.
function middle_of(i,   k, sum, points) {
	for (k = 1; k <= nr_arrows; k++)
		if (head[k] == i || tail[k] == i) {
			sum += x[head[k] == i ? tail[k] : head[k]]
			points++
		}
	return points ? sum / points : x[i]
}

# Place the nodes of one level as close to the means of their neighbours as the boxes between them
# allow: nodes that are too close form a block, and a block is at the mean of its nodes' positions.
function place_level(at,   i, j, nr_here, here, want, shift, sum, len, nr_blocks) {
	for (i = 1; i <= nr_nodes; i++) {
		if (level[i] != at)
			continue
		want[i] = middle_of(i)
		for (j = ++nr_here; j > 1 && want[i] < want[here[j - 1]]; j--)
			here[j] = here[j - 1]
		here[j] = i
	}
	for (j = 1; j <= nr_here; j++) {
		shift[j] = j == 1 ? 0 : shift[j - 1] + (width_of(here[j - 1]) + width_of(here[j])) / 2 + gap
		sum[++nr_blocks] = want[here[j]] - shift[j]
		len[nr_blocks] = 1
		while (nr_blocks > 1 && sum[nr_blocks] / len[nr_blocks] < sum[nr_blocks - 1] / len[nr_blocks - 1]) {
			sum[nr_blocks - 1] += sum[nr_blocks]
			len[nr_blocks - 1] += len[nr_blocks]
			nr_blocks--
		}
	}
	j = 0
	for (i = 1; i <= nr_blocks; i++)
		for (at = 1; at <= len[i]; at++) {
			j++
			x[here[j]] = sum[i] / len[i] + shift[j]
		}
}

function place_nodes(   i, round, at, left) {
	for (round = 1; round < 200; round++)
		for (at = 0; at <= top; at++)
			place_level(round % 2 ? top - at : at)
	for (i = 1; i <= nr_nodes; i++)
		if (i == 1 || x[i] - width_of(i) / 2 < left)
			left = x[i] - width_of(i) / 2
	for (i = 1; i <= nr_nodes; i++) {
		x[i] += margin - left
		if (width < x[i] + width_of(i) / 2)
			width = x[i] + width_of(i) / 2
	}
}

function y_of(i) { return margin + (top - level[i]) * step }

# An arrow goes straight down through a level that it crosses.
function draw_arrow(k,   i, j, x1, y1, x2, y2) {
	i = tail[k]; j = head[k]
	x1 = x[i]; y1 = y_of(i) + box_height
	x2 = x[j]; y2 = y_of(j) - (j <= nr ? 5 : 0)
	printf "<path d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f%s\"%s/>\n",
		x1, y1, x1, y1 + step / 3, x2, y2 - step / 3, x2, y2,
		j <= nr ? "" : "v" box_height, j <= nr ? " marker-end=\"url(#a)\"" : ""
}

# Break a text into lines that fit a box.
function fold_text(text, folded,   words, nr_words, nr_folded, k) {
	nr_words = split(text, words, " ")
	folded[nr_folded = 1] = words[1]
	for (k = 2; k <= nr_words; k++)
		if (length(folded[nr_folded] " " words[k]) <= box_width / 6)
			folded[nr_folded] = folded[nr_folded] " " words[k]
		else
			folded[++nr_folded] = words[k]
	return nr_folded
}

function draw_room(i,   folded, nr_folded, k) {
	nr_folded = fold_text(contents[i], folded)
	printf "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"4\"/>", x[i] - box_width / 2,
		y_of(i), box_width, box_height
	printf "<text y=\"%.0f\"><tspan x=\"%.0f\" font-weight=\"bold\">%s</tspan>",
		y_of(i) + box_height / 2 + 5 - nr_folded * 7, x[i], room[i] == "." ? "cli" : room[i]
	for (k = 1; k <= nr_folded; k++)
		printf "<tspan x=\"%.0f\" dy=\"14\" font-size=\"11\">%s</tspan>", x[i], folded[k]
	print "</text>"
}

END {
	margin = 10; step = 96; box_width = 168; box_height = 54; gap = 22
	nr_nodes = nr
	find_levels()
	for (i = 1; i <= nr; i++)
		for (j = 1; j < i; j++)
			if ((room[i], room[j]) in uses && !is_reached(room[i], room[j]))
				add_arrow(i, j)
	place_nodes()
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" font-family=\"sans-serif\"",
		width + margin, 2 * margin + top * step + box_height
	print " font-size=\"14\" text-anchor=\"middle\">"
	# Boxes have a light background of their own, and the grey of arrows is visible on light and
	# dark pages.
	print "<style>rect { fill: #eef3f8; stroke: #456 } text { fill: #123 } path { fill: none; stroke: #789 }</style>"
	print "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\"" \
		" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#789\"/></marker></defs>"
	for (k = 1; k <= nr_arrows; k++)
		draw_arrow(k)
	for (i = 1; i <= nr; i++) {
		if (!files[room[i]])
			complain("no files in " room[i])
		draw_room(i)
	}
	print "</svg>"
	exit status
}
