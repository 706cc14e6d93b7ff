# SPDX-License-Identifier: GPL-2.0-only
# The rooms of cli/ and their arrows, from the includes of its files, as a picture: tests/layout.sh.
# Reads cli/README.md, then lines "ROOM lines N" and "FILE ROOM INCLUDED-ROOM". Prints an SVG; complaints go to
# standard error, and the exit status is 1 if there are any.
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
	}
	next
}

$2 == "lines" { lines[$1] = $3; next }

{
	if (!($2 in rank) || !($3 in rank))
		complain($1 ": no room of cli/README.md: " ($2 in rank ? $3 : $2))
	else if (rank[$3] > rank[$2])
		complain($1 ": " $2 " uses " $3 ", which is above it")
	else if ($2 != $3)
		uses[$2, $3] = 1
}

# Whether one room is reached from another over a third: then no arrow is drawn.
function is_reached(from, to,   i) {
	for (i = 1; i <= nr; i++)
		if (room[i] != to && (from, room[i]) in reaches && (room[i], to) in reaches)
			return 1
	return 0
}

# A node of the picture, a room or the place where a long arrow crosses a level: its number.
function add_node(at_level) {
	level[++nr_nodes] = at_level
	count[at_level]++
	return nr_nodes
}

# An arrow from room i to room j, over a node on each level between.
function add_arrow(i, j,   from, to, at) {
	from = i
	for (at = level[i] - 1; at >= level[j]; at--) {
		to = at > level[j] ? add_node(at) : j
		nr_arrows++
		tail[nr_arrows] = from
		head[nr_arrows] = to
		from = to
	}
}

# From the top down: nodes in the order of the middle of those that point to them.
function place_nodes(   at, i, j, k, nr_here, here, middle, points, swap) {
	for (at = top; at >= 0; at--) {
		nr_here = 0
		for (i = 1; i <= nr_nodes; i++) {
			if (level[i] != at)
				continue
			middle[i] = points = 0
			for (k = 1; k <= nr_arrows; k++)
				if (head[k] == i) {
					middle[i] += x[tail[k]]
					points++
				}
			middle[i] = points ? middle[i] / points : width / 2
			here[++nr_here] = i
			for (j = nr_here; j > 1 && middle[here[j]] < middle[here[j - 1]]; j--) {
				swap = here[j]
				here[j] = here[j - 1]
				here[j - 1] = swap
			}
		}
		for (j = 1; j <= nr_here; j++)
			x[here[j]] = margin + (j - 0.5) * width / nr_here
	}
}

function y_of(i) { return margin + (top - level[i]) * step }

function draw_arrow(k,   i, j, x1, y1, x2, y2) {
	i = tail[k]; j = head[k]
	x1 = x[i]; y1 = y_of(i) + (i <= nr ? box_height : box_height / 2)
	x2 = x[j]; y2 = y_of(j) + (j <= nr ? -5 : box_height / 2)
	printf "<path d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\"%s/>\n",
		x1, y1, x1, y1 + step / 3, x2, y2 - step / 3, x2, y2, j <= nr ? " marker-end=\"url(#a)\"" : ""
}

END {
	width = 860; margin = 10; step = 92; box_width = 110; box_height = 44
	for (i = 1; i <= nr; i++)
		level[i] = 0
	for (i = 1; i <= nr; i++)
		for (j = 1; j < i; j++)
			if ((room[i], room[j]) in uses) {
				reaches[room[i], room[j]] = 1
				level[i] = level[j] >= level[i] ? level[j] + 1 : level[i]
				for (k = 1; k < j; k++)
					if ((room[j], room[k]) in reaches)
						reaches[room[i], room[k]] = 1
			}
	nr_nodes = nr
	for (i = 1; i <= nr; i++) {
		if (!lines[room[i]])
			complain("no files in " room[i])
		count[level[i]]++
		top = level[i] > top ? level[i] : top
	}
	for (i = 1; i <= nr; i++)
		for (j = 1; j < i; j++)
			if ((room[i], room[j]) in uses && !is_reached(room[i], room[j]))
				add_arrow(i, j)
	place_nodes()
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\"",
		width + 2 * margin, 2 * margin + top * step + box_height
	print " font-size=\"14\" text-anchor=\"middle\">"
	print "<style>rect { fill: #eef3f8; stroke: #456 } path { fill: none; stroke: #789 }</style>"
	print "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\"" \
		" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#789\"/></marker></defs>"
	for (k = 1; k <= nr_arrows; k++)
		draw_arrow(k)
	for (i = 1; i <= nr; i++) {
		printf "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"4\"/>", x[i] - box_width / 2,
			y_of(i), box_width, box_height
		printf "<text x=\"%.0f\" y=\"%.0f\"><tspan font-weight=\"bold\">%s</tspan>", x[i], y_of(i) + 18,
			room[i] == "." ? "commands" : room[i]
		printf "<tspan x=\"%.0f\" dy=\"17\" font-size=\"11\">%d lines</tspan></text>\n", x[i], lines[room[i]]
	}
	print "</svg>"
	exit status
}
