# SPDX-License-Identifier: GPL-2.0-only
# pictures.awk -v title=TEXT SCREEN: turn the text of a terminal's screen, with escape sequences for
# colours, into a drawing (SVG). It looks the same with every font: each run of one colour is as wide
# as its cells.

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	# Browsers collapse spaces, but not no-break spaces.
	gsub(/ /, "\\&#160;", text)
	return text
}

# Number of characters; length() of some awks counts bytes.
function cells(text) {
	gsub(/[\200-\277]/, "", text)
	return length(text)
}

# Applies one code of an escape sequence; sequence() has turned 38;5;N and 48;5;N into 38.5.N.
function attribute(code,    n) {
	if (code == "" || code == 0) { ink = INK; paper = ""; weight = 0; swapped = 0; faint = 0 }
	else if (code == 1) weight = 1
	else if (code == 2) faint = 1
	else if (code == 7) swapped = 1
	else if (code == 22) weight = faint = 0
	else if (code == 27) swapped = 0
	else if (code == 39) ink = INK
	else if (code == 49) paper = ""
	else if (code ~ /^(3|9)[0-7]$/) ink = color[code % 10]
	else if (code ~ /^(4|10)[0-7]$/) paper = color[code % 10]
	else if (code ~ /^38\.5\./) ink = indexed(substr(code, 6) + 0)
	else if (code ~ /^48\.5\./) paper = indexed(substr(code, 6) + 0)
}

# The palette of 256 colours: 16 named ones, a cube of 6 x 6 x 6, 24 grays.
function indexed(n) {
	if (n < 16)
		return color[n % 8]
	if (n >= 232)
		return sprintf("#%02x%02x%02x", 8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232))
	n -= 16
	return sprintf("#%02x%02x%02x", level(int(n / 36)), level(int(n / 6) % 6), level(n % 6))
}
function level(n) { return n ? 55 + 40 * n : 0 }

function sequence(codes,    part, nr, i) {
	gsub(/;5;/, ".5.", codes)
	nr = split(codes, part, ";")
	if (!nr)
		attribute(0)
	for (i = 1; i <= nr; i++)
		attribute(part[i])
}

# Draws a run of cells of one look at the current column.
function draw(text,    width, front, back) {
	width = cells(text)
	if (!width)
		return
	front = swapped ? (paper == "" ? PAPER : paper) : ink
	back = swapped ? ink : paper
	if (back != "")
		body = body sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
			LEFT + column * CELL, TOP + (NR - 1) * LINE, width * CELL, LINE, back)
	if (text !~ /^ *$/)
		body = body sprintf("<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s%s>%s</text>\n",
			LEFT + column * CELL, TOP + (NR - 1) * LINE + BASE, width * CELL, front,
			weight ? " font-weight=\"bold\"" : "", faint ? " opacity=\"0.6\"" : "", escaped(text))
	column += width
	last = NR
	if (column > widest)
		widest = column
}

BEGIN {
	INK = "#d6d9dd"; PAPER = "#16191d"
	split("#3b4048 #e06c75 #7fc97f #e5c07b #61a0e0 #c678dd #56b6c2 #d6d9dd", named, " ")
	for (i = 0; i < 8; i++)
		color[i] = named[i + 1]
	CELL = 8.4; LINE = 17; BASE = 13; LEFT = 14; TOP = 12
	attribute(0)
}

# A look lasts beyond the end of the line, but only written cells are drawn.
{
	sub(/\r$/, "")
	gsub(/[\016\017]/, "")
	column = 0
	while (match($0, /\033\[[0-9;]*m/)) {
		draw(substr($0, 1, RSTART - 1))
		sequence(substr($0, RSTART + 2, RLENGTH - 3))
		$0 = substr($0, RSTART + RLENGTH)
	}
	draw($0)
}

END {
	width = 2 * LEFT + widest * CELL
	height = 2 * TOP + last * LINE
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\"", \
		width, height, width
	print " font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\">"
	print "<title>" escaped(title) "</title>"
	printf "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n", PAPER
	printf "%s</svg>\n", body
}
