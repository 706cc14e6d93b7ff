// SPDX-License-Identifier: GPL-2.0-only
// The timeline of a trace: its rows, and how they are drawn. Only what is visible is drawn; spans
// narrower than a pixel are merged.

const FIELDS = 9; // of a span: begin, duration, name, depth, flags, elapsed, net, blocked, other
const EARLY = 1,
	CLIPPED = 2,
	UNWOUND = 4,
	CUT = 8,
	TIMED = 16,
	TAIL = 32;
const LOST = 6; // class of missing events
const COLOURS = ["kernel", "module", "file1", "jit", "file0", "program", "lost"];
const LEVEL = 16, // pixels of a level of calls
	GAP = 8, // below a row
	AXIS = 22, // at the top
	GUTTER = 170; // for names of rows

// Times are in nanoseconds from the begin of the trace.
function time_text(ns) {
	const units = [
		[1e9, "s"],
		[1e6, "ms"],
		[1e3, "\u00b5s"],
	];
	for (const [size, name] of units)
		if (Math.abs(ns) >= size) return Number((ns / size).toPrecision(6)) + " " + name;
	return Math.round(ns) + " ns";
}

function exact_text(ns) {
	return time_text(ns) + (ns >= 1e3 ? " (" + count_text(ns) + " ns)" : "");
}

// A row: its spans by level, each level in order of time.
function read_row([name, number, kind, numbers]) {
	const row = { name, number, kind, levels: [], instants: [], nr: 0 };
	let begin = 0;
	for (let at = 0; at < numbers.length; at += FIELDS) {
		begin += numbers[at];
		const level = numbers[at + 3];
		while (row.levels.length <= level) row.levels.push([]);
		const span = {
			row,
			level,
			begin,
			end: begin + numbers[at + 1],
			name: numbers[at + 2],
			flags: numbers[at + 4],
			elapsed: numbers[at + 5],
			net: numbers[at + 6],
			blocked: numbers[at + 7],
			other: numbers[at + 8],
			index: row.levels[level].length,
		};
		row.levels[level].push(span);
		row.nr++;
	}
	return row;
}

// The first span of a level that ends after a time.
function first_after(level, ns) {
	let low = 0,
		high = level.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (level[middle].end > ns) high = middle;
		else low = middle + 1;
	}
	return low;
}

const timeline = {
	rows: data.rows.map(read_row),
	from: data.from,
	to: data.to,
	wanted: "",
	matches: null, // by name: whether it is searched for; null: no search
	chosen: null,
};

timeline.place_rows = function () {
	let top = AXIS;
	const by_number = new Map(this.rows.map((row) => [row.number, row]));
	for (const [number, ns, text] of data.instants)
		by_number.get(number)?.instants.push({ ns, text });
	for (const row of this.rows) {
		row.top = top;
		row.height = Math.max(row.levels.length, 1) * LEVEL;
		top += row.height + GAP;
	}
	this.height = top;
};

timeline.span_name = function (span) {
	return data.names[span.name][1] === LOST ? "lost " + count_text(span.other) : data.names[span.name][0];
};

timeline.x_of = function (ns) {
	return GUTTER + ((ns - this.from) / (this.to - this.from)) * (this.width - GUTTER);
};

timeline.ns_at = function (x) {
	return this.from + ((x - GUTTER) / (this.width - GUTTER)) * (this.to - this.from);
};

timeline.read_colours = function () {
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => style.getPropertyValue("--" + name).trim();
	this.colours = COLOURS.map(colour);
	for (const name of ["page", "text", "quiet", "line", "track", "rest", "wanted"])
		this[name + "_colour"] = colour(name);
	this.wanted_text = colour("wanted-text");
};

timeline.draw_box = function (span, x, y, width) {
	const context = this.context,
		of_class = data.names[span.name][1];
	const is_match = this.matches && this.matches[span.name];
	context.fillStyle = is_match
		? this.wanted_colour
		: this.matches
			? this.rest_colour
			: this.colours[of_class];
	context.fillRect(x, y, Math.max(width - 0.5, 1), LEVEL - 1);
	if (span === this.chosen) {
		context.strokeStyle = this.text_colour;
		context.lineWidth = 2;
		context.strokeRect(x + 1, y + 1, Math.max(width - 2, 1), LEVEL - 3);
	}
	if (width < 24) return;
	context.fillStyle = is_match
		? this.wanted_text
		: of_class === LOST && !this.matches
			? this.page_colour
			: this.text_colour;
	context.save();
	context.beginPath();
	context.rect(x, y, width - 2, LEVEL);
	context.clip();
	context.fillText(this.span_name(span), Math.max(x, GUTTER) + 3, y + LEVEL - 4);
	context.restore();
};

// Spans that share a pixel are one: searched or missing ones prevail.
timeline.draw_level = function (level, y) {
	let at = first_after(level, this.from);
	while (at < level.length && level[at].begin <= this.to) {
		const span = level[at];
		const x = Math.max(this.x_of(span.begin), GUTTER),
			right = Math.min(this.x_of(span.end), this.width);
		this.nr_drawn++;
		if (right - x >= 1) {
			this.draw_box(span, x, y, right - x);
			at++;
			continue;
		}
		const next = Math.max(first_after(level, this.ns_at(Math.floor(x) + 1)), at + 1);
		let shown = span;
		for (let other = at; other < next && this.matches; other++)
			if (this.matches[level[other].name]) {
				shown = level[other];
				break;
			}
		this.draw_box(shown, Math.floor(x), y, 1);
		at = next;
	}
};

timeline.draw_row = function (row, y) {
	const context = this.context;
	context.fillStyle = this.track_colour;
	context.fillRect(GUTTER, y, this.width - GUTTER, row.height);
	row.levels.forEach((level, depth) => this.draw_level(level, y + depth * LEVEL));
	context.fillStyle = this.text_colour;
	let last = -9;
	for (const { ns } of row.instants) {
		const x = this.x_of(ns);
		if (x < GUTTER || x > this.width || x - last < 2) continue;
		last = x;
		context.fillRect(x, y, 1, row.height);
		context.fillRect(x - 2, y, 5, 3);
	}
	context.fillStyle = this.page_colour;
	context.fillRect(0, y, GUTTER, row.height);
	context.fillStyle = this.text_colour;
	context.save();
	context.beginPath();
	context.rect(0, y, GUTTER - 6, row.height);
	context.clip();
	context.fillText(row.name, 0, y + LEVEL - 4);
	context.restore();
};

timeline.draw_axis = function () {
	const context = this.context,
		length = this.to - this.from;
	let step = Math.pow(10, Math.floor(Math.log10(length)));
	while (length / step < 4) step /= step.toString()[0] === "5" ? 2.5 : 2;
	context.fillStyle = this.page_colour;
	context.fillRect(0, 0, this.width, AXIS - 2);
	context.fillStyle = this.quiet_colour;
	for (let ns = Math.ceil(this.from / step) * step; ns <= this.to; ns += step) {
		const x = this.x_of(ns);
		context.fillRect(x, AXIS - 6, 1, 4);
		if (x < this.width - 70) context.fillText(time_text(ns), x + 2, AXIS - 8);
	}
};

timeline.render = function () {
	const place = by_id("timeline"),
		canvas = by_id("timeline-canvas"),
		scale = devicePixelRatio || 1;
	this.width = place.clientWidth;
	const height = place.clientHeight;
	canvas.width = this.width * scale;
	canvas.height = height * scale;
	canvas.style.height = height + "px";
	canvas.style.width = this.width + "px";
	this.context = canvas.getContext("2d");
	this.context.scale(scale, scale);
	this.context.font = "12px system-ui, sans-serif";
	this.read_colours();
	this.nr_drawn = 0;
	for (const row of this.rows) {
		const y = row.top - place.scrollTop;
		if (y + row.height >= AXIS && y <= height) this.draw_row(row, y);
	}
	this.draw_axis();
	this.show_state();
};

timeline.show_state = function () {
	const is_all = this.from === data.from && this.to === data.to;
	by_id("reset").disabled = is_all;
	by_id("shown").textContent =
		time_text(this.to - this.from) +
		" shown, from " +
		time_text(this.from) +
		" to " +
		time_text(this.to) +
		(is_all ? "." : " of " + time_text(data.to - data.from) + ".");
};

// A span as lines of text.
timeline.describe = function (span) {
	const lines = [this.span_name(span), span.row.name, "begins at " + exact_text(span.begin)];
	lines.push("lasts " + exact_text(span.end - span.begin));
	if (span.flags & TIMED)
		lines.push(
			"elapsed on a CPU " + exact_text(span.elapsed),
			"net " + exact_text(span.net),
			"blocked " + exact_text(span.blocked) + ", preempted " + exact_text(span.other)
		);
	const notes = [
		[EARLY, "began earlier: clipped"],
		[CLIPPED, "did not end here: clipped"],
		[UNWOUND, "unwound"],
		[CUT, "events are missing: no duration"],
		[TAIL, "tail call"],
	];
	for (const [flag, text] of notes) if (span.flags & flag) lines.push(text);
	return lines;
};
